#pragma once

#include <rivulet/liquid/elastic_strain.h>

namespace rivulet::liquid {

/// Change of the deviatoric Kirchhoff stress [Pa] by a further deformation `change` = step * sym(grad du)
/// (dimensionless): radial-return tangent
///     2 mu-hat [ratio (dev dD - d (d : dD)) + slope d (d : dD)],   d the direction of the stress.
/// Symmetric and positive (its eigenvalues are 2 mu-hat times ratio, slope and 0), which the exact derivative
/// is not: this one goes into the implicit solve. For n <= 1, slope <= ratio. `ShearOperator` has it for
/// particles side by side; its tests hold that against this.
inline Strain tangent_stress(const ShearStep& at, const Strain& change) {
    const Strain dev = deviator(change);
    const double along = contract(at.direction, dev);
    const double k = 2 * at.trial_modulus, across = k * at.ratio, line = k * (at.slope - at.ratio) * along;
    return {across * dev.xx + line * at.direction.xx, across * dev.xy + line * at.direction.xy,
            across * dev.xz + line * at.direction.xz, across * dev.yy + line * at.direction.yy,
            across * dev.yz + line * at.direction.yz, across * dev.zz + line * at.direction.zz};
}

}  // namespace rivulet::liquid
