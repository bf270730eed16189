#pragma once

#include <rivulet/base/step_view.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// Rooms that need nothing of the others offer move(State&, const StepView&) and are moved here.
inline void move_rooms(World& next, const StepView& view) {
    for_each_member(next, [&](auto& state) {
        if constexpr (requires { move(state, view); }) move(state, view);
    });
}

}  // namespace rivulet::world
