#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <rivulet/liquid/pressure_system.h>

namespace rivulet::liquid {

struct PressureOptions {
    double tolerance = 1e-6;    // of the residual, relative to the right-hand side (2-norms)
    int most_iterations = 200;  // of one solve
    int most_separations = 6;   // passes that let liquid leave walls; 0: it always sticks
    bool measure = true;        // the divergence that is left
};

struct PressureReport {
    int iterations = 0;              // CG, all passes together
    int separation_passes = 0;       // solves beyond the first
    std::size_t cells = 0;           // unknowns
    std::size_t released = 0;        // wall cells the liquid has left
    std::size_t closed_pockets = 0;  // connected liquid without a free surface
    double relative_residual = 0;
    double bytes_per_iteration = 0;  // moved to or from memory when nothing stays in cache
    double max_divergence = 0;       // |divergence − asked for| in any cell not released [1/s]
};

/// Solves a PressureSystem by multigrid-preconditioned CG on blocks of 8³ cells (4³ when a period is not a
/// multiple of 8 cells), independent of the number of threads. Keeps nothing but for `solve_again`.
class PressureSolver {
 public:
    PressureSolver();
    ~PressureSolver();
    PressureSolver(PressureSolver&&) noexcept;
    PressureSolver& operator=(PressureSolver&&) noexcept;

    /// Pressure at cell centres [Pa], 0 outside the system. Liquid that touches no free surface has its
    /// lowest pressure at 0.
    ///
    /// Liquid leaves a wall instead of pulling on it: p ≥ its least pressure, found by an active-set loop
    /// outside the CG; a cell that has left its wall has p = 0 and may open. Throws StepFailed when CG does
    /// not converge, and when walls squeeze liquid that fills a closed space.
    PressureReport solve(const grid::Topology& topology, const PressureSystem& system,
                         const PressureOptions& options, grid::Field& pressure);
    /// The same for another right-hand side of the system solved last: starts from its pressure and the walls
    /// it has left, with the matrix as it was prepared.
    PressureReport solve_again(const grid::Topology& topology, const PressureSystem& system,
                               const PressureOptions& options, grid::Field& pressure);

    /// For outer iterations: one multigrid cycle of the system, z ≈ A⁻¹ rhs, symmetric and positive; entries
    /// outside the system are left alone. `begin_approximate` first.
    void begin_approximate(const grid::Topology& topology, const PressureSystem& system);
    void approximate(std::span<const double> rhs, std::span<double> pressure);
    /// Takes out of a right-hand side what no pressure of that system answers: the mean of every closed
    /// pocket, and cells that nothing joins.
    void balance(std::span<double> rhs);

 private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

/// The projection of one step: divergence-free velocities and the pressure that made them.
class Projection {
 public:
    /// The matrix of a domain; once per step, before anything else.
    void assemble(const PressureDomain& domain) { assemble_matrix(domain, system_); }
    /// Solves in a domain of the matrix assembled last.
    PressureReport project_assembled(const PressureDomain& domain, const PressureOptions& options,
                                     grid::FaceField& velocity, grid::Field& pressure);
    /// The same for other velocities in the domain of the last solve, whose pressure it starts from.
    PressureReport project_again(const PressureDomain& domain, const PressureOptions& options,
                                 grid::FaceField& velocity, grid::Field& pressure);
    /// Both in one.
    PressureReport project(const PressureDomain& domain, const PressureOptions& options,
                           grid::FaceField& velocity, grid::Field& pressure);
    /// Explicit: applies the pressure p^t that compressible liquid has (rebound / compliance), then gives in
    /// `pressure` the one after the divergence that makes. Every cell must be compressible.
    void press(const PressureDomain& domain, grid::FaceField& velocity, grid::Field& pressure);
    /// What was assembled, and the right-hand side of the last solve.
    PressureSystem& system() { return system_; }
    const PressureSystem& system() const { return system_; }

 private:
    PressureReport finish(const PressureDomain& domain, const PressureOptions& options, PressureReport report,
                          grid::FaceField& velocity, const grid::Field& pressure);

    /// Velocities after a pressure; returns the flux of others after it.
    const grid::FaceField& apply(const PressureDomain& domain, const grid::Field& pressure,
                                 grid::FaceField& velocity);

    PressureSystem system_;
    PressureSolver solver_;
    grid::FaceField others_;  // flux of others after the pressure, where it answers
    grid::Field divergence_;  // that a pressure left [1/s], where it was asked for
};

}  // namespace rivulet::liquid
