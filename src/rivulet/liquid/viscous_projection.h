#pragma once

#include <rivulet/linear/pcg.h>
#include <rivulet/liquid/pressure_solver.h>
#include <rivulet/liquid/viscous_multigrid.h>

namespace rivulet::liquid {

struct ViscosityOptions {
    double tolerance = 1e-6;          // of the viscous solve, relative residual
    double coupled_tolerance = 1e-3;  // of the divergence left to the last projection, relative
    int most_iterations = 2000;       // of one viscous solve
    int most_coupled_iterations = 40;
    /// From this stiffness Δtμ/(ρΔx²)·(6..8) on, pressure and viscosity are solved together.
    double coupled_from = 0.5;
    /// From this stiffness on the viscous solve is preconditioned by multigrid, below by its diagonal.
    double multigrid_from = 10;
};

struct ViscosityReport {
    double stiffness = 0;
    int viscous_iterations = 0;  // CG, all solves together
    int coupled_iterations = 0;  // 0: split
};

/// Implicit viscosity and pressure of one step. Thin liquids: viscosity, then projection. Thick ones: the
/// Stokes problem
///
///     (M + ΔtK) u + Δt G p = M u*,   D u = 0
///
/// (Larionov et al. 2017: solved apart, the two leave a false traction on the free surface and honey neither
/// coils nor buckles), by conjugate gradients on the pressure. Its operator Δt D (M + ΔtK)⁻¹ G is
/// preconditioned by one multigrid cycle of the pressure equation plus what the diagonal of M + ΔtK says of
/// each cell (`find_resistance`), 2μ deep inside stiff liquid (Cahouet & Chabard 1988; for a viscosity that
/// jumps, Olshanskii, Peters & Reusken 2006). The inviscid projection comes last and leaves the divergence at
/// its tolerance.
class ViscousProjection {
 public:
    /// Viscosity alone: velocities before the projection. What it prepares `project` uses.
    ViscosityReport diffuse(const ViscousDomain& domain, const ViscosityOptions& options,
                            grid::FaceField& velocity);
    /// Pressure, for velocities that `diffuse` has left and the matrix that `projection` has assembled; thick
    /// liquid: together with viscosity once more.
    PressureReport project(const ViscousDomain& domain, const PressureOptions& pressure_options,
                           const ViscosityOptions& options, Projection& projection, grid::FaceField& velocity,
                           grid::Field& pressure, ViscosityReport& report);

 private:
    void load(const ViscousDomain& domain, const grid::FaceField& velocity);
    int solve_viscous(std::span<const double> rhs, double tolerance, const ViscosityOptions& options);
    void start_residual(const PressureDomain& flow, const PressureSystem& system, double tolerance,
                        const ViscosityOptions& options, ViscosityReport& report);
    void couple(const ViscousDomain& domain, PressureSystem& system, const ViscosityOptions& options,
                ViscosityReport& report);
    void find_moving(const PressureDomain& domain, const PressureSystem& system);
    void find_resistance(const PressureDomain& domain, const PressureSystem& system);
    void pressure_force(const PressureDomain& domain, const PressureSystem& system, std::span<const double> p,
                        bool with_surface, std::span<double> force) const;
    void add_answer(const PressureDomain& domain, const PressureSystem& system, std::span<const double> p,
                    std::span<double> out);
    void divergence(const PressureDomain& domain, const PressureSystem& system, std::span<const double> u,
                    std::span<double> out) const;

    ViscousOperator operator_;
    ViscousRows rows_;
    ViscousMultigrid multigrid_;
    linear::PcgWorkspace work_;
    linear::AlignedVector<double> u_, rhs_, correction_;
    linear::AlignedVector<double> row_rhs_, row_x_;  // of the unknowns alone
    linear::AlignedVector<double> p_, r_, r_before_, z_, d_, sd_;
    linear::AlignedVector<double> resistance_;  // Pa·s, of liquid cells
    PressureSystem moving_;
    PressureSolver solver_;
    grid::FaceField others_;  // flux of others, where it answers to pressure
};

}  // namespace rivulet::liquid
