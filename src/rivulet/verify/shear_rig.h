#pragma once

#include <rivulet/verify/liquid_rig.h>

namespace rivulet::verify {

/// The rig's only liquid gets this flow curve and shear modulus [Pa], and no viscosity of its own.
liquid::LiquidMaterial& make_thick(LiquidRig& rig, const liquid::FlowCurve& curve, double shear_modulus);

obstacle::Wall sticking_wall();

/// Solid below the plane y = 0.
void add_floor(LiquidRig& rig, const obstacle::Wall& wall);

/// Largest height and largest distance from the y axis of any particle, half a particle added [m].
double top(const LiquidRig& rig);
double top_within(const LiquidRig& rig, double radius);  // of the y axis
double reach(const LiquidRig& rig);

/// Norm of the deviatoric stress of particle i [Pa].
double stress_norm(const LiquidRig& rig, std::size_t i);

}  // namespace rivulet::verify
