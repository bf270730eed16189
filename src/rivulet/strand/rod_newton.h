#pragma once

#include <limits>

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

/// Newton's method on the incremental potential, lanes independent of each other: every round evaluates one
/// trial per lane, and each lane then goes on from it with a new direction, or tries half the way, or repeats
/// with the Gauss-Newton Hessian where the other is not positive, or is done.
///
/// A lane begins boldly: full steps, no line search, and the tension of an edge in the Hessian is the one the
/// step before predicts (a primal-dual Newton method). Strands are so much stiffer along than across that the
/// potential is a narrow curved valley: a line search would creep along it in small steps, the bold lane
/// jumps across its bends and falls back to the floor with the next step. A lane that has not converged after
/// kBoldIterations begins again at the lowest point it has seen, with the exact Hessian and a backtracking
/// line search, which always make progress.
template <class T>
class RodNewton {
 public:
    RodNewton(RodProblem<T>& problem, double dt, const NewtonOptions& options)
        : p_(problem), dt_(dt), options_(options), n_(unknown_count(problem.vertices)) {}

    NewtonResult<T> run() {
        std::copy(p_.guess.begin(), p_.guess.end(), p_.trial.begin());
        std::fill(p_.direction.begin(), p_.direction.end(), T(0.0));
        // Each iteration takes one round, a halving or a repetition one more.
        for (int round = 0; round < 4 * options_.most_iterations; ++round) {
            const M active = !(done_ | lost_);
            if (!any(active)) break;
            const PotentialAt<T> at = evaluate_potential(p_, p_.trial, HessianChoice<T>{exact_, bold_});
            const M accepted = judge(active, at);
            take(accepted, at.value);
            const M good = find_direction(accepted);
            const M moves = accepted & good;
            finish_within_tolerance(moves);
            choose_next_trial(active, accepted, good);
        }
        return {M(done_ & !lost_), iterations_, residual_};
    }

 private:
    using M = MaskOf<T>;
    static constexpr double kBoldIterations = 20;
    static constexpr double kArmijo = 1e-4, kFlat = 0.9, kLeastPart = 1e-7;

    M judge(const M& active, const PotentialAt<T>& at) {
        using std::abs;
        // NOTE: near the minimum the value no longer resolves the decrease; a slope that has flattened does.
        const T new_slope = slope_along_direction();
        const M lower = at.value <= value_ + T(kArmijo) * part_ * slope_;
        const M flatter = (abs(new_slope) <= T(kFlat) * abs(slope_)) &
                          (at.value <= value_ + T(1e-9) * (abs(value_) + abs(at.value)));
        const M accepted = active & at.allowed & (first_ | repeat_ | bold_ | lower | flatter);
        const M refused = active & first_ & !at.allowed;
        lost_ = lost_ | (refused & standing_);
        first_ = refused & !standing_;
        standing_ = standing_ | first_;
        if (any(first_)) try_standing_still(first_);
        return accepted;
    }

    void take(const M& accepted, const T& value) {
        const M best = accepted & (value < best_value_);
        best_value_ = select(best, value, best_value_);
        value_ = select(accepted, value, value_);
        for (std::size_t i = 0; i < n_; ++i) {
            p_.point[i] = select(accepted, p_.trial[i], p_.point[i]);
            p_.best[i] = select(best, p_.trial[i], p_.best[i]);
        }
    }

    /// direction ← −H⁻¹ gradient in the lanes of `where`; returns where the factorisation worked.
    M find_direction(const M& where) {
        const M good = Band::factorise<T>(p_.band, n_);
        for (std::size_t i = 0; i < n_; ++i) p_.fresh[i] = -p_.gradient[i];
        for (std::size_t i = n_; i < p_.fresh.size(); ++i) p_.fresh[i] = T(0.0);
        Band::solve<T>(p_.band, n_, p_.fresh);
        const M take_it = where & good;
        for (std::size_t i = 0; i < n_; ++i) p_.direction[i] = select(take_it, p_.fresh[i], p_.direction[i]);
        return good;
    }

    void finish_within_tolerance(const M& moves) {
        const T speed = speed_of_direction();
        const M within = moves & (speed <= T(options_.tolerance));
        iterations_ += select(moves, T(1.0), T(0.0));
        residual_ = select(moves, speed, residual_);
        done_ = done_ | within;
        if (!p_.kept.empty() && any(within)) keep_factor(within);
        lost_ = lost_ | (moves & !within & (iterations_ >= T(double(options_.most_iterations))));
        for (std::size_t i = 0; i < n_; ++i)
            p_.point[i] = select(within, p_.point[i] + p_.direction[i], p_.point[i]);
    }

