#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <rivulet/contact/edge_pair.h>

namespace rivulet::contact {

/// A place where a bridge between two edges, or an edge and a wall, is looked at.
struct BridgePoint {
    double place_a = 0, place_b = 0;
    double length = 0;  // of edge a that it stands for [m]
    double gap = 0;     // between the surfaces [m]
    Vec3d normal;       // unit, from b to a, across edge a
    double tilt = 1;    // cosine of the angle between it and the shortest way to b
};

/// The direction in which a bridge acts on edge a, given the unit vector from the nearest point of the other:
/// its part across a. What the bridge pulls along a sums up to nothing between its two ends. Left in, with
/// its slope taken at the end of the step, it would keep strands that cross from sliding along each other,
/// although the bridge slides with them. A strand that ends on another is therefore not pulled along itself.
inline bool turn_across(const Vec3d& along, const Vec3d& towards, BridgePoint& p) {
    const Vec3d across = towards - along * (dot(towards, along) / squared_length(along));
    p.tilt = length(across);
    if (!(p.tilt > 1e-6)) return false;
    p.normal = across * (1 / p.tilt);
    return true;
}

/// Part of an edge, as places; empty when from >= to.
struct EdgePart {
    double from = 0, to = 0;
    double size() const { return std::max(0.0, to - from); }
};

/// The part of edge a that lies beside edge b, that is, whose points are nearest to the inside of b, and
/// where the surfaces are nearer than `reach`. Along a line the squared distance from another line is a
/// parabola, so that both ends are roots of linear and quadratic equations: they move continuously with the
/// edges, and edges that follow each other share no point.
inline EdgePart part_beside(const Segment& a, const Segment& b, double touch, double reach) {
    const double bb = squared_length(b.along);
    if (!(bb > 0)) return {};
    EdgePart part{0, 1};
    const auto cut = [&](double at_zero, double slope) {  // keeps where at_zero + slope s >= 0
        if (slope > 0)
            part.from = std::max(part.from, -at_zero / slope);
        else if (slope < 0)
            part.to = std::min(part.to, -at_zero / slope);
        else if (at_zero < 0)
            part.to = part.from;
    };
    const Vec3d r = a.from - b.from;
    const double place = dot(r, b.along) / bb, turn = dot(a.along, b.along) / bb;
    cut(place, turn), cut(1 - place, -turn);
    // Across b: |p + s q|² <= (touch + reach)².
    const Vec3d p = r - b.along * place, q = a.along - b.along * turn;
    const double most = touch + reach, qq = squared_length(q), pq = dot(p, q);
    const double rest = squared_length(p) - most * most;
    const double root = pq * pq - qq * rest;
    if (!(qq > 1e-24 * bb)) return rest <= 0 ? part : EdgePart{};
    if (!(root > 0)) return {};
    part.from = std::max(part.from, (-pq - std::sqrt(root)) / qq);
    part.to = std::min(part.to, (-pq + std::sqrt(root)) / qq);
    return part;
}

/// Gauss's two places in a part of an edge.
inline std::array<double, 2> gauss_places(const EdgePart& part) {
    const double middle = 0.5 * (part.from + part.to), off = 0.5 * part.size() * 0.57735026918962576;
    return {middle - off, middle + off};
}

/// Where a bridge between two edges is looked at; how many (0 or 2). Axes that meet have none, nor has an
/// edge that points at the other.
inline int bridge_points(const Segment& a, const Segment& b, double touch, double reach,
                         BridgePoint (&out)[2]) {
    const EdgePart part = part_beside(a, b, touch, reach);
    if (!(part.size() > 1e-12)) return 0;
    const double weight = 0.5 * part.size() * length(a.along);
    int count = 0;
    for (const double place : gauss_places(part)) {
        const double other = nearest_place(b, a.at(place));
        const Vec3d between = a.at(place) - b.at(other);
        const double distance = length(between);
        if (!(distance > 1e-6 * touch)) return 0;
        out[count] = {place, other, weight, distance - touch, {}};
        if (!turn_across(a.along, between * (1 / distance), out[count++])) return 0;
    }
    return count;
}

}  // namespace rivulet::contact
