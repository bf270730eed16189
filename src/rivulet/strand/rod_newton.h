#pragma once

#include <rivulet/strand/rod_potential.h>

namespace rivulet::strand {

struct NewtonOptions {
    /// A lane is done when no vertex velocity changes by more than this in an iteration (and no point of the
    /// surface by twisting) [m/s]. The change is carried out, so the error left is of second order in it.
    double tolerance = 1e-5;
    int most_iterations = 60;
};

template <class T>
struct NewtonResult {
    MaskOf<T> done;  // converged; the unknowns are in RodProblem::point
    T iterations;    // linear solves that led to a direction
    T residual;      // last velocity change [m/s]
};

namespace detail {

/// Largest velocity in `direction` [m/s].
template <class T>
T speed_of(const RodProblem<T>& p, double dt) {
    using std::abs, std::sqrt;
    T most_squared(0.0), most_turn(0.0);
    for (std::size_t i = 0; i < p.vertices; ++i) {
        const Vec3<T> d = vec_at(p.direction, 4 * i);
        const T squared = dot(d, d);
        // NOTE: written so that a NaN is kept: a lane that has lost its numbers never looks converged.
        most_squared = select(squared <= most_squared, most_squared, squared);
        if (i + 1 == p.vertices) break;
        const T turn = abs(p.direction[4 * i + 3]) / p.element[i].inverse_radius;
        most_turn = select(turn <= most_turn, most_turn, turn);
    }
    const T way = sqrt(most_squared);
    return select(way <= most_turn, most_turn, way) * T(1 / dt);
}

template <class T>
T slope_along(const RodProblem<T>& p) {
    T sum(0.0);
    for (std::size_t i = 0; i < unknown_count(p.vertices); ++i) sum += p.gradient[i] * p.direction[i];
    return sum;
}

/// trial ← no displacement, except what is prescribed, in the lanes of `where`.
template <class T>
void try_standing_still(RodProblem<T>& p, const MaskOf<T>& where, std::vector<T>& fresh) {
    std::fill(fresh.begin(), fresh.end(), T(0.0));
    for_each_held(p.held, p.vertices, [&](const MaskOf<T>& mask, std::size_t row) {
        fresh[row] = select(mask, p.guess[row], fresh[row]);
    });
    for (std::size_t i = 0; i < fresh.size(); ++i) p.trial[i] = select(where, fresh[i], p.trial[i]);
}

/// direction ← −H⁻¹ gradient in the lanes of `where`; returns where the factorisation worked.
template <class T>
MaskOf<T> find_direction(RodProblem<T>& p, const MaskOf<T>& where, std::vector<T>& fresh) {
    const std::size_t n = unknown_count(p.vertices);
    const MaskOf<T> good = Band::factorise<T>(p.band, n);
    for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i] = -p.gradient[i];
    Band::solve<T>(p.band, n, fresh);
    const MaskOf<T> take = where & good;
    for (std::size_t i = 0; i < n; ++i) p.direction[i] = select(take, fresh[i], p.direction[i]);
    return good;
}

}  // namespace detail

/// Newton's method with a backtracking line search on the incremental potential, lanes independent of each
/// other: every round evaluates one trial per lane, and each lane then either goes on from it with a new
/// direction, or tries half the way, or repeats with the Gauss-Newton Hessian where the exact one is not
/// positive, or is done.
template <class T>
NewtonResult<T> minimise(RodProblem<T>& p, double dt, const NewtonOptions& options, std::vector<T>& fresh) {
    using std::abs;
    using M = MaskOf<T>;
    constexpr double kArmijo = 1e-4, kFlat = 0.9, kLeastPart = 1e-7;
    const std::size_t n = unknown_count(p.vertices);
    const M none = T(1.0) < T(0.0), every = T(0.0) < T(1.0);
    NewtonResult<T> result{none, T(0.0), T(0.0)};
    M lost = none, first = every, standing = none, repeat = none;
    T part(0.0), exact(1.0), value(0.0), slope(0.0);
    std::copy(p.guess.begin(), p.guess.end(), p.trial.begin());
    std::fill(p.direction.begin(), p.direction.end(), T(0.0));
    fresh.assign(p.direction.size(), T(0.0));
    // Each iteration takes one round, a halving or a repetition one more.
    for (int round = 0; round < 4 * options.most_iterations; ++round) {
        const M active = !(result.done | lost);
        if (!any(active)) break;
        const PotentialAt<T> at = evaluate_potential(p, p.trial, exact);
        // NOTE: near the minimum the value no longer resolves the decrease; a slope that has flattened does.
        const T new_slope = detail::slope_along(p);
        const M lower = at.value <= value + T(kArmijo) * part * slope;
        const M flatter = (abs(new_slope) <= T(kFlat) * abs(slope)) &
                          (at.value <= value + T(1e-9) * (abs(value) + abs(at.value)));
        const M accepted = active & at.allowed & (first | repeat | lower | flatter);
        const M refused = active & first & !at.allowed;
        lost = lost | (refused & standing);
        first = refused & !standing;
        if (any(first)) {
            standing = standing | first;
            detail::try_standing_still(p, first, fresh);
        }
        for (std::size_t i = 0; i < n; ++i) p.point[i] = select(accepted, p.trial[i], p.point[i]);
        value = select(accepted, at.value, value);

        const M good = detail::find_direction(p, accepted, fresh);
        const M moves = accepted & good;
        const T speed = detail::speed_of(p, dt);
        const M within = moves & (speed <= T(options.tolerance));
        result.iterations += select(moves, T(1.0), T(0.0));
        result.residual = select(moves, speed, result.residual);
        result.done = result.done | within;
        for (std::size_t i = 0; i < n; ++i)
            p.point[i] = select(within, p.point[i] + p.direction[i], p.point[i]);

        repeat = accepted & !good & (exact > T(0.5));
        lost = lost | (accepted & !good & (exact < T(0.5))) |
               (moves & (result.iterations > T(double(options.most_iterations))));
        slope = select(moves, detail::slope_along(p), slope);
        const M back = active & !accepted & !first;
        part = select(moves, T(1.0), select(back, T(0.5) * part, part));
        lost = lost | (back & (part < T(kLeastPart)));
        exact = select(repeat, T(0.0), T(1.0));
        const M next = active & !repeat & !first;
        for (std::size_t i = 0; i < n; ++i)
            p.trial[i] = select(next, p.point[i] + part * p.direction[i], p.trial[i]);
    }
    result.done = result.done & !lost;
    return result;
}

}  // namespace rivulet::strand
