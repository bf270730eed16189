#pragma once

#include <rivulet/liquid/pressure_system.h>

namespace rivulet::liquid {

/// Part of its speed along a wall that a layer of liquid keeps under Coulomb friction: the wall takes the
/// impulse f p Δt per area from the layer's mass ρ Δx per area, never more than there is. Dimensionless, in
/// [0, 1].
double friction_keeps(double speed, double friction, double pressure, double dt, double density, double cell);

/// Coulomb friction at walls with that rule, after the projection: slows the faces one layer away from closed
/// faces towards the wall's velocity. `pressure` as the projection found it; where it, less
/// the pull of the shear stress across the wall, is not positive there is no friction. Walls are seen along
/// the axes: a slanted wall acts on the steps it makes.
class WallFriction {
 public:
    void apply(const PressureDomain& domain, const PressureSystem& system, const grid::Field& pressure,
               grid::FaceField& velocity);

 private:
    grid::FaceField before_;
};

}  // namespace rivulet::liquid
