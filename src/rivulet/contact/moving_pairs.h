#pragma once

#include <rivulet/contact/approach.h>
#include <rivulet/contact/edge_pair.h>
#include <rivulet/geometry/triangle_distance.h>

/// The pairs of things that can meet, each with its nearest points: edge and edge, vertex and triangle, and
/// an edge with a whole triangle. An edge of a triangle is an edge like any other.
namespace rivulet::contact {

inline Segment segment_of(const std::array<Vec3d, 2>& p) {
    return {p[0], p[1] - p[0]};
}

inline Nearest<2, 2> nearest_of_edges(const std::array<Vec3d, 2>& a, const std::array<Vec3d, 2>& b) {
    const NearestPlaces p = nearest_places(segment_of(a), segment_of(b));
    return {{1 - p.place_a, p.place_a}, {1 - p.place_b, p.place_b}, p.between};
}

inline Nearest<1, 3> nearest_of_vertex_and_triangle(const std::array<Vec3d, 1>& a,
                                                    const std::array<Vec3d, 3>& b) {
    const geometry::NearestOnTriangle p = geometry::nearest_on_triangle(a[0], b[0], b[1], b[2]);
    return {{1}, {p.weights.x, p.weights.y, p.weights.z}, a[0] - p.point};
}

/// Where an edge pierces a triangle; false when it does not, or lies in its plane.
inline bool piercing_place(const std::array<Vec3d, 2>& a, const std::array<Vec3d, 3>& b, Nearest<2, 3>& out) {
    const Vec3d along = a[1] - a[0], face = cross(b[1] - b[0], b[2] - b[0]);
    const double rise = dot(along, face);
    if (rise == 0) return false;
    const double place = dot(b[0] - a[0], face) / rise;
    if (!(place >= 0 && place <= 1)) return false;
    std::array<double, 3> w;
    for (int k = 0; k < 3; ++k) {
        const Vec3d& p = b[(k + 1) % 3];
        const Vec3d& q = b[(k + 2) % 3];
        w[k] = dot(along, cross(p - a[0], q - a[0])) / rise;
        if (!(w[k] >= 0)) return false;
    }
    out = {{1 - place, place}, w, {}};
    return true;
}

/// The least of what the edge's ends have with the face and the edge with the three edges; none between where
/// the edge pierces the face.
inline Nearest<2, 3> nearest_of_edge_and_triangle(const std::array<Vec3d, 2>& a,
                                                  const std::array<Vec3d, 3>& b) {
    Nearest<2, 3> best;
    if (piercing_place(a, b, best)) return best;
    double least = 0;
    const auto take = [&](const Nearest<2, 3>& other, bool first) {
        const double d2 = squared_length(other.between);
        if (first || d2 < least) least = d2, best = other;
    };
    for (int end = 0; end < 2; ++end) {
        const Nearest<1, 3> p = nearest_of_vertex_and_triangle({a[end]}, b);
        take({{end == 0 ? 1.0 : 0.0, end == 0 ? 0.0 : 1.0}, p.weight_b, p.between}, end == 0);
    }
    for (int k = 0; k < 3; ++k) {
        const int next = k == 2 ? 0 : k + 1;
        const Nearest<2, 2> p = nearest_of_edges(a, {b[k], b[next]});
        Nearest<2, 3> other{p.weight_a, {}, p.between};
        other.weight_b[k] = p.weight_b[0], other.weight_b[next] = p.weight_b[1];
        take(other, false);
    }
    return best;
}

inline Approach<2, 2> approach_of_edges(const MovingEdge& a, const MovingEdge& b, const Reach& reach) {
    // NOTE: a lambda, not the address of a function, so that it is inlined.
    return approach(a, b, reach, [](const std::array<Vec3d, 2>& p, const std::array<Vec3d, 2>& q) {
        return nearest_of_edges(p, q);
    });
}
inline Approach<1, 3> approach_of_vertex_and_triangle(const MovingPoint& a, const MovingTriangle& b,
                                                      const Reach& reach) {
    return approach(a, b, reach, nearest_of_vertex_and_triangle);
}
inline Approach<2, 3> approach_of_edge_and_triangle(const MovingEdge& a, const MovingTriangle& b,
                                                    const Reach& reach) {
    return approach(a, b, reach, nearest_of_edge_and_triangle);
}

}  // namespace rivulet::contact
