#pragma once

#include <functional>

#include <rivulet/grid/extrapolate.h>
#include <rivulet/liquid/pressure_system.h>
#include <rivulet/liquid/shear_solver.h>

namespace rivulet::liquid {

/// Shear and pressure of one step, passed over `passes` times; the projection comes last, so that divergence
/// is at its tolerance. With u0 the velocities before both,
///
///     pressure impulse w = project(u0) − u0, then repeatedly
///     shear impulse    d = shear(u0 + w) − (u0 + w)
///     pressure impulse w = project(u0 + d) − (u0 + d)
///
/// where what one does is what the other starts from: liquid at rest under its weight gets no shear, and
/// liquid that its stress holds up no flow. (Diss. algorithm 2 ends with the shear solve and so leaves a
/// divergence.) The pressure impulse is carried outward to faces in air and walls that particles touch.
class ShearPasses {
 public:
    /// `project` makes velocities divergence-free. `mass` at faces [kg].
    ShearReport run(const ShearParticles& particles, const ShearOptions& options,
                    const PressureDomain& domain, const grid::Field& solid_distance,
                    const grid::FaceField& mass, const std::function<void(grid::FaceField&)>& project,
                    grid::FaceField& velocity);
    /// Gives faces held by walls the velocity they follow.
    void hold(grid::FaceField& velocity) const { solver_.faces().hold(velocity); }

 private:
    void carry_outward(const PressureDomain& domain, grid::FaceField& impulse);

    ShearSolver solver_;
    grid::Extrapolation extrapolation_;
    grid::FaceFlags known_;
    grid::FaceField start_, pressed_, guess_;
};

}  // namespace rivulet::liquid
