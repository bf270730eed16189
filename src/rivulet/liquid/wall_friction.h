#pragma once

#include <rivulet/liquid/pressure_system.h>

namespace rivulet::liquid {

/// Part of its speed along a wall that a layer of liquid keeps under Coulomb friction: the wall takes the
/// impulse f p Δt per area from the layer's mass ρ Δx per area, never more than there is. Dimensionless, in
/// [0, 1].
double friction_keeps(double speed, double friction, double pressure, double dt, double density, double cell);

/// Coulomb friction at walls with that rule, after the projection: slows the faces beside closed faces
/// towards the wall's velocity, and those one further on by what the former lack of a whole cell's mass. What
/// presses on the wall is the pressure that the projection found, less the pull of the shear stress across
/// the wall, continued from the cells' centres to the wall; where it is not positive there is no friction. A
/// slanted wall acts on the steps it makes, N_n of them per area across axis n, N its normal: together they
/// take what a straight one takes. `solid_distance` at cell centres [m]; null: walls lie along the grid.
class WallFriction {
 public:
    void apply(const PressureDomain& domain, const PressureSystem& system, const grid::Field& pressure,
               const grid::Field* solid_distance, grid::FaceField& velocity);

 private:
    grid::FaceField before_;
};

}  // namespace rivulet::liquid
