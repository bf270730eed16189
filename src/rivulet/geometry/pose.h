#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/mat3.h>
#include <rivulet/base/vec3.h>

namespace rivulet::geometry {

/// A rigid placement: world = rotation * rest + translation. The rotation is orthonormal, determinant +1.
struct Pose {
    Mat3d rotation = Mat3d::identity();
    Vec3d translation;

    Vec3d apply(const Vec3d& point) const { return rotation * point + translation; }
    Vec3d apply_direction(const Vec3d& direction) const { return rotation * direction; }
    bool operator==(const Pose&) const = default;
};

inline Pose inverse(const Pose& pose) {
    const Mat3d back = transpose(pose.rotation);
    return {back, -(back * pose.translation)};
}

/// First `inner`, then `outer`.
inline Pose compose(const Pose& outer, const Pose& inner) {
    return {outer.rotation * inner.rotation, outer.apply(inner.translation)};
}

/// Rotation by `angle` [rad] about a unit axis (Rodrigues).
inline Mat3d rotation_about(const Vec3d& unit_axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return Mat3d::diagonal({c, c, c}) + cross_matrix(unit_axis) * s + outer(unit_axis, unit_axis) * (1 - c);
}

inline Pose rotation_about_pivot(const Vec3d& unit_axis, double angle, const Vec3d& pivot) {
    const Mat3d r = rotation_about(unit_axis, angle);
    return {r, pivot - r * pivot};
}

/// Axis times angle [rad] of a rotation, angle in [0, pi].
inline Vec3d rotation_vector(const Mat3d& r) {
    const Vec3d twice_sine{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
    const double sine = 0.5 * length(twice_sine), cosine = 0.5 * (trace(r) - 1);
    const double angle = std::atan2(sine, cosine);
    if (cosine > -0.9) return sine > 1e-12 ? twice_sine * (0.5 * angle / sine) : twice_sine * 0.5;
    // NOTE: near half a turn the skew part vanishes; (R + R^T)/2 = c I + (1 - c) a a^T still gives
    // the axis a.
    const double c1 = 1 - cosine;
    Vec3d best;
    for (int j = 0; j < 3; ++j) {
        Vec3d column;
        for (int i = 0; i < 3; ++i) column[i] = (0.5 * (r(i, j) + r(j, i)) - (i == j ? cosine : 0.0)) / c1;
        if (squared_length(column) > squared_length(best)) best = column;
    }
    const Vec3d axis = normalized_or(best, {1, 0, 0});
    return axis * (dot(axis, twice_sine) < 0 ? -angle : angle);
}

/// A pose that goes from `start` to `end` while a fraction s goes from 0 to 1: constant rotation about a
/// fixed axis, while the point that starts at start.apply(centre) moves along a straight line. Rotations of
/// half a turn or more are taken the short way.
class PoseInterval {
 public:
    PoseInterval() = default;
    PoseInterval(const Pose& start, const Pose& end, const Vec3d& centre)
        : start_(start), end_(end), centre_(centre) {
        turn_ = start.rotation == end.rotation ? Vec3d{}
                                               : rotation_vector(end.rotation * transpose(start.rotation));
        centre_start_ = start.apply(centre);
        centre_shift_ = end.apply(centre) - centre_start_;
    }

    const Pose& start() const { return start_; }
    const Pose& end() const { return end_; }
    /// World axis times angle of the whole interval [rad].
    const Vec3d& turn() const { return turn_; }
    Vec3d centre_at(double s) const { return centre_start_ + centre_shift_ * s; }
    const Vec3d& centre_shift() const { return centre_shift_; }
    bool is_still() const { return start_ == end_; }

    Pose at(double s) const {
        if (s == 1) return end_;
        if (s == 0 || is_still()) return start_;
        const double angle = length(turn_);
        const Mat3d r =
            angle > 0 ? rotation_about(turn_ / angle, s * angle) * start_.rotation : start_.rotation;
        return {r, centre_at(s) - r * centre_};
    }
    /// Largest rate |d(rest position)/ds| of a point that moves on the straight line from `from` at s0 to
    /// `to` at s1, seen from the moving frame and scaled to the whole interval: the rate is the length of a
    /// linear function of s, so its largest value is at an end.
    double relative_rate(const Vec3d& from, const Vec3d& to, double s0, double s1) const {
        if (s1 <= s0) return 0;
        const Vec3d drift = (to - from) / (s1 - s0) - centre_shift_;
        const Vec3d at_start = drift - cross(turn_, from - centre_at(s0));
        const Vec3d at_end = drift - cross(turn_, to - centre_at(s1));
        return std::sqrt(std::max(squared_length(at_start), squared_length(at_end)));
    }

 private:
    Pose start_, end_;
    Vec3d centre_, turn_, centre_start_, centre_shift_;
};

/// Straight-line interpolation of the origin and constant rotation between two poses.
inline Pose interpolate(const Pose& a, const Pose& b, double fraction) {
    return PoseInterval(a, b, {}).at(fraction);
}

}  // namespace rivulet::geometry
