#pragma once

#include <rivulet/liquid/elastic_strain.h>

namespace rivulet::liquid {

/// Change of the deviatoric Kirchhoff stress [Pa] by a further deformation `change` = step * sym(grad du)
/// (dimensionless): radial-return tangent
///     2 mu-hat [ratio (dev dD - d (d : dD)) + slope d (d : dD)],   d the direction of the stress.
/// Symmetric and positive (its eigenvalues are 2 mu-hat times ratio, slope and 0), which the exact derivative
/// is not: this one goes into the implicit solve. For n <= 1, slope <= ratio.
inline Strain tangent_stress(const ShearStep& at, const Strain& change) {
    const Strain dev = deviator(change);
    const double along = contract(at.direction, dev);
    const double k = 2 * at.trial_modulus, across = k * at.ratio, line = k * (at.slope - at.ratio) * along;
    return {across * dev.xx + line * at.direction.xx, across * dev.xy + line * at.direction.xy,
            across * dev.xz + line * at.direction.xz, across * dev.yy + line * at.direction.yy,
            across * dev.yz + line * at.direction.yz, across * dev.zz + line * at.direction.zz};
}

/// What the first Piola stress below depends on besides the deformation gradient.
struct ShearLaw {
    double shear_modulus = 0;  // Pa
    NormLaw law;
    double step = 0;         // s
    double mean_before = 1;  // tr(b) / 3 before the step
    ReturnLaw which = ReturnLaw::backward_euler;
};

/// First Piola stress [Pa] after plastic flow, mu (s/s*) dev(b*) F^-T with b* = J^(-2/3) F F^T (diss. 14.20);
/// F is the elastic deformation gradient after the elastic step.
inline Mat3d flowed_piola_stress(const ShearLaw& m, const Mat3d& deformation) {
    const double volume = determinant(deformation);
    const Strain b =
        scaled(1 / std::cbrt(volume * volume), symmetric_part(deformation * transpose(deformation)));
    const Strain dev = deviator(b);
    const double trial = m.shear_modulus * norm(dev);
    double ratio = 1;
    if (trial > m.law.yield)
        ratio = plastic_return(m.which, m.law, trial,
                               flow_modulus(m.shear_modulus, m.mean_before, trace(b) / 3), m.step)
                    .stress /
                trial;
    return (m.shear_modulus * ratio) * (to_matrix(dev) * transpose(inverse(deformation)));
}

/// Its exact derivative in the direction `change` (of F). Diss. 14.21 to 14.25 with their misprints
/// corrected: d(F F^T) counts twice, and the first bracket carries the ratio. Neither symmetric nor positive.
inline Mat3d flowed_piola_derivative(const ShearLaw& m, const Mat3d& deformation, const Mat3d& change) {
    const double volume = determinant(deformation), shrink = 1 / std::cbrt(volume * volume);
    const Strain b = scaled(shrink, symmetric_part(deformation * transpose(deformation)));
    const Mat3d dev = to_matrix(deviator(b)), inverse_f = inverse(deformation),
                cofactor = transpose(inverse_f);
    const double size = std::sqrt(rivulet::contract(dev, dev)), trial = m.shear_modulus * size;
    const double dilation = rivulet::trace(inverse_f * change);
    const double stretch =
        shrink * rivulet::contract(deformation, change);  // half of d tr(b) at fixed volume

    double ratio = 1, by_trial = 0, by_modulus = 0;
    const double modulus = flow_modulus(m.shear_modulus, m.mean_before, trace(b) / 3);
    if (trial > m.law.yield) {
        const PlasticReturn r = plastic_return(m.which, m.law, trial, modulus, m.step);
        ratio = r.stress / trial;
        by_trial = (r.by_trial - ratio) / trial;
        by_modulus = r.by_modulus / trial;
    }
    const Mat3d elastic =
        shrink * change - (2.0 / 3.0 * dilation) * (dev * cofactor) -
        (1.0 / 3.0) * ((2 * stretch) * cofactor - trace(b) * (cofactor * transpose(change) * cofactor));
    const double trial_change = size > 0
                                    ? -2.0 / 3.0 * trial * dilation +
                                          2 * m.shear_modulus * shrink *
                                              rivulet::contract(dev, change * transpose(deformation)) / size
                                    : 0;
    const double trace_change = -2.0 / 3.0 * dilation * trace(b) + 2 * stretch;
    const double modulus_change = 0.5 * modulus / trace(b) * trace_change;
    const double ratio_change = by_trial * trial_change + by_modulus * modulus_change;
    return (m.shear_modulus * ratio) * elastic + (m.shear_modulus * ratio_change) * (dev * cofactor);
}

/// Lower triangular a with a a^T = strain.
inline Mat3d cholesky(const Strain& b) {
    Mat3d a;
    a(0, 0) = std::sqrt(b.xx);
    a(1, 0) = b.xy / a(0, 0);
    a(2, 0) = b.xz / a(0, 0);
    a(1, 1) = std::sqrt(b.yy - a(1, 0) * a(1, 0));
    a(2, 1) = (b.yz - a(2, 0) * a(1, 0)) / a(1, 1);
    a(2, 2) = std::sqrt(b.zz - a(2, 0) * a(2, 0) - a(2, 1) * a(2, 1));
    return a;
}

/// Change of the deviatoric Kirchhoff stress [Pa] of `shear_step` when the velocity gradient changes by
/// `change` [1/s], exactly: from the first Piola stress P of the deformation F, as d(P F^T).
inline Strain exact_stress_change(const Strain& strain, const Mat3d& velocity_gradient, const Mat3d& change,
                                  double step, double shear_modulus, const NormLaw& law) {
    const Mat3d before = cholesky(strain);
    const Mat3d f = deformation_increment(velocity_gradient, step) * before;
    const Mat3d df =
        (step * change + (0.5 * step * step) * (velocity_gradient * change + change * velocity_gradient)) *
        before;
    const ShearLaw m{shear_modulus, law, step, trace(strain) / 3};
    return symmetric_part(flowed_piola_derivative(m, f, df) * transpose(f) +
                          flowed_piola_stress(m, f) * transpose(df));
}

}  // namespace rivulet::liquid
