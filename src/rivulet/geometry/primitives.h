#pragma once

#include <algorithm>
#include <cmath>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/bounds.h>
#include <rivulet/geometry/distance_field.h>

namespace rivulet::geometry {

/// Exact signed distances, negative inside; normals are gradients, with a fixed choice where the nearest
/// surface point is not unique. All are closed under Minkowski growth, so the interiors are exact too.

/// A box with edges rounded by `radius`; radius 0 is a plain box. `half` includes the rounding.
struct RoundedBox {
    Vec3d centre, half;
    double radius = 0;

    double distance(const Vec3d& p) const {
        const double qx = std::abs(p.x - centre.x) - (half.x - radius);
        const double qy = std::abs(p.y - centre.y) - (half.y - radius);
        const double qz = std::abs(p.z - centre.z) - (half.z - radius);
        const double ox = std::max(qx, 0.0), oy = std::max(qy, 0.0), oz = std::max(qz, 0.0);
        const double inside = std::min(std::max(qx, std::max(qy, qz)), 0.0);
        return std::sqrt(ox * ox + oy * oy + oz * oz) + inside - radius;
    }
    DistanceSample sample(const Vec3d& p) const {
        const Vec3d d = p - centre;
        const auto sign = [](double v) { return v < 0 ? -1.0 : 1.0; };
        const Vec3d q{std::abs(d.x) - (half.x - radius), std::abs(d.y) - (half.y - radius),
                      std::abs(d.z) - (half.z - radius)};
        const Vec3d out = component_max(q, {});
        const double l = length(out);
        if (l > 0) return {l - radius, Vec3d{sign(d.x) * out.x, sign(d.y) * out.y, sign(d.z) * out.z} / l};
        const int axis = q.x >= q.y && q.x >= q.z ? 0 : q.y >= q.z ? 1 : 2;
        Vec3d n;
        n[axis] = sign(d[axis]);
        return {q[axis] - radius, n};
    }
    Bounds bounds() const { return {centre - half, centre + half}; }
    double thinnest() const { return 2 * std::min({half.x, half.y, half.z}); }
};

struct Sphere {
    Vec3d centre;
    double radius = 0;

    double distance(const Vec3d& p) const { return length(p - centre) - radius; }
    DistanceSample sample(const Vec3d& p) const {
        const Vec3d d = p - centre;
        return {length(d) - radius, normalized_or(d, {0, 1, 0})};
    }
    Bounds bounds() const { return Bounds{centre, centre}.grown(radius); }
    double thinnest() const { return 2 * radius; }
};

/// All points within `radius` of the segment from a to b.
struct Capsule {
    Vec3d a, b;
    double radius = 0;

    double distance(const Vec3d& p) const { return length(p - nearest_on_axis(p)) - radius; }
    DistanceSample sample(const Vec3d& p) const {
        const Vec3d d = p - nearest_on_axis(p);
        const Vec3d aside = any_perpendicular(normalized_or(b - a, {0, 1, 0}));
        return {length(d) - radius, normalized_or(d, aside)};
    }
    Bounds bounds() const { return Bounds{component_min(a, b), component_max(a, b)}.grown(radius); }
    double thinnest() const { return 2 * radius; }

 private:
    Vec3d nearest_on_axis(const Vec3d& p) const {
        const Vec3d ab = b - a;
        return a + ab * std::clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0);
    }
};

/// A solid cylinder with flat ends; `axis` is the unit vector from end to end.
struct Cylinder {
    Vec3d centre, axis{0, 1, 0};
    double half_length = 0, radius = 0;

    double distance(const Vec3d& p) const {
        const Vec3d d = p - centre;
        const double along = dot(d, axis);
        const double qr = length(d - axis * along) - radius, qa = std::abs(along) - half_length;
        const double outer_r = std::max(qr, 0.0), outer_a = std::max(qa, 0.0);
        return std::min(std::max(qr, qa), 0.0) + std::sqrt(outer_r * outer_r + outer_a * outer_a);
    }
    DistanceSample sample(const Vec3d& p) const {
        const Vec3d d = p - centre;
        const double along = dot(d, axis);
        const Vec3d radial = d - axis * along;
        const Vec3d side = normalized_or(radial, any_perpendicular(axis)),
                    cap = axis * (along < 0 ? -1.0 : 1.0);
        const double qr = length(radial) - radius, qa = std::abs(along) - half_length;
        if (qr <= 0 && qa <= 0) return qr >= qa ? DistanceSample{qr, side} : DistanceSample{qa, cap};
        const double outer_r = std::max(qr, 0.0), outer_a = std::max(qa, 0.0);
        const double l = std::sqrt(outer_r * outer_r + outer_a * outer_a);
        return {l, (side * outer_r + cap * outer_a) / l};
    }
    Bounds bounds() const {
        Vec3d reach;
        for (int i = 0; i < 3; ++i)
            reach[i] =
                half_length * std::abs(axis[i]) + radius * std::sqrt(std::max(0.0, 1 - axis[i] * axis[i]));
        return {centre - reach, centre + reach};
    }
    double thinnest() const { return 2 * std::min(radius, half_length); }
};

/// The half-space below the plane through `point`; `normal` is a unit vector that points out of the solid.
struct HalfSpace {
    Vec3d point, normal{0, 1, 0};

    double distance(const Vec3d& p) const { return dot(p - point, normal); }
    DistanceSample sample(const Vec3d& p) const { return {distance(p), normal}; }
    Bounds bounds() const { return Bounds::everything(); }
    double thinnest() const { return Bounds::kInfinity; }
};

}  // namespace rivulet::geometry
