#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/pose.h>

namespace rivulet::geometry {

/// Axis-aligned box; empty (min > max) by default.
struct Bounds {
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Vec3d min{kInfinity, kInfinity, kInfinity}, max{-kInfinity, -kInfinity, -kInfinity};

    void include(const Vec3d& p) { min = component_min(min, p), max = component_max(max, p); }
    void include(const Bounds& b) { min = component_min(min, b.min), max = component_max(max, b.max); }
    bool is_empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
    bool is_finite() const { return rivulet::is_finite(min) && rivulet::is_finite(max); }
    bool contains(const Vec3d& p) const {
        return p.x >= min.x && p.y >= min.y && p.z >= min.z && p.x <= max.x && p.y <= max.y && p.z <= max.z;
    }
    Vec3d centre() const { return (min + max) * 0.5; }
    Vec3d size() const { return max - min; }
    /// One of the eight, 0..7.
    Vec3d corner(int i) const {
        return {i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z};
    }
    Bounds grown(double by) const { return {min - Vec3d{by, by, by}, max + Vec3d{by, by, by}}; }
    static Bounds everything() { return Bounds{}.flipped(); }

    /// Squared distance from a point to the filled box; 0 inside.
    double squared_distance(const Vec3d& p) const {
        const double x = std::max({min.x - p.x, 0.0, p.x - max.x});
        const double y = std::max({min.y - p.y, 0.0, p.y - max.y});
        const double z = std::max({min.z - p.z, 0.0, p.z - max.z});
        return x * x + y * y + z * z;
    }
    double squared_distance(const Bounds& b) const {
        const double x = std::max({min.x - b.max.x, 0.0, b.min.x - max.x});
        const double y = std::max({min.y - b.max.y, 0.0, b.min.y - max.y});
        const double z = std::max({min.z - b.max.z, 0.0, b.min.z - max.z});
        return x * x + y * y + z * z;
    }

 private:
    Bounds flipped() const { return {max, min}; }
};

/// Box around a posed box; everything when the box is not finite.
inline Bounds transformed(const Bounds& box, const Pose& pose) {
    if (box.is_empty()) return {};
    if (!box.is_finite()) return Bounds::everything();
    const Vec3d centre = pose.apply(box.centre()), half = box.size() * 0.5;
    Vec3d reach;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) reach[i] += std::abs(pose.rotation(i, j)) * half[j];
    return {centre - reach, centre + reach};
}

/// Box around everything a rest-frame box passes through while its pose goes over the interval.
inline Bounds swept(const Bounds& box, const PoseInterval& motion) {
    Bounds b = transformed(box, motion.start());
    if (motion.is_still() || !b.is_finite()) return b;
    b.include(transformed(box, motion.end()));
    const double angle = std::min(length(motion.turn()), std::numbers::pi);
    if (angle == 0) return b;
    // An arc bulges over its chord by r (1 - cos(angle/2)), r the farthest corner from the turning centre.
    const Vec3d centre = inverse(motion.start()).apply(motion.centre_at(0));
    const Vec3d far = component_max(box.max - centre, centre - box.min);
    return b.grown(length(far) * (1 - std::cos(0.5 * angle)));
}

}  // namespace rivulet::geometry
