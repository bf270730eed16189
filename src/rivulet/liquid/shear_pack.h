#pragma once

#include <rivulet/base/elementary.h>
#include <rivulet/liquid/elastic_strain.h>

namespace rivulet::liquid {

/// `shear_step` of elastic_strain.h for particles side by side, backward-Euler return: the same formulas
/// within round-off, without calls. A lane's bits do not depend on the others. P: Pack, or SinglePack for
/// half the digits; strains are held as what they differ from the identity by, so that these are digits of
/// the stress.

/// ParticleLaw (shear_operator.h) of several particles.
template <class P>
struct PackLaw {
    P shear_modulus, yield, power, consistency;
};

/// What the stress after a step is made of: deviator and mean of the predicted strain, norm of the deviator,
/// and how much of it flow leaves.
template <class P>
struct PackFlow {
    elastic::Sym3<P> deviator;
    P mean, size, ratio = 1, slope = 1;  // ratio, slope: ShearStep
};

/// Lanes that take part in an iteration until they are done: what others do never changes them.
template <class P>
struct ActiveLanes {
    typename P::Mask active = P(0.0) == P(0.0);

    void move(P& value, const P& to) const { value = select(active, to, value); }
    /// Whether any lane goes on.
    bool keep(const typename P::Mask& going) {
        active = active & going;
        return any(active);
    }
};

/// `backward_euler_return` for positive excess and flow: s - yield over excess, and ds/ds*.
template <class P>
struct PackReturn {
    P kept, by_trial;
};
template <class P>
PackReturn<P> pack_return(const PackLaw<P>& law, const P& excess, const P& flow) {
    // A step of third order that is this small leaves round-off.
    constexpr double kSmall = sizeof(typename P::Real) == 8 ? 1e-5 : 1e-2;
    const P one = 1, m = law.power;
    const P shift = multiply_add(m - one, fast_log(excess), fast_log(flow) - law.consistency);
    // kept = exp(y) and flowed = exp(m y + shift), which sum to 1 at the root; the larger is 1 at the start.
    const auto stays = shift < P(0.0);
    P y = select(stays, P(0.0), -shift / m);
    const P smaller = fast_exp(select(stays, shift, y));
    P kept = select(stays, one, smaller), flowed = select(stays, smaller, one);
    ActiveLanes<P> lanes;
    for (int iteration = 0; iteration < 60; ++iteration) {
        // Chebyshev's step of third order for log(sum) = 0, log(sum) by 2 (sum - 1) / (sum + 1), which next
        // to the root differs in third order too.
        const P sum = kept + flowed, over = sum - one, slope = multiply_add(m, flowed, kept);
        const P newton = (over + over) * sum / ((sum + one) * slope);
        const P bend = P(0.5) * newton * kept * flowed * (m - one) * (m - one) / (sum * slope);
        const P fall = newton + newton * bend;
        const auto close = abs(fall) * max(m, one) < P(kSmall);
        // Then one more step is exact to round-off, and its exponentials are series.
        const auto series = [&](const P& x) { return one - x * (one - x * (P(0.5) - x * P(1.0 / 6))); };
        kept = select(lanes.active & close, kept * series(fall), kept);
        flowed = select(lanes.active & close, flowed * series(m * fall), flowed);
        if (!lanes.keep(!close)) break;
        lanes.move(y, y - fall);
        lanes.move(kept, fast_exp(y));
        lanes.move(flowed, fast_exp(multiply_add(m, y, shift)));
    }
    return {min(one, kept), kept / multiply_add(m, flowed, kept)};
}

/// `unimodular_mean`: Newton's method from the first terms of the series in the deviator where that is small.
inline Pack pack_unimodular_mean(const elastic::Sym3<Pack>& dev) {
    const Pack j2 = Pack(0.5) * contract(dev, dev), det = determinant(dev), one = 1;
    Pack t = select(j2 < one, one + (j2 - det) * Pack(1.0 / 3), one + sqrt(j2 * Pack(4.0 / 3)));
    ActiveLanes<Pack> lanes;
    for (int iteration = 0; iteration < 60; ++iteration) {
        const Pack square = t * t;
        const Pack change = multiply_add(square - j2, t, det - one) / (Pack(3.0) * square - j2);
        lanes.move(t, t - change);
        // The error after a step is about the square of the step.
        if (!lanes.keep(abs(change) > Pack(1e-9) * t)) break;
    }
    return t;
}

/// f b fᵀ - 1 for b = 1 + strain, f = 1 + a + a²/2 and a = step grad u, before its determinant is brought
/// back to 1.
template <class P>
elastic::Sym3<P> pack_predictor(const elastic::Sym3<P>& strain, const Mat3<P>& velocity_gradient,
                                double step) {
    const Mat3<P> a = velocity_gradient * P(step), rise = a + (a * a) * P(0.5);  // f - 1
    const Mat3<P> g = rise + rise * to_matrix(strain);                           // (f - 1) b
    const auto entry = [&](int i, int j) {
        return (g(i, j) + g(j, i)) + (g(i, 0) * rise(j, 0) + g(i, 1) * rise(j, 1) + g(i, 2) * rise(j, 2));
    };
    return {strain.xx + entry(0, 0), strain.xy + entry(0, 1), strain.xz + entry(0, 2),
            strain.yy + entry(1, 1), strain.yz + entry(1, 2), strain.zz + entry(2, 2)};
}

/// (1 + d)^(-1/3); NaN where 1 + d is not positive.
template <class P>
P inverse_cube_root(const P& d) {
    constexpr int kSteps = sizeof(typename P::Real) == 8 ? 3 : 2;  // of Newton's method, to round-off
    const P one = 1, third = 1.0 / 3;
    P s = multiply_add(d, multiply_add(d, P(2.0 / 9), -third), one);
    for (int step = 0; step < kSteps; ++step) {
        const P cube = s * s * s;
        s = multiply_add(s * third, one - multiply_add(d, cube, cube), s);
    }
    const auto near = abs(d) < P(0.2);
    if (all(near)) return s;
    return select(near, s, fast_exp(fast_log(one + d) * -third));
}

/// `strain`: less the identity.
template <class P>
[[gnu::flatten]] inline PackFlow<P> pack_flow(const elastic::Sym3<P>& strain,
                                              const Mat3<P>& velocity_gradient, double step,
                                              const PackLaw<P>& law) {
    const P one = 1, third = 1.0 / 3;
    const elastic::Sym3<P> e = pack_predictor(strain, velocity_gradient, step);
    // det(1 + e) - 1 = trace + sum of the principal minors + determinant.
    const P minors = (e.xx * e.yy - e.xy * e.xy) + (e.yy * e.zz - e.yz * e.yz) + (e.xx * e.zz - e.xz * e.xz);
    const P scale = inverse_cube_root(trace(e) + minors + determinant(e));
    PackFlow<P> out;
    out.deviator = scaled(scale, deviator(e));
    out.mean = scale * multiply_add(trace(e), third, one);
    out.size = norm(out.deviator);
    const P trial = law.shear_modulus * out.size;
    const auto yields = trial > law.yield;
    if (!any(yields)) return out;
    const P mean_before = multiply_add(trace(strain), third, one);
    const P flow = P(2 * step) * law.shear_modulus * sqrt(mean_before * out.mean);
    const P excess = select(yields, trial - law.yield, one);
    const PackReturn<P> r = pack_return(law, excess, select(yields, flow, one));
    out.ratio = select(yields, multiply_add(excess, r.kept, law.yield) / trial, one);
    out.slope = select(yields, r.by_trial, one);
    return out;
}

/// The strain itself at the end of the step.
inline elastic::Sym3<Pack> flowed_strain(const PackFlow<Pack>& flow) {
    const elastic::Sym3<Pack> shrunk = scaled(flow.ratio, flow.deviator);
    return plus_identity(shrunk, select(flow.ratio < Pack(1.0), pack_unimodular_mean(shrunk), flow.mean));
}

}  // namespace rivulet::liquid
