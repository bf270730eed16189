#pragma once

#include <rivulet/base/liquid_tally.h>
#include <rivulet/liquid/state.h>

namespace rivulet::test {

/// All liquid that a state holds [m^3].
inline double held_volume(const liquid::LiquidState& state) {
    LiquidTally tally;
    held_liquid(state, tally);
    return tally.total();
}

}  // namespace rivulet::test
