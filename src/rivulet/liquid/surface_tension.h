#pragma once

#include <rivulet/base/mat3.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/topology.h>

namespace rivulet::liquid {

/// Sum of the principal curvatures of a level set, ∇·(∇φ/|∇φ|) [1/m] from gradient and Hessian (Osher &
/// Fedkiw 2003 eq. 1.8): 2/R for a ball with φ < 0 inside. 0 where the gradient vanishes.
double level_set_curvature(const Vec3d& gradient, const Mat3d& hessian);

/// Pressure that surface tension makes in the liquid just below its free surface, p = σκ (Young-Laplace)
/// [Pa], at cells near the surface, 0 elsewhere: what PressureDomain::surface_pressure takes. Explicit in
/// time: stable up to `capillary_step` (free_surface.h). Curvature is limited to 2/Δx, the sharpest ball the
/// grid carries.
class SurfaceTension {
 public:
    void find_pressure(const grid::Topology& topology, const grid::Field& liquid_distance,
                       double surface_tension, grid::Field& pressure);

 private:
    void smooth(const grid::Topology& topology, const grid::Field& liquid_distance);
    grid::Field known_, near_, empty_;
};

}  // namespace rivulet::liquid
