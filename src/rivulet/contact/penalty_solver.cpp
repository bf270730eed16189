#include <rivulet/contact/penalty_solver.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <rivulet/base/parallel.h>

namespace rivulet::contact {
namespace {

constexpr std::size_t kGrain = 1024;

template <class Term>
double sum_of(std::size_t n, Term&& term) {
    return ordered_reduce(
        n, kGrain, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += term(i);
            return sum;
        },
        [](double a, double b) { return a + b; });
}

double along(const PenaltyRow& row, std::span<const Vec3d> velocity) {
    Vec3d v;
    for (std::size_t k = 0; k < 4; ++k)
        if (row.node[k] != Cone::kNone) v += row.weight[k] * velocity[row.node[k]];
    return dot(row.normal, v);
}

}  // namespace

double row_velocity(const PenaltyRow& row, std::span<const Vec3d> velocity) {
    return along(row, velocity) - row.wall;
}

void PenaltySolver::prepare(std::span<const PenaltyRow> rows, std::size_t nodes) {
    assert(rows.size() < (std::size_t{1} << 30));
    start_.assign(nodes + 1, 0);
    for (const PenaltyRow& row : rows)
        for (const std::uint32_t n : row.node)
            if (n != Cone::kNone) ++start_[n];
    std::uint32_t all = 0;
    for (std::uint32_t& s : start_) all += s, s = all;
    parts_.resize(all);
    for (std::size_t i = rows.size(); i-- > 0;)
        for (std::uint32_t k = 4; k-- > 0;)
            if (rows[i].node[k] != Cone::kNone)
                parts_[--start_[rows[i].node[k]]] = static_cast<std::uint32_t>(4 * i) + k;
    along_.resize(rows.size()), impulse_.resize(rows.size()), row_velocity_.resize(rows.size());
    for (auto* v : {&w_, &r_, &z_, &p_, &cp_, &kp_, &node_impulse_}) v->assign(nodes, Vec3d{});
    for (auto* v : {&w_turn_, &r_turn_, &z_turn_, &p_turn_, &cp_turn_}) v->assign(nodes, 0);
}

void PenaltySolver::spread(std::span<const PenaltyRow> rows, std::span<const double> x,
                           std::span<Vec3d> out) const {
    parallel_chunks(out.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t n = begin; n < end; ++n) {
            Vec3d sum;
            for (std::uint32_t p = start_[n]; p < start_[n + 1]; ++p) {
                const PenaltyRow& row = rows[parts_[p] / 4];
                sum += row.normal * (row.weight[parts_[p] % 4] * x[parts_[p] / 4]);
            }
            out[n] = sum;
        }
    });
}

double PenaltySolver::residual_product() const {
    return sum_of(r_.size(), [&](std::size_t i) { return dot(r_[i], z_[i]) + r_turn_[i] * z_turn_[i]; });
}

PenaltyReport PenaltySolver::solve(std::span<const PenaltyRow> rows, const Answers& answers,
                                   std::span<const Vec3d> free_velocity, const Guess& guess,
                                   const PenaltyOptions& options) {
    const std::size_t n = answers.nodes();
    assert(free_velocity.size() == n);
    prepare(rows, n);
    const auto each_row = [&](auto&& body) {
        parallel_chunks(rows.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        });
    };
    each_row([&](std::size_t i) {
        along_[i] = -(rows[i].pull + rows[i].stiffness * row_velocity(rows[i], free_velocity));
    });
    spread(rows, along_, r_);
    std::fill(r_turn_.begin(), r_turn_.end(), 0);
    answers.apply(r_, r_turn_, z_, z_turn_, {});
    const double scale = residual_product();
    if (scale > 0 && !guess.impulse.empty()) {
        std::copy(guess.velocity.begin(), guess.velocity.end(), w_.begin());
        std::copy(guess.turning.begin(), guess.turning.end(), w_turn_.begin());
        each_row([&](std::size_t i) { along_[i] = rows[i].stiffness * along(rows[i], w_); });
        spread(rows, along_, kp_);
        for (std::size_t i = 0; i < n; ++i) {
            r_[i] -= guess.impulse[i] + kp_[i];
            r_turn_[i] -= guess.turn[i];
        }
    }
    const PenaltyReport report =
        scale > 0 ? iterate(rows, answers, scale, options) : PenaltyReport{0, 0, true};
    each_row([&](std::size_t i) {
        row_velocity_[i] = row_velocity(rows[i], free_velocity) + along(rows[i], w_);
        impulse_[i] = -(rows[i].pull + rows[i].stiffness * row_velocity_[i]);
    });
    spread(rows, impulse_, node_impulse_);
    return report;
}

PenaltyReport PenaltySolver::iterate(std::span<const PenaltyRow> rows, const Answers& answers, double scale,
                                     const PenaltyOptions& options) {
    PenaltyReport report;
    const std::size_t n = r_.size();
    answers.apply(r_, r_turn_, z_, z_turn_, {});
    double rz = residual_product(), before = 0;
    const double enough = options.tolerance * options.tolerance * scale;
    for (;; ++report.iterations) {
        report.residual = scale > 0 ? std::sqrt(std::max(rz, 0.0) / scale) : 0;
        report.converged = rz <= enough;
        if (report.converged || report.iterations >= options.most_iterations) return report;
        const double beta = report.iterations == 0 ? 0 : rz / before;
        parallel_chunks(n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) {
                p_[i] = z_[i] + beta * p_[i], p_turn_[i] = z_turn_[i] + beta * p_turn_[i];
                cp_[i] = r_[i] + beta * cp_[i], cp_turn_[i] = r_turn_[i] + beta * cp_turn_[i];
            }
        });
        parallel_chunks(rows.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) along_[i] = rows[i].stiffness * along(rows[i], p_);
        });
        spread(rows, along_, kp_);
        const double curvature =
            sum_of(n, [&](std::size_t i) { return dot(p_[i], cp_[i] + kp_[i]) + p_turn_[i] * cp_turn_[i]; });
        if (!(curvature > 0)) return report;
        const double step = rz / curvature;
        parallel_chunks(n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) {
                w_[i] += step * p_[i], w_turn_[i] += step * p_turn_[i];
                r_[i] -= step * (cp_[i] + kp_[i]), r_turn_[i] -= step * cp_turn_[i];
            }
        });
        answers.apply(r_, r_turn_, z_, z_turn_, {});
        before = rz;
        rz = residual_product();
    }
}

std::size_t PenaltySolver::memory() const {
    std::size_t vectors = 0, numbers = along_.capacity() + impulse_.capacity() + row_velocity_.capacity();
    for (const auto* v : {&w_, &r_, &z_, &p_, &cp_, &kp_, &node_impulse_}) vectors += v->capacity();
    for (const auto* v : {&w_turn_, &r_turn_, &z_turn_, &p_turn_, &cp_turn_}) numbers += v->capacity();
    return vectors * sizeof(Vec3d) + numbers * sizeof(double) +
           (start_.capacity() + parts_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace rivulet::contact
