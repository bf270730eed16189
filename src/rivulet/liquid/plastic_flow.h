#pragma once

#include <algorithm>
#include <cmath>

#include <rivulet/liquid/rheology.h>

namespace rivulet::liquid {

/// Stress norm after a step of plastic flow, s(s*, modulus), with its two derivatives.
struct PlasticReturn {
    double stress = 0;      // s [Pa], between yield and s*
    double by_trial = 1;    // ds/ds*, between 0 and 1
    double by_modulus = 0;  // ds/dmodulus, not positive
};

/// Both laws below integrate ds/dt = -2 modulus gamma(s) (diss. 14.16) over `step` from s = trial; `modulus`
/// is mu-hat [Pa], see elastic_strain.h. At or below yield nothing flows. The consistency must be positive.

/// Backward Euler, s = s* - 2 modulus step gamma(s): on the flow curve at any step in steady shear.
///
/// With x = s - yield it reads x + a (x / consistency)^(1/n) = x*, solved for y = log x. The logarithm of the
/// left side is convex in y with a slope between 1 and 1/n, and where the larger term alone makes x* it is at
/// most log 2 too high: Newton's method from there falls to the root without overshooting, for every n and
/// step.
inline PlasticReturn backward_euler_return(const NormLaw& law, double trial, double modulus, double step) {
    const double excess = trial - law.yield, flow = 2 * modulus * step;
    if (!(excess > 0) || !(flow > 0)) return {trial, 1, 0};
    const double m = 1 / law.flow_index;
    const double log_excess = std::log(excess);
    // y is measured from log x*; the second term is exp(m y + shift).
    const double shift = m * (log_excess - std::log(law.consistency)) + std::log(flow) - log_excess;
    double y = std::min(0.0, -shift / m), kept = 1, flowed = 0;
    for (int iteration = 0; iteration < 60; ++iteration) {
        kept = std::exp(y);
        flowed = std::exp(m * y + shift);
        const double sum = kept + flowed, residual = std::log(sum);
        const double fall = residual * sum / (kept + m * flowed);
        if (residual < 1e-8) {  // one more step is exact to round-off, and its exponentials are series
            kept *= 1 - fall;
            flowed *= 1 - m * fall;
            break;
        }
        y -= fall;
    }
    PlasticReturn out;
    out.stress = law.yield + excess * std::min(1.0, kept);
    out.by_trial = kept / (kept + m * flowed);
    // ds (1 + 2 modulus step gamma') = -2 step gamma dmodulus, and 2 modulus step gamma = excess * flowed.
    out.by_modulus = -out.by_trial * excess * flowed / modulus;
    return out;
}

/// The exact solution of the ordinary differential equation, Fei 2019 eq. 37, diss. 14.9. After an elastic
/// step it lags behind: the steady stress depends on the step (docs/models/herschel_bulkley.md). For n > 1
/// the stress meets the yield stress in finite time and stays there.
inline PlasticReturn semi_analytic_return(const NormLaw& law, double trial, double modulus, double step) {
    const double excess = trial - law.yield, flow = 2 * modulus * step;
    if (!(excess > 0) || !(flow > 0)) return {trial, 1, 0};
    const double n = law.flow_index, q = (n - 1) / n;
    const double log_excess = std::log(excess);
    const double z = std::exp(std::log(flow) - std::log(law.consistency) / n - q * log_excess);
    if (q * z >= 1) return {law.yield, 0, 0};
    const double log_kept = q == 0 ? -z : std::log1p(-q * z) / q;
    PlasticReturn out;
    out.stress = law.yield + excess * std::exp(log_kept);
    // The equation has no explicit time: a change of s* is carried along as gamma(s) / gamma(s*).
    out.by_trial = std::exp(log_kept / n);
    out.by_modulus = -2 * step * law.rate(out.stress);
    return out;
}

enum class ReturnLaw { backward_euler, semi_analytic };

inline PlasticReturn plastic_return(ReturnLaw which, const NormLaw& law, double trial, double modulus,
                                    double step) {
    return which == ReturnLaw::backward_euler ? backward_euler_return(law, trial, modulus, step)
                                              : semi_analytic_return(law, trial, modulus, step);
}

}  // namespace rivulet::liquid
