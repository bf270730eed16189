#include <rivulet/obstacle/step_limit.h>

#include <algorithm>
#include <optional>

namespace rivulet::obstacle {
namespace {

/// Most that an obstacle turns in a step [rad]: half a turn is lost, see PoseInterval.
constexpr double kMostTurn = 1;
/// A path this much longer than the displacement means that a motion goes back and forth unseen. One that
/// starts from rest has twice its mean speed at the end.
constexpr double kHidden = 4;
constexpr int kMostHalvings = 40;

/// `field`: over `longest`.
double longest_step_of(const ObstacleSet& obstacles, std::size_t i, double t, double longest, double distance,
                       const geometry::Bounds& domain, const geometry::SolidField& field) {
    const geometry::Bounds rest = field.rest_bounds(i, domain);
    if (rest.is_empty()) return longest;
    const Reach whole = reach_of_box(rest, obstacles, int(i), {}, t, t + longest);
    const double speed = field.max_speed_of(i, domain);
    const bool believed = whole.travel <= distance || whole.travel <= kHidden * speed * longest;
    if (whole.turn <= kMostTurn && believed && !whole.jumps.any())
        return speed > 0 ? std::min(longest, distance / speed) : longest;
    double dt = longest;
    Reach reach = whole;
    for (int halving = 0; halving < kMostHalvings; ++halving) {
        if (reach.turn <= kMostTurn && reach.travel <= distance) break;
        dt *= 0.5;
        reach = reach_of_box(rest, obstacles, int(i), {}, t, t + dt);
    }
    return dt;
}

}  // namespace

void Reach::include_jumps(const Jumps& others) {
    jumps.include(others);
    if (jumps.several()) travel = geometry::Bounds::kInfinity;
}

Reach reach_of_box(const geometry::Bounds& rest, const ObstacleSet& obstacles, int obstacle,
                   const RigidMotion& first, double from, double to) {
    // Convex in the place at rest, so largest at a corner.
    Reach reach;
    for (int corner = 0; corner < 8; ++corner) {
        Passage passage{rest.corner(corner)};
        first.carry(from, to, passage);
        if (obstacle >= 0) obstacles.carry(std::size_t(obstacle), from, to, passage);
        reach.travel = std::max(reach.travel, passage.travel);
        reach.turn = std::max(reach.turn, passage.turn);
        reach.include_jumps(passage.jumps);
    }
    return reach;
}

double longest_step(const ObstacleSet& obstacles, double t, double longest, double distance,
                    const geometry::Bounds& domain) {
    double step = longest;
    std::optional<geometry::SolidField> field;  // made when something moves
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
        if (obstacles.never_moves(i)) continue;
        if (!field) field = obstacles.field_over(t, longest);
        step = std::min(step, longest_step_of(obstacles, i, t, longest, distance, domain, *field));
    }
    return step;
}

}  // namespace rivulet::obstacle
