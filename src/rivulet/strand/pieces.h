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
    int pieces = 1;       // of the step
};

/// Solves the strands of one pack (or one strand) and writes their motion; outcome[lane] tells how it went.
/// Where `work.kept` has room, the factor of C (see Mobility) is left there.
template <class T>
void solve_lanes(const StepInput& input, const Lanes<T>& lanes, std::size_t used, const SolveOptions& options,
                 RodProblem<T>& work, Motion& motion, StrandOutcome* outcome);

/// Steps one stubborn strand in 2, 4, 8, ... pieces of the step. The motion written is the one whose single
/// hop ends where the pieces ended: average velocity, and the twist that gives the same material axes.
StrandOutcome solve_in_pieces(const StepInput& input, std::size_t strand, const SolveOptions& options,
                              Motion& motion);

/// What a strand answers (see Mobility) whose step was cut: the factor of C at the end of `motion`. False
/// when no factor exists.
bool factor_where_pieces_ended(const StepInput& input, std::size_t strand, int pieces, const Motion& motion,
                               std::span<double> factor);

}  // namespace rivulet::strand
