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

/// What of a liquid the flow rule needs, four at a time.
struct StrainLaw {
    Pack modulus, yield_stress, consistency, flow_index;  // mu [Pa], rheometer values
};

namespace detail {

/// arsinh(b/2) - arsinh(a/2) for b = a + more >= a >= 0, without cancellation.
inline Pack arsinh_rise(const Pack& a, const Pack& more) {
    const Pack b = a + more;
    const Pack root_a = sqrt(multiply_add(a, a, 4.0)), root_b = sqrt(multiply_add(b, b, 4.0));
    const Pack w = more * (a + b) / (b * root_a + a * root_b);
    // arsinh w = log1p(x); log(1 + x) x / ((1 + x) - 1) has the digits that 1 + x loses.
    const Pack x = w + w * w / (1.0 + sqrt(multiply_add(w, w, 1.0))), sum = 1.0 + x;
    const Pack kept = sum - 1.0;
    return select(kept > Pack(0.0), fast_log(sum) * x / kept, x);
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
    const Pack trial = 0.5 * strain * (grow + shrink) + sqrt(multiply_add(strain, strain, 4.0)) * sinh_turn;

    const Mask remembers = law.modulus > Pack(0.0), plastic = !(law.consistency > Pack(0.0));
    const Pack modulus = select(remembers, law.modulus, 1.0);
    const Pack yield = 2.0 * law.yield_stress / modulus, size = abs(trial), excess = size - yield;
    const Mask flows = remembers & (excess > Pack(0.0));
    Pack kept = size, ratio = 1.0;  // |c'| and d theta'/d theta*
    Mask open = flows & !plastic;
    if (any(open)) {
        const Pack more = select(open, excess, 1.0), power = 1.0 / law.flow_index;
        const Pack rise = detail::arsinh_rise(yield, more), log_rise = fast_log(rise);
        const Pack log_scale = fast_log(select(plastic, 1.0, 2.0 * law.consistency / modulus));
        const double log_step = std::log(step);
        // step ((mu x / 2) / K)^(1/n) = exp(power (y - log_scale) + log step), x = e^y above yield.
        Pack high = min(fast_log(more), multiply_add(law.flow_index, log_rise - log_step, log_scale));
        Pack low = -700.0, y = high;
        for (int iteration = 0; iteration < 60 && any(open); ++iteration) {
            const Pack x = fast_exp(y), flowed = fast_exp(power * (y - log_scale) + log_step);
            const Pack theta = detail::arsinh_rise(yield, x), c = yield + x;
            const Pack elastic = x / sqrt(multiply_add(c, c, 4.0)), viscous = power * flowed;
            const Pack sum = theta + flowed, residual = fast_log(sum) - log_rise;
            const Pack fall = residual * sum / (elastic + viscous);
            low = select(residual < Pack(0.0), y, low);
            high = select(residual > Pack(0.0), y, high);
            const Mask close = abs(residual) < Pack(1e-7);
            kept = select(open, yield + x * (1.0 - fall), kept);
            ratio = select(open, elastic / (elastic + viscous), ratio);
            open = open & !close;
            Pack next = y - fall;
            next = select(next > high, 0.5 * (y + high), next);
            y = select(next < low, 0.5 * (y + low), next);
        }
    }
    kept = select(flows & plastic, yield, kept);
    ratio = select(flows & plastic, 0.0, ratio);
    kept = select(remembers, kept, 0.0);
    ratio = select(remembers, ratio, 0.0);
    const Pack slope = (2 * step) * ratio * sqrt(multiply_add(kept, kept, 4.0));
    const Pack theta = detail::arsinh_rise(0.0, size);
    const Pack chord = select(theta > Pack(0.0), (2 * step) * kept / theta, slope);
    return {select(trial < Pack(0.0), -kept, kept), slope, chord};
}

inline StrainStep advance_strain(const FilmLiquid& liquid, double strain, double stretch_rate, double step) {
    const StrainLaw law{liquid.shear_modulus, liquid.yield_stress, liquid.consistency, liquid.flow_index};
    const auto [c, slope, chord] = advance_strain(law, Pack(strain), Pack(stretch_rate), step);
    return {c[0], slope[0], chord[0]};
}

}  // namespace rivulet::film
