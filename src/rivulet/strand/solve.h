#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <rivulet/strand/loads.h>
#include <rivulet/strand/material.h>
#include <rivulet/strand/mobility.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

struct SolveOptions {
    double tolerance = 1e-5;   // velocity change at which an iteration is the last [m/s]
    int most_iterations = 60;  // per strand, then its step is cut into pieces
    int most_pieces = 64;
    bool guess_given = false;  // begin with what `Motion` holds instead of the velocity at the start
    std::span<const std::uint8_t>
        only;  // per strand, 0: its motion and its answers stay; empty: all are solved

    bool wanted(std::size_t strand) const { return only.empty() || only[strand] != 0; }
};

struct SolveReport {
    std::uint64_t iterations = 0;  // Newton iterations of all strands
    int iterations_most = 0;       // of one strand
    std::size_t in_pieces = 0;     // strands whose step was cut
    double residual = 0;           // largest last velocity change [m/s]
};

/// Implicit Euler step of every strand for given loads. Finds the end-of-step velocity and twist velocity;
/// positions and frames stay: `commit` moves them. May be called several times a step with other loads.
///
/// Strands of equal vertex count go in packs of four, packs in parallel. A strand's bits depend neither on
/// its pack-mates nor on the number of threads. The solver keeps memory, no truth: a new one gives the same
/// bits. Throws StepFailed that names the first strand which could not be solved.
class Solver {
 public:
    Solver();
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// With a mobility the step's factors are kept in it, and it answers how this motion changes with further
    /// impulses. That changes no bit of the motion.
    SolveReport solve(const StrandState& state, std::span<const StrandMaterial> materials, const Loads& loads,
                      double dt, Motion& motion, const SolveOptions& options = {},
                      Mobility* mobility = nullptr);

    /// Memory held for solving [bytes].
    std::size_t memory() const;

 private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

/// The same, one strand after the other in plain doubles: the slow twin.
SolveReport solve_plainly(const StrandState& state, std::span<const StrandMaterial> materials,
                          const Loads& loads, double dt, Motion& motion, const SolveOptions& options = {});

}  // namespace rivulet::strand
