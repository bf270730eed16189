#pragma once

#include <rivulet/grid/extrapolate.h>
#include <rivulet/liquid/pressure_system.h>
#include <rivulet/liquid/shear_solver.h>

namespace rivulet::liquid {

/// Shear's part of a step that passes over shear and pressure `passes` times; the projection comes last, so
/// that divergence is at its tolerance. With u0 the velocities before both,
///
///     shear impulse    d = that of the stress as it is
///     pressure impulse w = project(u0 + d) − (u0 + d), then repeatedly
///     shear impulse    d = shear(u0 + w) − (u0 + w)
///     pressure impulse w = project(u0 + d) − (u0 + d)
///
/// where what one does is what the other starts from, so that steady flow and rest are not disturbed by the
/// splitting. (Diss. algorithm 2 starts without pressure and ends with the shear solve: it finds another rest
/// and leaves a divergence.) The first shear impulse is that of the last step, whatever the stiffness. The
/// caller projects between the passes.
class ShearPasses {
 public:
    /// Begins a step: turns `velocity`, u0, into u0 + d for the first projection. `mass` at faces [kg].
    void start(const ShearParticles& particles, const PressureDomain& domain,
               const grid::Field& solid_distance, const grid::FaceField& mass, grid::FaceField& velocity);
    /// One pass, counted from 1 to options.passes: turns what the projection before it left into what the
    /// next starts from.
    ShearReport pass(const ShearParticles& particles, const ShearOptions& options, int number,
                     grid::FaceField& velocity);
    /// Flag of faces that follow others: no wall needs to look after them.
    static constexpr std::uint8_t kFollows = 255;
    /// Gives the faces that particles touch but the pressure does not move the velocity they follow, and
    /// flags all that particles touch as known.
    void hold(grid::FaceField& velocity, grid::FaceFlags& known);

 private:
    void give(grid::FaceField& velocity) const;

    ShearSolver solver_;
    // By the solver's faces: u0 and what the skin's pressure adds; what the projection starts from; scratch.
    linear::AlignedVector<double> before_, from_, u_;
};

}  // namespace rivulet::liquid
