#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>

#include <rivulet/base/vec3.h>

/// Two edges at one moment: where they are nearest, and at which places they bear on each other.
namespace rivulet::contact {

/// A segment: from + place * along, place in [0, 1]. It may have no length.
struct Segment {
    Vec3d from, along;  // m
    Vec3d at(double place) const { return from + along * place; }
};

/// Places on both and what lies between: a.at(place_a) - b.at(place_b).
struct NearestPlaces {
    double place_a = 0, place_b = 0;
    Vec3d between;  // m, from b to a
};

namespace edge_pair_detail {
inline double unit_clamp(double x) {
    return std::min(std::max(x, 0.0), 1.0);
}
inline double inverse_or_zero(double x) {
    return x > 0 ? 1 / x : 0.0;
}
}  // namespace edge_pair_detail

/// Place of the segment that is nearest to a point; 0 on one without length.
inline double nearest_place(const Segment& a, const Vec3d& p) {
    using namespace edge_pair_detail;
    return unit_clamp(dot(a.along, p - a.from) * inverse_or_zero(squared_length(a.along)));
}

/// Nearest places of two segments. The place on the endless lines is clamped, answered on the other segment
/// and answered back (Ericson 2005, section 5.1.9), which is the least over the square of places.
/// NOTE: the line's place comes from the cross product n = a × b, s = -r·(b × n)/n², not from the difference
/// a²b² - (a·b)²: that one loses all digits below an angle of 1e-8, this one errs by rounding of the distance
/// only. Exactly parallel segments start from the middle, which is as good as any place.
inline NearestPlaces nearest_places(const Segment& a, const Segment& b) {
    using namespace edge_pair_detail;
    const Vec3d r = a.from - b.from, n = cross(a.along, b.along);
    const double aa = squared_length(a.along), bb = squared_length(b.along), nn = squared_length(n);
    const double ab = dot(a.along, b.along);
    const double line = nn > 1e-28 * aa * bb ? -dot(r, cross(b.along, n)) / nn : 0.5;
    NearestPlaces out;
    out.place_b = unit_clamp((dot(b.along, r) + unit_clamp(line) * ab) * inverse_or_zero(bb));
    out.place_a = unit_clamp((out.place_b * ab - dot(a.along, r)) * inverse_or_zero(aa));
    out.between = r + a.along * out.place_a - b.along * out.place_b;
    return out;
}

/// Where two edges bear on each other: one place where they cross, two where they run side by side. Shares
/// sum to 1: what a law spreads over the pair (a penalty, a length of bridge) goes by them.
struct BearingPlaces {
    int count = 1;
    double place_a[2] = {0, 0}, place_b[2] = {0, 0};
    double share[2] = {1, 0};
};

/// What counts as side by side. Edges whose sine of the angle is above `crossing` have one place.
struct Bearing {
    double crossing = 0.3;
    double depth = 0;  // m; a hundredth of the sum of radii: how much farther apart the patch may become
};

namespace edge_pair_detail {

/// An interval of places; empty when from > to.
struct Interval {
    double from = 1, to = 0;
    bool is_empty() const { return from > to; }
    void include(const Interval& o) {
        if (o.is_empty()) return;
        *this = is_empty() ? o : Interval{std::min(from, o.from), std::max(to, o.to)};
    }
};

/// Places x with a x² + 2 b x + c <= 0, a > 0.
inline Interval below_zero(double a, double b, double c) {
    const double root = b * b - a * c;
    if (!(root >= 0) || !(a > 0)) return {};
    const double half = std::sqrt(root);
    return {(-b - half) / a, (-b + half) / a};
}

/// Places of the line of `a` within `radius` of a point.
inline Interval in_ball(const Segment& a, const Vec3d& centre, double radius) {
    const Vec3d r = a.from - centre;
    return below_zero(squared_length(a.along), dot(a.along, r), squared_length(r) - radius * radius);
}

/// Places of the line of `a` within `radius` of the line of `b` and between its ends; `a` may be parallel.
inline Interval in_cylinder(const Segment& a, const Segment& b, double radius) {
    const double bb = squared_length(b.along), scale = inverse_or_zero(bb);
    const Vec3d r = a.from - b.from;
    const double foot = dot(r, b.along) * scale, slope = dot(a.along, b.along) * scale;
    const Vec3d across = r - b.along * foot;
    const Vec3d turn = cross(a.along, b.along);
    const double tt = squared_length(turn) * scale;  // (a's part across b)²
    Interval slab{-1e300, 1e300};
    if (slope != 0) {
        const double p = -foot / slope, q = (1 - foot) / slope;
        slab = {std::min(p, q), std::max(p, q)};
    } else if (foot < 0 || foot > 1) {
        return {};
    }
    Interval round{-1e300, 1e300};
    if (tt > 1e-28 * squared_length(a.along))
        round =
            below_zero(tt, dot(across, a.along - b.along * slope), squared_length(across) - radius * radius);
    else if (squared_length(across) > radius * radius)
        return {};
    return {std::max(slab.from, round.from), std::min(slab.to, round.to)};
}

/// Part of `a` within `radius` of `b`: the capsule about b is convex and made of two balls and a cylinder, so
/// the part is one interval, from the least to the largest place of the three.
inline Interval within(const Segment& a, const Segment& b, double radius) {
    Interval all = in_ball(a, b.from, radius);
    all.include(in_ball(a, b.from + b.along, radius));
    all.include(in_cylinder(a, b, radius));
    return {unit_clamp(all.from), unit_clamp(all.to)};
}

}  // namespace edge_pair_detail

/// The bearing places of two edges with given nearest places. The patch is the part of edge a whose distance
/// from edge b exceeds the least distance by no more than
///     depth(angle) = depth (1 - sin²/crossing²)², 0 beyond `crossing`,
/// and its two ends, answered on b and back on a, are the places. The distance from a convex set is convex
/// along a line: the patch is one interval, moves continuously with the edges, is the whole overlap of
/// parallel edges, and shrinks to the nearest places as they begin to cross, where two places have become
/// one. Places nearer than 1e-9 of the edge are one.
inline BearingPlaces bearing_places(const Segment& a, const Segment& b, const NearestPlaces& nearest,
                                    const Bearing& bearing) {
    using namespace edge_pair_detail;
    assert(bearing.depth >= 0 && bearing.crossing > 0);
    BearingPlaces out;
    out.place_a[0] = nearest.place_a, out.place_b[0] = nearest.place_b;
    const double aa = squared_length(a.along), bb = squared_length(b.along);
    const double nn = squared_length(cross(a.along, b.along));
    const double crossing = bearing.crossing * bearing.crossing * aa * bb;
    if (!(nn < crossing)) return out;
    const double parallel = 1 - nn / crossing;
    const double depth = bearing.depth * parallel * parallel;
    const Interval patch = within(a, b, length(nearest.between) + depth);
    if (patch.is_empty()) return out;
    const double ends[2] = {patch.from, patch.to};
    double place_a[2], place_b[2];
    for (int i = 0; i < 2; ++i) {
        place_b[i] = nearest_place(b, a.at(ends[i]));
        place_a[i] = nearest_place(a, b.at(place_b[i]));
    }
    if (!(std::abs(place_a[1] - place_a[0]) > 1e-9)) return out;
    out.count = 2;
    for (int i = 0; i < 2; ++i) out.place_a[i] = place_a[i], out.place_b[i] = place_b[i], out.share[i] = 0.5;
    return out;
}

}  // namespace rivulet::contact
