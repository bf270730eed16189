#pragma once

#include <cmath>

#include <rivulet/base/elementary.h>
#include <rivulet/base/pack.h>
#include <rivulet/film/liquid.h>

namespace rivulet::film {

/// Reduced strain c = b_xx - b_yy of film that remembers its shape (Fei 2019 eq. 1): positive where it is
/// stretched along the strand. Its tension is mu A c [N] (eq. 2).
///
/// Flow rule, eq. 3 with its plastic term mended (sqrt(c^2 + 4) alone): with c = 2 sinh(theta)
///     d theta/dt = 2 du/dx - sqrt(2) gamma(s) sgn c,   s = mu |c| / sqrt(2),
///     gamma(s) = ((s - sqrt(2) tau_y) / (2^((n+1)/2) K))^(1/n) above yield.
/// In rheometer values sqrt(2) gamma(s) = ((mu |c| / 2 - tau_y) / K)^(1/n): the rate of simple shear under
/// the stress mu |c| / 2. Steady stretching at du/dx so has mu c = 2 (tau_y + K (2 du/dx)^n), for a Newtonian
/// liquid 4 viscosity du/dx.

/// Strain after a step, with its derivative by the rate of stretching du/dx [s], and its chord [s]: strain
/// over how far the rate is from the one that would leave no strain. Plastic flow makes the slope less than
/// the chord, which it then never crosses; great elastic strain makes it more.
template <class Real>
struct StrainStepOf {
    Real strain, slope, chord;
};
using StrainStep = StrainStepOf<double>;

/// Elastic part over a step, exact in theta: c' = 2 sinh(theta + turn), turn = 2 step du/dx.
inline double stretched_strain(double strain, double turn) {
    return strain * std::cosh(turn) + std::sqrt(strain * strain + 4) * std::sinh(turn);
}

/// Energy per volume [J/m^3] that tension mu A c has stored: mu (cosh theta - 1), since work mu c du/dx is
/// mu sinh(theta) d theta/dt while nothing flows.
inline double strain_energy(double modulus, double strain) {
    // NOTE: cosh theta - 1 itself would cancel for small strains.
    return 0.25 * modulus * strain * strain / (1 + std::sqrt(1 + 0.25 * strain * strain));
}

/// What of a liquid the flow rule needs, four at a time.
struct StrainLaw {
    Pack modulus, yield_stress, consistency, flow_index;  // mu [Pa], rheometer values
};

namespace detail {

/// arsinh(b/2) - arsinh(a/2) for b = a + more >= a >= 0, without cancellation: the logarithm of
/// 1 + z = (b + root_b)/(a + root_a), where root_a = sqrt(a^2 + 4) and `start` = 1/(a + root_a).
inline Pack arsinh_rise(const Pack& a, const Pack& root_a, const Pack& start, const Pack& more,
                        const Pack& root_b) {
    const Pack z = more * start * (1.0 + (a + a + more) / (root_a + root_b));
    // log(1 + z) z / ((1 + z) - 1) has the digits that 1 + z loses.
    const Pack sum = 1.0 + z, kept = sum - 1.0;
    return select(kept > Pack(0.0), fast_log(sum) * z / kept, z);
}
inline Pack root_four(const Pack& c) {
    return sqrt(multiply_add(c, c, 4.0));
}

}  // namespace detail

/// The strain after a step: stretched at the rate du/dx [1/s], then returned by backward Euler,
///     theta' = theta* - step ((mu |c'| / 2 - tau_y) / K)^(1/n),
/// which is on the flow curve in steady stretching at any step. One equation for the strain above yield,
/// solved for its logarithm, in which the two terms are nearly straight: Newton's method from where the
/// larger term alone makes the right side, between bounds. A liquid without memory has strain 0.
inline StrainStepOf<Pack> advance_strain(const StrainLaw& law, const Pack& strain, const Pack& stretch_rate,
                                         double step) {
    // NOTE: a turn of 150 is a stretch of e^75; beyond it squares would overflow.
    const Pack turn = max(min((2 * step) * stretch_rate, 150.0), -150.0);
    const Pack grow = fast_exp(turn), shrink = 1.0 / grow;
    const Mask small = abs(turn) < Pack(1e-2);
    const Pack sinh_turn =
        select(small, turn * (1.0 + turn * turn * (1.0 / 6) * (1.0 + turn * turn * (1.0 / 20))),
               0.5 * (grow - shrink));
    const Pack trial = 0.5 * strain * (grow + shrink) + detail::root_four(strain) * sinh_turn;

    const Mask remembers = law.modulus > Pack(0.0), plastic = !(law.consistency > Pack(0.0));
    const Pack modulus = select(remembers, law.modulus, 1.0);
    const Pack yield = 2.0 * law.yield_stress / modulus, size = abs(trial), excess = size - yield;
    const Mask flows = remembers & (excess > Pack(0.0));
    Pack kept = size, ratio = 1.0;  // |c'| and d theta'/d theta*
    Mask open = flows & !plastic;
    if (any(open)) {
        const Pack more = select(open, excess, 1.0), power = 1.0 / law.flow_index;
        const Pack root = detail::root_four(yield), start = 1.0 / (yield + root);
        const Pack rise = detail::arsinh_rise(yield, root, start, more, detail::root_four(yield + more));
        const Pack log_rise = fast_log(rise);
        const Pack log_scale = fast_log(select(plastic, 1.0, 2.0 * law.consistency / modulus));
        const double log_step = std::log(step);
        // step ((mu x / 2) / K)^(1/n) = exp(power (y - log_scale) + log step), x = e^y above yield.
        const Pack shift = log_step - power * log_scale;
        const Pack alone = fast_log(more),
                   flowing = multiply_add(law.flow_index, log_rise - log_step, log_scale);
        Pack high = min(alone, flowing), low = -700.0;
        // At the larger term's own root the other is t <= 1. One step from there as if both were straight,
        // with log(1 + t) = t (6 + t)/(6 + 4t) but for 1 %.
        const Mask creeps = alone < flowing;
        const Pack t = fast_exp(select(creeps, power * (alone - flowing), flowing - alone));
        const Pack incline = select(creeps, multiply_add(power, t, 1.0), power + t);
        Pack y = high - t * (6.0 + t) * (1.0 + t) / ((6.0 + 4.0 * t) * incline);
        for (int iteration = 0; iteration < 60 && any(open); ++iteration) {
            const Pack x = fast_exp(y), flowed = fast_exp(multiply_add(power, y, shift)), c = yield + x;
            const Pack root_c = detail::root_four(c),
                       theta = detail::arsinh_rise(yield, root, start, x, root_c);
            const Pack elastic = x / root_c, viscous = power * flowed, both = elastic + viscous;
            const Pack sum = theta + flowed, residual = fast_log(sum) - log_rise;
            // Halley's step, with the second derivative of the logarithm of the sum.
            const Pack newton = residual * sum / both;
            const Pack softening = 1.0 - elastic * c / root_c;
            const Pack bend = multiply_add(power, viscous, elastic * softening) / both - both / sum;
            const Pack fall = newton / (1.0 - 0.5 * newton * bend);
            low = select(residual < Pack(0.0), y, low);
            high = select(residual > Pack(0.0), y, high);
            // One more step is exact to 1e-8: its exponential is a series.
            const Mask close = abs(residual) < Pack(1e-3);
            kept = select(open,
                          multiply_add(x, 1.0 - fall + 0.5 * fall * fall * (1.0 - (1.0 / 3) * fall), yield),
                          kept);
            const Pack here = elastic / both;
            ratio = select(open, here * (1.0 + fall * (1.0 - here) * (power - softening)), ratio);
            Pack next = y - fall;
            next = select(next > high, 0.5 * (y + high), next);
            y = select(next < low, 0.5 * (y + low), next);
            open = open & !close;
        }
    }
    kept = select(flows & plastic, yield, kept);
    ratio = select(flows & plastic, 0.0, ratio);
    kept = select(remembers, kept, 0.0);
    ratio = select(remembers, ratio, 0.0);
    const Pack slope = (2 * step) * ratio * detail::root_four(kept);
    const Pack theta = detail::arsinh_rise(0.0, 2.0, 0.5, size, detail::root_four(size));
    const Pack chord = select(theta > Pack(0.0), (2 * step) * kept / theta, slope);
    return {select(trial < Pack(0.0), -kept, kept), slope, chord};
}

inline StrainStep advance_strain(const FilmLiquid& liquid, double strain, double stretch_rate, double step) {
    const StrainLaw law{liquid.shear_modulus, liquid.yield_stress, liquid.consistency, liquid.flow_index};
    const auto [c, slope, chord] = advance_strain(law, Pack(strain), Pack(stretch_rate), step);
    return {c[0], slope[0], chord[0]};
}

}  // namespace rivulet::film
