#pragma once

#include <rivulet/base/step_view.h>
#include <rivulet/geometry/solid_field.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// Particles under gravity alone, stopped by obstacles.
void fly(liquid::LiquidState& liquid, const geometry::SolidField& solids, const StepView& view);

/// Rooms that need nothing of the others offer move(State&, const StepView&) and are moved here.
template <class Worlds>
void move_rooms(Worlds& next, const StepView& view) {
    for_each_member(next, [&](auto& state) {
        if constexpr (requires { move(state, view); }) move(state, view);
    });
}

}  // namespace rivulet::world
