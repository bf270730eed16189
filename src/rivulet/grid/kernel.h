#pragma once

#include <cmath>

namespace rivulet::grid {

/// Weights of the quadratic B-spline at the three nodes nearest to a point, for its offset
/// d = (point - nearest node) / cell in [-1/2, 1/2]; nodes at -1, 0, 1. They sum to 1, their first moment
/// about the point is 0 and the second cell²/4, at every d (Jiang et al. 2015).
struct QuadraticWeights {
    double low, middle, high;
    explicit constexpr QuadraticWeights(double d)
        : low(0.5 * (0.5 - d) * (0.5 - d)), middle(0.75 - d * d), high(0.5 * (0.5 + d) * (0.5 + d)) {}
    constexpr double operator[](int i) const { return i == 0 ? low : i == 1 ? middle : high; }
};

/// Their derivatives with respect to the point's coordinate, times the cell.
struct QuadraticSlopes {
    double low, middle, high;
    explicit constexpr QuadraticSlopes(double d) : low(d - 0.5), middle(-2 * d), high(d + 0.5) {}
    constexpr double operator[](int i) const { return i == 0 ? low : i == 1 ? middle : high; }
};

/// 1 / second moment: affine = kAffineScale / cell² * sum of weight * value * (node - point).
inline constexpr double kAffineScale = 4;

/// Part of the quadratic B-spline (in cells, centred at 0) below t: its integral from -infinity.
inline double quadratic_integral(double t) {
    if (t <= -1.5) return 0;
    if (t >= 1.5) return 1;
    if (t < -0.5) return (t + 1.5) * (t + 1.5) * (t + 1.5) / 6;
    if (t > 0.5) return 1 - (1.5 - t) * (1.5 - t) * (1.5 - t) / 6;
    return 0.5 + t * (0.75 - t * t / 3);
}

/// The t where quadratic_integral(t) = part; clamped to [-1.5, 1.5].
inline double quadratic_integral_inverse(double part) {
    if (!(part > 0)) return -1.5;
    if (part >= 1) return 1.5;
    if (part < 1.0 / 6) return std::cbrt(6 * part) - 1.5;
    if (part > 5.0 / 6) return 1.5 - std::cbrt(6 * (1 - part));
    double t = (part - 0.5) / 0.75;
    // Newton on a slope between 1/2 and 3/4: three steps reach round-off from this start.
    for (int step = 0; step < 4; ++step) t -= (0.5 + t * (0.75 - t * t / 3) - part) / (0.75 - t * t);
    return t;
}

}  // namespace rivulet::grid
