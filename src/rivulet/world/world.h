#pragma once

#include <rivulet/base/members.h>
#include <rivulet/world/clock.h>
#include <rivulet/world/ledger.h>
#include <rivulet/world/states.h>

namespace rivulet::world {

/// Everything that is true at one moment, as plain data: one member per room that holds truth, each with its
/// field list. Archives, frames, roll-back, comparison and the search for non-finite values walk the members,
/// so a new room needs one line here. (states.h is made by the build: it includes <rivulet/ROOM/state.h> of
/// every room.)
struct World {
    ClockState clock;
    LedgerState ledger;
    liquid::LiquidState liquid;
    strand::StrandState strands;
    film::FilmState film;
    contact::ContactState contacts;
};

}  // namespace rivulet::world
