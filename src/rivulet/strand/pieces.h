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

/// Memory of one solve at a time.
template <class T>
struct Workspace {
    RodProblem<T> problem;
    std::vector<T> fresh;

    std::size_t memory() const {
        const std::size_t unknowns = problem.guess.capacity() + problem.point.capacity() +
                                     problem.trial.capacity() + problem.direction.capacity() +
                                     problem.gradient.capacity() + fresh.capacity() + problem.band.capacity();
        return unknowns * sizeof(T) + problem.element.capacity() * sizeof(RodElement<T>);
    }
};

/// Solves the strands of one pack (or one strand) and writes their motion; outcome[lane] tells how it went.
template <class T>
void solve_lanes(const StepInput& input, const Lanes<T>& lanes, std::size_t used, const SolveOptions& options,
                 Workspace<T>& work, Motion& motion, StrandOutcome* outcome);

/// Steps one stubborn strand in 2, 4, 8, ... pieces of the step. The motion written is the one whose single
/// hop ends where the pieces ended: average velocity, and the twist that gives the same material axes.
StrandOutcome solve_in_pieces(const StepInput& input, std::size_t strand, const SolveOptions& options,
                              Motion& motion);

}  // namespace rivulet::strand
