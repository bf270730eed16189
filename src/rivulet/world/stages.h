#pragma once

#include <type_traits>

#include <rivulet/base/step_view.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// Starts the next world as the present one: most rooms change in place. The liquid is left out, because
/// sort_particles writes all of it.
inline void carry_over(const World& now, World& next) {
    for_member_pairs(now, next, [](const auto& from, auto& to) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(to)>, liquid::LiquidState>) to = from;
    });
}

/// Rooms that need nothing of the others offer move(State&, const StepView&) and are moved here.
inline void move_rooms(World& next, const StepView& view) {
    for_each_member(next, [&](auto& state) {
        if constexpr (requires { move(state, view); }) move(state, view);
    });
}

}  // namespace rivulet::world
