#pragma once

#include <functional>

#include <rivulet/grid/extrapolate.h>
#include <rivulet/liquid/pressure_system.h>
#include <rivulet/liquid/shear_solver.h>

namespace rivulet::liquid {

/// Shear and pressure of one step, passed over `passes` times; the projection comes last, so that divergence
/// is at its tolerance. With u0 the velocities before both,
///
///     shear impulse    d = that of the stress as it is
///     pressure impulse w = project(u0 + d) − (u0 + d), then repeatedly
///     shear impulse    d = shear(u0 + w) − (u0 + w)
///     pressure impulse w = project(u0 + d) − (u0 + d)
///
/// where what one does is what the other starts from, so that steady flow and rest are not disturbed by the
/// splitting. (Diss. algorithm 2 starts without pressure and ends with the shear solve: it finds another rest
/// and leaves a divergence.) The first shear impulse is that of the
/// last step, whatever the stiffness.
class ShearPasses {
 public:
    /// Makes velocities divergence-free. `round` counts from 0; what is found is kept only after the last.
    using Project = std::function<void(grid::FaceField& velocity, int round, bool last)>;

    /// `mass` at faces [kg].
    ShearReport run(const ShearParticles& particles, const ShearOptions& options,
                    const PressureDomain& domain, const grid::Field& solid_distance,
                    const grid::FaceField& mass, const Project& project, grid::FaceField& velocity);
    /// Flag of faces that follow others: no wall needs to look after them.
    static constexpr std::uint8_t kFollows = 255;
    /// Gives the faces that particles touch but the pressure does not move the velocity they follow, and
    /// flags all that particles touch as known.
    void hold(grid::FaceField& velocity, grid::FaceFlags& known);

 private:
    ShearSolver solver_;
    linear::AlignedVector<double> before_, from_, u_;  // by the solver's faces
};

}  // namespace rivulet::liquid
