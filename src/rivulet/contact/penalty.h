#pragma once

#include <cassert>

namespace rivulet::contact {

/// Contact and cohesion as one force over the distance, Fei et al. 2017 §3.1.2 (dissertation 8.13, 8.14): a
/// spring below the sum of radii, the liquid bridge farther out, and a passage between them that rests at
/// d₀. Everything is per length of strand. Distances are those of the axes; at walls that of the axis from
/// the surface. No friction: the papers have none for it.
struct PenaltyPair {
    double touch = 0;      ///< 2r: distance at which surfaces touch [m]
    double rest = 0;       ///< d₀ > touch: the force is 0 there [m]
    double stiffness = 0;  ///< k [N/m²]
    double join_pull = 0;  ///< f_s(B): pull of the bridge where it takes over; 0 when dry [N/m]

    /// B = 2d₀ − 2r: from there on the bridge alone acts.
    double join() const { return 2 * rest - touch; }
};

struct PenaltyForce {
    double energy = 0;  ///< 0 at d₀; its derivative is the force [J/m]
    double force = 0;   ///< positive draws together [N/m]
    double slope = 0;   ///< of the force with the distance [N/m²]
};

/// Eq. 10 below B. With eq. 11, d_min = 2r: f̃ is straight from k (B − d₀) at 2r to f_s(B) at d₀, so that
/// force and slope are continuous at d₀ and the force at 2r. The slope at 2r jumps by k − f_s(B)/(d₀ − 2r).
inline PenaltyForce penalty_near(const PenaltyPair& p, double distance) {
    assert(p.rest > p.touch && distance < p.join() + 1e-9 * p.touch);
    const double width = p.rest - p.touch;  // = B − d₀
    const double off = distance - p.rest;
    const double ramp = p.join_pull / width;  // slope of the straight part beyond d₀
    const double curve = (p.join_pull / width - p.stiffness) / width;  // f̃/(B − d₀) = ramp + curve · off
    if (distance >= p.rest) return {0.5 * ramp * off * off, ramp * off, ramp};
    const auto passage = [&](double x) {
        return PenaltyForce{x * x * (0.5 * ramp + curve * x / 3), x * (ramp + curve * x),
                            ramp + 2 * curve * x};
    };
    if (distance >= p.touch) return passage(off);
    const double at_touch = passage(-width).energy;
    return {at_touch + 0.5 * p.stiffness * (off * off - width * width), p.stiffness * off, p.stiffness};
}

/// What of the force is taken at the end of the step: it is written as a spring with its rest at d₀,
///     f = s (d − d₀),   s = f(d)/(d − d₀),
/// positive wherever the force points to d₀ (dissertation 9.16 does so with d − r_i − r_j, which is 0 at
/// contact and has the wrong sign below d₀: printed for a law that rests at contact). 0 where it points away.
inline double penalty_secant(const PenaltyPair& p, double distance, const PenaltyForce& f) {
    const double off = distance - p.rest;
    const double limit = p.join_pull / (p.rest - p.touch);
    const double secant = off > 1e-9 * p.touch || off < -1e-9 * p.touch ? f.force / off : limit;
    return secant > 0 ? secant : 0;
}

}  // namespace rivulet::contact
