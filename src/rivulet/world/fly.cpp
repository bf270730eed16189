#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/obstacle/collide.h>
#include <rivulet/world/stages.h>

namespace rivulet::world {

namespace {
/// How far outside a wall a particle is stopped.
constexpr double kMargin = 1e-9;  // m
}  // namespace

void fly(liquid::LiquidState& liquid, const geometry::SolidField& solids, const StepView& view) {
    const std::size_t none = liquid.size();
    const std::size_t stuck = ordered_reduce(
        liquid.size(), 1024, none,
        [&](std::size_t begin, std::size_t end) {
            std::size_t first = none;
            for (std::size_t i = begin; i < end; ++i) {
                // Exact for constant gravity: x + v dt + g dt²/2.
                const Vec3d from = liquid.position[i], velocity = liquid.velocity[i] + view.gravity * view.dt;
                const Vec3d to = from + (liquid.velocity[i] + velocity) * (0.5 * view.dt);
                const obstacle::Moved moved = obstacle::move_point(solids, from, to, velocity, kMargin);
                if (moved.stuck && first == none) first = i;
                liquid.position[i] = moved.position;
                liquid.velocity[i] = moved.velocity;
                liquid.age[i] += static_cast<float>(view.dt);
            }
            return first;
        },
        [](std::size_t a, std::size_t b) { return std::min(a, b); });
    if (stuck != none)
        throw StepFailed("move", fmt::format("liquid particle {}", liquid.id[stuck]),
                         "obstacles close on it from all sides");
}

}  // namespace rivulet::world
