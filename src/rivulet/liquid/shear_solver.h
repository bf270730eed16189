#pragma once

#include <algorithm>
#include <cmath>

#include <rivulet/linear/pcg.h>
#include <rivulet/liquid/shear_faces.h>
#include <rivulet/liquid/shear_operator.h>

namespace rivulet::liquid {

struct ShearOptions {
    int newton_steps = 3;     // at most, per solve
    double tolerance = 1e-3;  // of the impulse left over, relative to that of the stress
    double linear = 0.1;      // of the linear solves, relative residual; about what a Newton step leaves
    int most_products = 600;  // of one solve, all Newton steps together
    double worst = 0.1;       // residual up to which a solve that has used them up is accepted
    int passes = 2;           // over shear and pressure; 0: the stress as it is, shear explicit
    bool explicit_pressure = false;  // of compressible liquid, for comparison; with passes = 0
};

struct ShearReport {
    int newton_steps = 0;
    int iterations = 0;   // CG: Jacobian products, at most ShearOptions::most_products
    double residual = 0;  // relative, at the end; of the last step expected when it was not looked at
};

/// Stiffness 8 μ Δt²/(ρ Δx²), the square of how many cells a shear wave crosses in a step, up to which shear
/// and pressure passed over twice agree. Beyond it what the pressure has to add to a stiff liquid is found
/// too slowly: a slumped cylinder comes to rest at 50, creeps at 100 and boils at 400, where it takes six
/// passes.
inline constexpr double kMostShearStiffness = 50;

inline double shear_stiffness(const LiquidMaterial& m, double cell, double dt) {
    return 8 * m.shear_modulus * dt * dt / (m.density * cell * cell);
}
/// Stiffness below which one pass is enough: what another would mend is of its square, in parts of the
/// velocity differences from cell to cell. Products are few then: better many of them than another stress.
inline constexpr double kSoftShear = 0.25;
inline ShearOptions options_for(double stiffness, ShearOptions options) {
    if (stiffness < kSoftShear) {
        options.passes = std::min(options.passes, 1);
        options.linear = std::min(options.linear, 0.003);
    }
    return options;
}

/// Longest step [s] that keeps the shear of a material below it.
inline double longest_shear_step(const LiquidMaterial& m, double cell) {
    return cell * std::sqrt(kMostShearStiffness * m.density / (8 * m.shear_modulus));
}

/// Implicit shear of liquids that remember their shape: the face velocities u with
///
///     M (u − u*) = Δt f(u)
///
/// f the shear force after elastic step and plastic return (backward Euler: energy only falls). Newton's
/// method with the radial-return tangent and conjugate gradients without a matrix, preconditioned by the
/// faces' masses. Keeps scratch only.
///
/// The work is bounded. Newton steps that are used up leave a velocity that is good to the residual
/// reported: each has made it smaller. Products that are used up do so too while the residual is below
/// `worst`; above, StepFailed asks for a shorter step, on which the solve is less stiff.
class ShearSolver {
 public:
    /// Where walls hold the liquid; once per step, before `solve`.
    void start(const grid::Topology& topology, const grid::FaceBoundary& boundary,
               const grid::Field& liquid_distance, const grid::Field& solid_distance,
               const grid::FaceField& mass);
    /// Velocity that the stress as it is now, with the skin's pressure (skin_pressure.h; null: none), adds
    /// over the step; 0 on faces that are not free. `pushed`: what the latter alone would add to each face by
    /// itself, for `solve` to start from.
    void predict(const ShearParticles& particles, const grid::Field* skin, std::span<double> added,
                 std::span<double> pushed);
    /// `start`: u*. `velocity`: a guess in, u out; held faces get what they follow. Entries of `faces()`.
    ShearReport solve(const ShearParticles& particles, const ShearOptions& options,
                      std::span<const double> start, std::span<double> velocity);

    const ShearFaces& faces() const { return faces_; }

 private:
    double residual(const ShearParticles& particles, std::span<const double> start, std::span<double> u,
                    ShearOperator::Digits digits);
    void apply(const ShearParticles& particles, std::span<const float> x, std::span<float> ax);

    ShearFaces faces_;
    ShearOperator operator_;
    linear::PcgVectors<float> work_;                  // by free faces
    linear::AlignedVector<float> step_;               // by free faces
    linear::AlignedVector<double> inverse_mass_;      // by free faces
    linear::AlignedVector<double> full_;              // by all of `faces_`
    linear::AlignedVector<double> all_in_, all_out_;  // by all faces of the grid
};

}  // namespace rivulet::liquid
