#pragma once

#include <rivulet/base/elementary.h>
#include <rivulet/liquid/elastic_strain.h>

namespace rivulet::liquid {

/// `shear_step` of elastic_strain.h for four particles side by side, backward-Euler return: the same formulas
/// within round-off, without calls. A lane's bits do not depend on the others.

using PackStrain = elastic::Sym3<Pack>;

/// ParticleLaw (shear_operator.h) of four particles.
struct PackLaw {
    Pack shear_modulus, yield, power, consistency;
};

/// ShearStep of four particles.
struct PackShearStep {
    PackStrain strain, direction;
    Pack trial_modulus, ratio = 1, slope = 1;
};

/// Lanes that take part in an iteration until they are done: what others do never changes them.
struct ActiveLanes {
    Mask active = Pack(0.0) == Pack(0.0);

    void move(Pack& value, const Pack& to) const { value = select(active, to, value); }
    /// Whether any lane goes on.
    bool keep(const Mask& going) {
        active = active & going;
        return any(active);
    }
};

/// `backward_euler_return` for positive excess and flow: s - yield over excess, and ds/ds*.
struct PackReturn {
    Pack kept, by_trial;
};
inline PackReturn pack_return(const PackLaw& law, const Pack& excess, const Pack& flow) {
    const Pack one = 1, m = law.power;
    const Pack shift = multiply_add(m - one, fast_log(excess), fast_log(flow) - law.consistency);
    Pack y = min(Pack(0.0), -shift / m), kept = 1, flowed = 0;
    ActiveLanes lanes;
    for (int iteration = 0; iteration < 60; ++iteration) {
        lanes.move(kept, fast_exp(y));
        lanes.move(flowed, fast_exp(multiply_add(m, y, shift)));
        // Chebyshev's step of third order for log(sum) = 0, log(sum) by 2 (sum - 1) / (sum + 1), which next
        // to the root differs in third order too.
        const Pack sum = kept + flowed, over = sum - one, slope = multiply_add(m, flowed, kept);
        const Pack newton = (over + over) * sum / ((sum + one) * slope);
        const Pack bend = Pack(0.5) * newton * kept * flowed * (m - one) * (m - one) / (sum * slope);
        const Pack fall = newton + newton * bend;
        const Mask close = abs(fall) * max(m, one) < Pack(1e-5);
        // Then one more step is exact to round-off, and its exponentials are series.
        const auto series = [&](const Pack& x) {
            return one - x * (one - x * (Pack(0.5) - x * Pack(1.0 / 6)));
        };
        kept = select(lanes.active & close, kept * series(fall), kept);
        flowed = select(lanes.active & close, flowed * series(m * fall), flowed);
        if (!lanes.keep(!close)) break;
        lanes.move(y, y - fall);
    }
    return {min(one, kept), kept / multiply_add(m, flowed, kept)};
}

/// `unimodular_mean`: Newton's method from the first terms of the series in the deviator where that is small.
inline Pack pack_unimodular_mean(const PackStrain& dev) {
    const Pack j2 = Pack(0.5) * contract(dev, dev), det = determinant(dev), one = 1;
    Pack t = select(j2 < one, one + (j2 - det) * Pack(1.0 / 3), one + sqrt(j2 * Pack(4.0 / 3)));
    ActiveLanes lanes;
    for (int iteration = 0; iteration < 60; ++iteration) {
        const Pack square = t * t;
        const Pack change = multiply_add(square - j2, t, det - one) / (Pack(3.0) * square - j2);
        lanes.move(t, t - change);
        // The error after a step is about the square of the step.
        if (!lanes.keep(abs(change) > Pack(1e-9) * t)) break;
    }
    return t;
}

inline PackStrain pack_predictor(const PackStrain& strain, const Mat3<Pack>& velocity_gradient, double step) {
    const Mat3<Pack> f = deformation_increment(velocity_gradient, step), g = f * to_matrix(strain);
    const auto entry = [&](int i, int j) {
        return g(i, 0) * f(j, 0) + g(i, 1) * f(j, 1) + g(i, 2) * f(j, 2);
    };
    const PackStrain out{entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
    return scaled(fast_exp(fast_log(determinant(out)) * Pack(-1.0 / 3)), out);
}

[[gnu::flatten]] inline PackShearStep pack_shear_step(const PackStrain& strain,
                                                      const Mat3<Pack>& velocity_gradient, double step,
                                                      const PackLaw& law) {
    const Pack zero = 0, one = 1;
    PackShearStep out;
    out.strain = pack_predictor(strain, velocity_gradient, step);
    const PackStrain dev = deviator(out.strain);
    const Pack size = norm(dev), mean = trace(out.strain) * Pack(1.0 / 3);
    const Pack trial = law.shear_modulus * size;
    out.trial_modulus = law.shear_modulus * mean;
    out.direction = scaled(select(size > zero, one / size, zero), dev);
    const Mask yields = trial > law.yield;
    if (!any(yields)) return out;
    const Pack flow = Pack(2 * step) * law.shear_modulus * sqrt(trace(strain) * Pack(1.0 / 3) * mean);
    const Pack excess = select(yields, trial - law.yield, one);
    const PackReturn r = pack_return(law, excess, select(yields, flow, one));
    out.ratio = select(yields, multiply_add(excess, r.kept, law.yield) / trial, one);
    out.slope = select(yields, r.by_trial, one);
    const PackStrain shrunk = scaled(out.ratio, dev);
    const Pack t = pack_unimodular_mean(shrunk);
    out.strain = {select(yields, shrunk.xx + t, out.strain.xx), select(yields, shrunk.xy, out.strain.xy),
                  select(yields, shrunk.xz, out.strain.xz),     select(yields, shrunk.yy + t, out.strain.yy),
                  select(yields, shrunk.yz, out.strain.yz),     select(yields, shrunk.zz + t, out.strain.zz)};
    return out;
}

}  // namespace rivulet::liquid
