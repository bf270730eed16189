#pragma once

#include <array>
#include <cassert>
#include <cmath>

#include <rivulet/base/vec3.h>

/// Continuous detection between two convex hulls of a few moving points each: points, edges, triangles.
namespace rivulet::contact {

/// Points that move evenly on straight lines over the step; s in [0, 1] is the fraction of it.
template <int N>
struct Moving {
    std::array<Vec3d, N> at;     // at s = 0 [m]
    std::array<Vec3d, N> shift;  // over the whole step [m]

    std::array<Vec3d, N> positions(double s) const {
        std::array<Vec3d, N> p = at;
        for (int i = 0; i < N; ++i) p[i] += shift[i] * s;
        return p;
    }
};
using MovingPoint = Moving<1>;
using MovingEdge = Moving<2>;
using MovingTriangle = Moving<3>;

/// What is looked for.
struct Reach {
    double touch = 0;      // distance at which the two touch, > 0: the sum of radii [m]
    double margin = 0;     // pairs that come nearer than touch + margin are wanted too [m]
    double tolerance = 0;  // > 0; a time of impact is found when the distance is touch to touch + this [m]
};

/// Nearest points as weights of the corners, at one moment.
template <int NA, int NB>
struct Nearest {
    std::array<double, NA> weight_a{};
    std::array<double, NB> weight_b{};
    Vec3d between;  // of the nearest points, from b to a [m]
};

/// How near two things come during the step.
template <int NA, int NB>
struct Approach {
    bool near = false;    // they come within touch + margin
    bool hit = false;     // they touch, or no proof was found within the bounded work that they do not
    double time = 0;      // s of impact; without impact of the nearest moment seen
    double distance = 0;  // then [m]
    Nearest<NA, NB> places;
};

/// NOTE: the tangent step below is Newton's method on a convex function for points, with halving errors at a
/// grazing pass: about 40 steps to any tolerance. Only hulls that turn by right angles take more than 10.
inline constexpr int kMostApproachSteps = 96;

namespace approach_detail {

/// Largest displacement of one corner as seen from another, over the whole step [m].
template <int NA, int NB>
double fastest_corners(const Moving<NA>& a, const Moving<NB>& b) {
    double most = 0;
    for (int i = 0; i < NA; ++i)
        for (int j = 0; j < NB; ++j) most = std::max(most, squared_length(a.shift[i] - b.shift[j]));
    return std::sqrt(most);
}

/// Fraction of the step for which a distance stays above `level`: it changes no faster than the fastest
/// corners, and n·(a_i - b_j) of any two corners, linear in time, bounds it from below.
template <int NA, int NB>
double safe_step(const Moving<NA>& a, const Moving<NB>& b, double s, const Vec3d& n, double distance,
                 double level) {
    std::array<double, NA> height_a, rate_a;
    std::array<double, NB> height_b, rate_b;
    for (int i = 0; i < NA; ++i) {
        rate_a[i] = dot(n, a.shift[i]);
        height_a[i] = dot(n, a.at[i]) + rate_a[i] * s - level;
    }
    for (int j = 0; j < NB; ++j) {
        rate_b[j] = dot(n, b.shift[j]);
        height_b[j] = dot(n, b.at[j]) + rate_b[j] * s;
    }
    double step = 2;
    for (int i = 0; i < NA; ++i)
        for (int j = 0; j < NB; ++j) {
            const double rate = rate_b[j] - rate_a[i], height = height_a[i] - height_b[j];
            if (rate > 0 && height < step * rate) step = height / rate;
        }
    if (s + step >= 1) return step;
    const double fastest = fastest_corners(a, b), free = distance - level;
    return free >= 2 * fastest ? 2 : std::max(step, free / fastest);
}

}  // namespace approach_detail

/// Conservative advancement: time goes on only as far as the two provably stay above a level, first
/// touch + margin, then touch. `nearest(points_a, points_b)` gives a Nearest<NA, NB>. Pairs that begin nearer
/// than touch are hit at time 0. Hits are never missed: when the work runs out, the pair is hit there and
/// then, before it could have crossed.
template <int NA, int NB, class FindNearest>
Approach<NA, NB> approach(const Moving<NA>& a, const Moving<NB>& b, const Reach& reach,
                          FindNearest&& nearest) {
    assert(reach.touch > 0 && reach.margin >= 0 && reach.tolerance > 0);
    Approach<NA, NB> out;
    double s = 0;
    for (int step = 0;; ++step) {
        const Nearest<NA, NB> now = nearest(a.positions(s), b.positions(s));
        const double distance = length(now.between);
        const bool spent = step == kMostApproachSteps;
        if (!out.near && (spent || distance <= reach.touch + reach.margin + reach.tolerance))
            out.near = true, out.distance = 2 * distance + 1;
        out.hit = out.near && (spent || distance <= reach.touch + reach.tolerance);
        if (out.hit || (out.near && distance < out.distance))
            out.time = s, out.distance = distance, out.places = now;
        if (out.hit || s >= 1) return out;
        const double level = reach.touch + (out.near ? 0 : reach.margin);
        const double safe =
            approach_detail::safe_step(a, b, s, now.between * (1 / distance), distance, level);
        if (!out.near && s + safe >= 1) return out;
        s = std::min(1.0, s + safe);
    }
}

}  // namespace rivulet::contact
