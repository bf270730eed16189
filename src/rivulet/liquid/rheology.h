#pragma once

#include <cmath>

#include <rivulet/liquid/material.h>

namespace rivulet::liquid {

/// Herschel-Bulkley in simple shear, as a rheometer shows it: once it flows,
///     stress [Pa] = yield_stress [Pa] + consistency [Pa*s^n] * rate^n,   rate = du/dy [1/s].
/// Newtonian: yield_stress 0, flow_index 1, consistency = viscosity.
struct FlowCurve {
    double yield_stress = 0, consistency = 0, flow_index = 1;

    double stress(double rate) const { return yield_stress + consistency * std::pow(rate, flow_index); }
    /// 0 up to the yield stress.
    double rate(double stress) const {
        return stress > yield_stress ? std::pow((stress - yield_stress) / consistency, 1 / flow_index) : 0;
    }
};

/// The same law for tensors of any flow, diss. 13.10 to 13.13: s = |dev tau|, gamma = |D|, Frobenius norms of
/// the deviatoric stress [Pa] and of the rate of deformation D = (grad u + grad u^T) / 2 [1/s]; once it
/// flows,
///     s = yield [Pa] + consistency [Pa*s^n] * gamma^n.
struct NormLaw {
    double yield = 0, consistency = 0, flow_index = 1;

    /// gamma(s), diss. 13.13.
    double rate(double s) const {
        return s > yield ? std::pow((s - yield) / consistency, 1 / flow_index) : 0;
    }
    double stress(double gamma) const { return yield + consistency * std::pow(gamma, flow_index); }
};

/// In simple shear s = sqrt(2) stress and |D| = rate / sqrt(2): one power of sqrt(2) for the stress and n of
/// them for the rate.
inline double norm_factor(double flow_index) {
    return std::exp2(0.5 * (flow_index + 1));
}
inline NormLaw to_norm(const FlowCurve& curve) {
    return {std::sqrt(2.0) * curve.yield_stress, norm_factor(curve.flow_index) * curve.consistency,
            curve.flow_index};
}
/// The table of the papers (diss. table 15.2) prints tau_Y of the yield condition s <= sqrt(2/3) tau_Y
/// (diss. 13.11) and the consistency of the norms: in simple shear yield / sqrt(3), and consistency *
/// 2^(-(n+1)/2), half of it for n = 1.
inline FlowCurve von_mises_to_flow_curve(double yield, double consistency, double flow_index) {
    return {yield / std::sqrt(3.0), consistency / norm_factor(flow_index), flow_index};
}

/// A material without a law of its own flows as its viscosity says.
inline FlowCurve flow_curve(const LiquidMaterial& material) {
    if (material.consistency > 0) return {material.yield_stress, material.consistency, material.flow_index};
    return {0, material.viscosity, 1};
}

}  // namespace rivulet::liquid
