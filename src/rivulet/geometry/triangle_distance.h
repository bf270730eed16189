#pragma once

#include <cstdint>

#include <rivulet/base/vec3.h>

namespace rivulet::geometry {

/// The part of a triangle that is nearest: its face, edge k (from corner k to corner k+1) or corner k.
enum class TriangleFeature : std::uint8_t { face, edge0, edge1, edge2, corner0, corner1, corner2 };

struct NearestOnTriangle {
    Vec3d point;
    Vec3d weights;  // barycentric
    TriangleFeature feature = TriangleFeature::face;
};

/// Nearest point of triangle abc to p, by the Voronoi regions of its features (Ericson 2005, section 5.1.5).
inline NearestOnTriangle nearest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    using enum TriangleFeature;
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {a, {1, 0, 0}, corner0};
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {b, {0, 1, 0}, corner1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const double v = d1 / (d1 - d3);
        return {a + ab * v, {1 - v, v, 0}, edge0};
    }
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {c, {0, 0, 1}, corner2};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const double w = d2 / (d2 - d6);
        return {a + ac * w, {1 - w, 0, w}, edge2};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {b + (c - b) * w, {0, 1 - w, w}, edge1};
    }
    const double scale = 1 / (va + vb + vc), v = vb * scale, w = vc * scale;
    return {a + ab * v + ac * w, {1 - v - w, v, w}, face};
}

}  // namespace rivulet::geometry
