#pragma once

#include <rivulet/film/state.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/contact_model.h>

namespace rivulet::scene {

/// Contacts and bridges that strands are likely to have at once, from how crowded they stand at the start:
/// of strands that fill a part of the space around them each vertex meets a number of others in proportion.
/// Wet strands are as thick as their bridges reach. 0 where strands do not meet.
double contacts_expected(const strand::StrandState& strands, const film::FilmState& film,
                         const world::ContactModel& contact);

}  // namespace rivulet::scene
