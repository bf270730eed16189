#include <rivulet/strand/solve.h>

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <rivulet/base/entity.h>
#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/strand/mobility_memory.h>
#include <rivulet/strand/pieces.h>

namespace rivulet::strand {
namespace {

void check(const StepInput& in) {
    const StrandState& s = in.state;
    const std::size_t n = s.vertex_count();
    const auto fits = [&](std::size_t size) { return size == 0 || size == n; };
    const Loads& l = in.loads;
    const bool loads_fit = fits(l.impulse.size()) && fits(l.force.size()) && fits(l.force_slope.size()) &&
                           fits(l.angular_impulse.size()) && fits(l.torque.size()) &&
                           fits(l.film.mass.size()) && fits(l.film.friction.size()) &&
                           fits(l.film.inertia.size()) && fits(l.film.speed.size()) &&
                           fits(l.film.force.size()) && fits(l.film.tension.size()) &&
                           (l.film.dammed.empty() || l.film.dammed.size() == s.strand_count());
    if (!(in.dt > 0) || !loads_fit)
        throw Error("strands: step size must be positive and loads must match the vertices");
    if (in.guess && (in.guess->velocity.size() != n || in.guess->twist_velocity.size() != n))
        throw Error("strands: the first guess must match the vertices");
}

/// A pack in which only some strands are solved: their factors go to the others' memory.
void keep_lanes(const PackPlan::PackOf& pack, const SolveOptions& options, std::span<const Pack> from,
                std::span<Pack> to) {
    for (std::size_t l = 0; l < pack.used; ++l)
        if (options.wanted(pack.lanes.strand[l]))
            for (std::size_t i = 0; i < to.size(); ++i) to[i].set(int(l), from[i][int(l)]);
}

void cut_stubborn_steps(const StepInput& in, const SolveOptions& options, Motion& motion,
                        std::vector<StrandOutcome>& outcome, SolveReport& report) {
    const auto unsolved = [&](std::size_t s) { return !outcome[s].solved; };
    std::size_t count = 0;
    for (std::size_t s = 0; s < outcome.size(); ++s) count += unsolved(s);
    report.in_pieces = count;
    if (count == 0) return;
    parallel_for(outcome.size(), [&](std::size_t s) {
        if (unsolved(s)) outcome[s] = solve_in_pieces(in, s, options, motion);
    });
}

/// Strands whose step was cut have no factor of a whole step: they get one. Pack by pack, because lanes of a
/// pack share their memory.
template <class FactorOf>
void answer_for_pieces(const StepInput& in, const Motion& motion, std::vector<StrandOutcome>& outcome,
                       const PackPlan& plan, FactorOf&& factor_of) {
    parallel_for(plan.packs.size(), [&](std::size_t k) {
        const PackPlan::PackOf& pack = plan.packs[k];
        for (std::size_t l = 0; l < pack.used; ++l) {
            const std::size_t strand = pack.lanes.strand[l];
            if (!outcome[strand].solved || outcome[strand].pieces == 1) continue;
            const std::span<Pack> to = factor_of(k);
            std::vector<double> factor(to.size());
            outcome[strand].solved =
                factor_where_pieces_ended(in, strand, outcome[strand].pieces, motion, factor);
            for (std::size_t i = 0; i < to.size(); ++i) to[i].set(int(l), factor[i]);
        }
    });
}

void report_outcome(const StrandState& state, const std::vector<StrandOutcome>& outcome,
                    SolveReport& report) {
    for (std::size_t s = 0; s < outcome.size(); ++s) {
        report.iterations += static_cast<std::uint64_t>(outcome[s].iterations);
        report.iterations_most = std::max(report.iterations_most, outcome[s].iterations);
        report.residual = std::max(report.residual, outcome[s].residual);
        if (outcome[s].solved) continue;
        throw StepFailed(strand_name(state.id[s]),
                         "Newton's method found no end of the step; velocity change left " +
                             std::to_string(outcome[s].residual) + " m/s",
                         outcome[s].residual);
    }
}

}  // namespace

struct Solver::Memory {
    PackPlan plan;
    tbb::enumerable_thread_specific<RodProblem<Pack>> work;
    tbb::enumerable_thread_specific<std::vector<Pack>> kept;
    std::vector<StrandOutcome> outcome;
};

Solver::Solver() : memory_(std::make_unique<Memory>()) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

std::size_t Solver::memory() const {
    std::size_t bytes = memory_->plan.memory() + memory_->outcome.capacity() * sizeof(StrandOutcome);
    for (const auto& work : memory_->work) bytes += work.memory();
    for (const auto& kept : memory_->kept) bytes += kept.capacity() * sizeof(Pack);
    return bytes;
}

SolveReport Solver::solve(const StrandState& state, std::span<const StrandMaterial> materials,
                          const Loads& loads, double dt, Motion& motion, const SolveOptions& options,
                          Mobility* mobility) {
    const StepInput input{state, materials, loads, dt, options.guess_given ? &motion : nullptr};
    check(input);
    motion.velocity.resize(state.vertex_count());
    motion.twist_velocity.resize(state.vertex_count());
    Memory& m = *memory_;
    m.plan.make(state);
    m.outcome.assign(state.strand_count(), StrandOutcome{true});
    Mobility::Memory* answers = mobility ? mobility->memory_.get() : nullptr;
    if (answers && !options.only.empty() && !(answers->filled && answers->plan.start == state.start))
        throw Error("strands: answers of some strands need a solve of all before");
    if (answers) answers->prepare(state);
    parallel_for(m.plan.packs.size(), [&](std::size_t i) {
        const PackPlan::PackOf& pack = m.plan.packs[i];
        const auto wanted = [&](std::size_t strand) { return options.wanted(strand); };
        if (std::none_of(pack.lanes.strand.begin(), pack.lanes.strand.end(), wanted)) return;
        StrandOutcome outcome[Pack::kWidth];
        RodProblem<Pack>& work = m.work.local();
        const std::span<Pack> factor = answers ? answers->factor_of(i) : std::span<Pack>{};
        const bool whole = std::all_of(pack.lanes.strand.begin(), pack.lanes.strand.end(), wanted);
        auto& apart = m.kept.local();
        if (!whole) apart.resize(factor.size());
        work.kept = whole ? factor : std::span<Pack>(apart);
        solve_lanes<Pack>(input, pack.lanes, pack.used, options, work, motion, outcome);
        if (!whole) keep_lanes(pack, options, apart, factor);
        for (std::size_t l = 0; l < pack.used; ++l)
            if (wanted(pack.lanes.strand[l])) m.outcome[pack.lanes.strand[l]] = outcome[l];
    });
    SolveReport report;
    cut_stubborn_steps(input, options, motion, m.outcome, report);
    if (answers && report.in_pieces > 0)
        answer_for_pieces(input, motion, m.outcome, m.plan,
                          [&](std::size_t pack) { return answers->factor_of(pack); });
    report_outcome(state, m.outcome, report);
    if (answers) answers->filled = true;
    return report;
}

SolveReport solve_plainly(const StrandState& state, std::span<const StrandMaterial> materials,
                          const Loads& loads, double dt, Motion& motion, const SolveOptions& options) {
    const StepInput input{state, materials, loads, dt, options.guess_given ? &motion : nullptr};
    check(input);
    motion.velocity.resize(state.vertex_count());
    motion.twist_velocity.resize(state.vertex_count());
    std::vector<StrandOutcome> outcome(state.strand_count(), StrandOutcome{true});
    RodProblem<double> work;
    for (std::size_t s = 0; s < outcome.size(); ++s)
        if (options.wanted(s)) solve_lanes<double>(input, {{s}}, 1, options, work, motion, &outcome[s]);
    SolveReport report;
    cut_stubborn_steps(input, options, motion, outcome, report);
    report_outcome(state, outcome, report);
    return report;
}

}  // namespace rivulet::strand