    /// A lane that is done keeps the factor that gave its last step: later rounds overwrite the band.
    void keep_factor(const M& where) {
        for (std::size_t k = 0; k < p_.kept.size(); ++k) p_.kept[k] = select(where, p_.band[k], p_.kept[k]);
    }

    void choose_next_trial(const M& active, const M& accepted, const M& good) {
        const M moves = accepted & good;
        predict_tensions(moves);
        repeat_ = accepted & !good & (exact_ > T(0.5));
        const M stuck = accepted & !good & (exact_ < T(0.5));
        slope_ = select(moves, slope_along_direction(), slope_);
        const M back = active & !accepted & !first_;
        part_ = select(moves, T(1.0), select(back, T(0.5) * part_, part_));
        const M hopeless = stuck | (back & (part_ < T(kLeastPart)));
        lost_ = lost_ | (hopeless & !bold_);
        const M sober = bold_ & active & (hopeless | (moves & (iterations_ >= T(kBoldIterations))));
        bold_ = bold_ & !sober;
        first_ = first_ | sober;
        standing_ = standing_ | sober;
        repeat_ = repeat_ & !sober;
        exact_ = select(repeat_, T(0.0), T(1.0));
        const M onward = active & !repeat_ & !first_;
        for (std::size_t i = 0; i < n_; ++i) {
            const T next = select(onward, p_.point[i] + part_ * p_.direction[i], p_.trial[i]);
            p_.trial[i] = select(sober, p_.best[i], next);
        }
    }

    /// The tension that an edge will have if its length changes as linearised.
    void predict_tensions(const M& moves) {
        for (std::size_t i = 0; i + 1 < p_.vertices; ++i) {
            RodElement<T>& el = p_.element[i];
            const Vec3<T> change =
                detail::vec_at(p_.direction, 4 * i + 4) - detail::vec_at(p_.direction, 4 * i);
            const T tension = el.stretch_stiffness * (el.excess + dot(el.tangent, change));
            el.tension = select(moves, tension, el.tension);
        }
    }

    /// trial ← no displacement, except what is prescribed, in the lanes of `where`.
    void try_standing_still(const M& where) {
        std::fill(p_.fresh.begin(), p_.fresh.end(), T(0.0));
        for_each_held(p_.held, p_.vertices, [&](const M& mask, std::size_t row) {
            p_.fresh[row] = select(mask, p_.guess[row], p_.fresh[row]);
        });
        for (std::size_t i = 0; i < n_; ++i) p_.trial[i] = select(where, p_.fresh[i], p_.trial[i]);
    }

    T slope_along_direction() const {
        T sum(0.0);
        for (std::size_t i = 0; i < n_; ++i) sum += p_.gradient[i] * p_.direction[i];
        return sum;
    }

    /// Largest velocity in the direction [m/s].
    T speed_of_direction() const {
        using std::abs, std::sqrt;
        T most_squared(0.0), most_turn(0.0);
        for (std::size_t i = 0; i < p_.vertices; ++i) {
            const Vec3<T> d = detail::vec_at(p_.direction, 4 * i);
            const T squared = dot(d, d);
            // NOTE: written so that a NaN is kept: a lane that has lost its numbers never looks converged.
            most_squared = select(squared <= most_squared, most_squared, squared);
            if (i + 1 == p_.vertices) break;
            const T turn = abs(p_.direction[4 * i + 3]) / p_.element[i].inverse_radius;
            most_turn = select(turn <= most_turn, most_turn, turn);
        }
        const T way = sqrt(most_squared);
        return select(way <= most_turn, most_turn, way) * T(1 / dt_);
    }

    RodProblem<T>& p_;
    double dt_;
    NewtonOptions options_;
    std::size_t n_;
    M none_ = T(1.0) < T(0.0);
    M done_ = none_, lost_ = none_, repeat_ = none_;
    M first_ = !none_;    // the trial is a start, not the end of a step
    M standing_ = none_;  // has already begun from no displacement
    M bold_ = !none_;
    T part_{0.0}, exact_{1.0}, value_{0.0}, slope_{0.0};
    T best_value_{std::numeric_limits<double>::infinity()};
    T iterations_{0.0}, residual_{0.0};
};

template <class T>
NewtonResult<T> minimise(RodProblem<T>& problem, double dt, const NewtonOptions& options) {
    return RodNewton<T>(problem, dt, options).run();
}

}  // namespace rivulet::strand
