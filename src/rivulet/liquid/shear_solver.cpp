#include <rivulet/liquid/shear_solver.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>

namespace rivulet::liquid {
namespace {

using linear::for_entries;

/// √(rᵀ M⁻¹ r) [√kg m/s], r [kg m/s] by free faces.
template <class F>
double mass_norm(std::span<const double> inverse_mass, F&& r) {
    return std::sqrt(ordered_reduce(
        inverse_mass.size(), 8192, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += r(i) * r(i) * inverse_mass[i];
            return sum;
        },
        [](double a, double b) { return a + b; }));
}

/// How often a Newton step that makes things worse is halved.
constexpr int kMostHalvings = 3;
/// Times the residual expected of a Newton step.
constexpr double kCertainty = 3;
/// Residual after a Newton step, over that before, below which the next one can be trusted to fall too.
constexpr double kGoodFall = 0.3;
/// Tolerance down to which stresses of single precision are good enough.
constexpr double kFinestSingle = 1e-4;

}  // namespace

void ShearSolver::start(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                        const grid::Field& liquid_distance, const grid::Field& solid_distance,
                        const grid::FaceField& mass) {
    faces_.build(topology, boundary, liquid_distance, solid_distance, mass);
    all_in_.assign(3 * topology.cells(), 0.0);
    all_out_.resize(3 * topology.cells());
    full_.resize(faces_.size());
    faces_.moved_mass(full_);
    work_.resize(faces_.free_size());
    step_.resize(faces_.free_size());
    inverse_mass_.resize(faces_.free_size());
    for_entries(inverse_mass_.size(), [&](std::size_t i) { inverse_mass_[i] = 1 / full_[i]; });
}

/// work_.r ← Δt f(u) − M (u − start) on free faces; its norm.
double ShearSolver::residual(const ShearParticles& particles, std::span<const double> start,
                             std::span<double> u, ShearOperator::Digits digits) {
    faces_.hold(u);
    faces_.scatter(u, all_in_);
    operator_.evaluate(particles, all_in_, all_out_, digits);
    faces_.gather(all_out_, full_);
    for_entries(full_.size(), [&](std::size_t i) { full_[i] -= faces_.mass(i) * (u[i] - start[i]); });
    faces_.release(full_);
    for_entries(work_.r.size(), [&](std::size_t i) { work_.r[i] = float(full_[i]); });
    return mass_norm(inverse_mass_, [&](std::size_t i) { return full_[i]; });
}

/// ax ← (M + Δt² K) x on free faces, what held ones feel included.
void ShearSolver::apply(const ShearParticles& particles, std::span<const float> x, std::span<float> ax) {
    for_entries(x.size(), [&](std::size_t i) { full_[i] = double(x[i]); });
    faces_.hold_change(full_);
    faces_.scatter(full_, all_in_);
    operator_.apply(particles, all_in_, all_out_);
    for_entries(full_.size(),
                [&](std::size_t i) { full_[i] = all_out_[faces_.place(i)] + faces_.mass(i) * full_[i]; });
    faces_.release(full_);
    for_entries(ax.size(), [&](std::size_t i) { ax[i] = float(full_[i]); });
}

void ShearSolver::predict(const ShearParticles& particles, const grid::Field* skin, std::span<double> added,
                          std::span<double> pushed) {
    operator_.present_impulse(particles, all_out_);
    faces_.gather(all_out_, added);
    std::fill(pushed.begin(), pushed.end(), 0.0);
    if (skin) {
        operator_.skin_impulse(particles, *skin, all_out_);
        faces_.gather(all_out_, pushed);
        for_entries(added.size(), [&](std::size_t i) {
            added[i] += pushed[i];
            pushed[i] /= faces_.mass(i);
        });
    }
    faces_.release(added);
    for_entries(added.size(), [&](std::size_t i) {
        added[i] = i < inverse_mass_.size() ? added[i] * inverse_mass_[i] : 0.0;
    });
}

ShearReport ShearSolver::solve(const ShearParticles& particles, const ShearOptions& options,
                               std::span<const double> start, std::span<double> u) {
    ShearReport report;
    const auto digits =
        options.tolerance < kFinestSingle ? ShearOperator::Digits::twofold : ShearOperator::Digits::single;
    double left = residual(particles, start, u, digits), scale = 0, before = 0;
    double untold = 1;  // what a step leaves beyond its linear solve, the tangent not being exact; of `left`
    for (;;) {
        // NOTE: the impulse of the stress is what the residual is measured against; where it is balanced, at
        // rest, the start differs from the velocity by just that impulse.
        const double moved =
            mass_norm(inverse_mass_, [&](std::size_t i) { return faces_.mass(i) * (u[i] - start[i]); });
        scale = std::max({scale, moved, left});
        report.residual = scale > 0 ? left / scale : 0;
        if (!std::isfinite(left)) throw StepFailed("liquid", "the stress is not finite");
        const bool spent = report.iterations >= options.most_products;
        if (spent && report.residual > options.worst)
            throw StepFailed("liquid",
                             fmt::format("{} products of the shear solve leave a residual of {:.2g}",
                                         report.iterations, report.residual),
                             report.residual);
        if (spent || report.newton_steps == options.newton_steps || left <= options.tolerance * scale) break;
        // No better than the Newton step needs to reach its tolerance.
        const double enough = std::max(options.linear, 0.3 * options.tolerance * scale / left);
        // The right-hand side is where the solve keeps its residual anyway.
        const auto result = linear::pcg(
            [&](std::span<const float> x, std::span<float> ax) { apply(particles, x, ax); },
            [&](std::span<const float> r, std::span<float> z) {
                for_entries(r.size(), [&](std::size_t i) { z[i] = float(inverse_mass_[i]) * r[i]; });
            },
            work_.r, step_, work_, {enough, options.most_products - report.iterations, 0, true});
        report.iterations += result.iterations;
        if (!std::isfinite(result.relative_residual)) throw StepFailed("liquid", "the linear solve diverges");
        for_entries(step_.size(), [&](std::size_t i) { u[i] += double(step_[i]); });
        ++report.newton_steps;
        // A step that will end well below the tolerance when its tangent is as good as that of the last one
        // is not looked at, nor the last one allowed after one that fell well.
        const double linear = mass_norm(inverse_mass_, [&](std::size_t i) { return double(work_.r[i]); });
        const double expected = scale > 0 ? (linear + untold * left) / scale : 0;
        const bool is_last = report.newton_steps == options.newton_steps && left < kGoodFall * before;
        if (is_last || kCertainty * expected <= options.tolerance) {
            report.residual = expected;
            faces_.hold(u);
            break;
        }
        before = left;
        double next = residual(particles, start, u, digits);
        for (int halving = 0; halving < kMostHalvings && !(next <= left); ++halving) {
            for_entries(step_.size(), [&](std::size_t i) {
                step_[i] *= 0.5F;
                u[i] -= double(step_[i]);
            });
            next = residual(particles, start, u, digits);
        }
        untold = next < left ? std::sqrt(std::max(next * next - linear * linear, 0.0)) / left : 1;
        left = next;
    }
    return report;
}

}  // namespace rivulet::liquid
