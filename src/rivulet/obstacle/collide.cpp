#include <algorithm>
#include <cmath>

#include <rivulet/obstacle/collide.h>

namespace rivulet::obstacle {
namespace {

using geometry::SolidField;
using geometry::SolidSample;

/// Part of the free distance used at once: sampled mesh distances may be too large by a quarter beyond their
/// narrow band.
constexpr double kSafety = 0.75;
/// Sliding keeps this part of the remaining path between point and wall, so that it takes about 1/kHover
/// steps.
constexpr double kHover = 1.0 / 12;
constexpr int kMostAdvances = 256;
constexpr int kPushesAtOnce = 8;
constexpr int kMostPushes = 24;

/// Whether some solid that could be jumped over comes near the path. Where the free side is convex (floor,
/// box tank) two free ends mean a free path, up to the sagitta of the turn, and looking at the end suffices;
/// `push` is how far leaving such a wall may yet lead off the path.
bool could_cross(const SolidField& field, const Vec3d& from, const Vec3d& to, double margin, double push) {
    const double reach = margin + push;
    geometry::Bounds path;
    path.include(from);
    path.include(to);
    for (std::size_t i = 0; i < field.size(); ++i) {
        if (field.leaves_convex_domain(i)) continue;
        if (field.swept_bounds(i).squared_distance(path) > reach * reach) continue;
        const double rate = field.approach_bound(i, from, to, 0, 1);
        if (kSafety * (field.distance_to(i, from, 0) - reach) <= rate) return true;
    }
    return false;
}

double fastest_approach(const SolidField& field, const Vec3d& from, const Vec3d& to, double s0) {
    double most = 0;
    for (std::size_t i = 0; i < field.size(); ++i)
        most = std::max(most, field.approach_bound(i, from, to, s0, 1));
    return most;
}

/// A path being followed: position, and the displacement per whole step it goes on with.
struct Traveller {
    const SolidField& field;
    Vec3d position, rate, velocity;
    Vec3d last_normal;
    int solid = -1;

    /// Takes the approach to a touched wall out of path and velocity; between two walls what is left runs
    /// along both.
    void touch(const SolidSample& wall) {
        const Vec3d wall_rate = wall.velocity * field.dt();
        const bool same = dot(wall.normal, last_normal) > 0.999;
        rate = along(rate, wall_rate, wall.normal, same);
        velocity = along(velocity, wall.velocity, wall.normal, same);
        if (!same) last_normal = wall.normal;
        solid = wall.solid;
    }

 private:
    Vec3d along(const Vec3d& v, const Vec3d& wall, const Vec3d& normal, bool same) const {
        const Vec3d once = without_approach(v, wall, normal);
        if (same || last_normal == Vec3d{} || dot(once - wall, last_normal) >= 0 ||
            dot(normal, last_normal) > 0)
            return once;
        const Vec3d crease = cross(normal, last_normal);
        const double l2 = squared_length(crease);
        return l2 > 1e-6 ? wall + crease * (dot(once - wall, crease) / l2) : wall;
    }
};

/// Touches the walls nearer than `hover` and leaves them; returns the free distance there. Moving less than
/// the free distance never crosses anything; from inside, straight out.
double leave_walls(Traveller& p, double s, double hover, double free) {
    for (int push = 0; push < kPushesAtOnce && free <= hover; ++push) {
        const SolidSample wall = p.field.sample(p.position, s);
        p.touch(wall);
        p.position += wall.normal * (free > 0 ? std::min(hover - free, kSafety * free) : 1e-9 + hover - free);
        free = p.field.distance(p.position, s);
        if (hover - free < 1e-12 * hover) break;
    }
    return free;
}

/// Goes from s = 0 as far as the walls let it; returns the fraction reached.
double advance(Traveller& p) {
    double s = 0;
    for (int step = 0; step < kMostAdvances && s < 1; ++step) {
        const Vec3d goal = p.position + p.rate * (1 - s);
        double speed = fastest_approach(p.field, p.position, goal, s);
        double free = p.field.distance(p.position, s);
        if (kSafety * free > speed * (1 - s)) {
            p.position = goal;
            return 1;
        }
        const double hover = kHover * speed * std::max(1 - s, 0.2);
        if (free <= hover) {
            free = leave_walls(p, s, hover, free);
            if (free <= 0) continue;
            speed = fastest_approach(p.field, p.position, p.position + p.rate * (1 - s), s);
        }
        const double h = speed > 0 ? std::min(1 - s, kSafety * free / speed) : 1 - s;
        p.position += p.rate * h;
        s = h >= 1 - s ? 1 : s + h;
    }
    return s;
}

/// Leaves every wall by `margin` at the end of the step, never moving farther at once than the free distance
/// unless the point is inside.
bool settle(Traveller& p, double margin) {
    for (int push = 0; push < kMostPushes; ++push) {
        const double free = p.field.distance(p.position, 1);
        if (free >= margin) return true;
        const SolidSample wall = p.field.sample(p.position, 1);
        p.touch(wall);
        const double wanted = margin - free;
        // NOTE: the extra 1e-12 makes a flat wall done in one push despite rounding.
        const double more = wanted + 1e-12 * (std::abs(wanted) + length(p.position));
        p.position +=
            wall.normal * (free > 0 ? std::min(more, std::max(kSafety * free, 0.05 * wanted)) : more);
    }
    return p.field.distance(p.position, 1) >= margin;
}

}  // namespace

Moved move_point(const SolidField& field, const Vec3d& from, const Vec3d& to, const Vec3d& velocity,
                 double margin) {
    if (field.empty()) return {to, velocity, -1, false};
    Traveller p{field, from, to - from, velocity, {}, -1};
    const double overlap = std::max(0.0, margin - field.distance(to, 1));
    // Leaving the walls of a corner takes at most sqrt(3) times the overlap.
    if (!could_cross(field, from, to, margin, 2 * overlap)) {
        if (overlap == 0) return {to, velocity, -1, false};
        p.position = to;
    } else if (advance(p) < 1) {
        return {p.position, p.velocity, p.solid, true};
    }
    const bool free = settle(p, margin);
    return {p.position, p.velocity, p.solid, !free};
}

}  // namespace rivulet::obstacle
