#pragma once

#include <rivulet/strand/rod_loader.h>
#include <rivulet/strand/rod_newton.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand {

/// How the solve of one strand went.
struct StrandOutcome {
    bool solved = false;
    int iterations = 0;
    double residual = 0;  // [m/s]
};

/// Solves the strands of one pack (or one strand) and writes their motion; outcome[lane] tells how it went.
template <class T>
void solve_lanes(const StepInput& input, const Lanes<T>& lanes, std::size_t used, const SolveOptions& options,
                 RodProblem<T>& work, Motion& motion, StrandOutcome* outcome);

/// Steps one stubborn strand in 2, 4, 8, ... pieces of the step. The motion written is the one whose single
/// hop ends where the pieces ended: average velocity, and the twist that gives the same material axes.
StrandOutcome solve_in_pieces(const StepInput& input, std::size_t strand, const SolveOptions& options,
                              Motion& motion);

}  // namespace rivulet::strand
