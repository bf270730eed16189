#include <rivulet/liquid/shear_solver.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>

namespace rivulet::liquid {
namespace {

template <class F>
void for_entries(std::size_t n, F&& body) {
    parallel_chunks(n, 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) body(i);
    });
}

/// How often a Newton step that makes things worse is halved.
constexpr int kMostHalvings = 3;
/// Times the residual expected of a Newton step from the fall in the one before.
constexpr double kCertainty = 3;

}  // namespace

void ShearSolver::start(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                        const grid::Field& liquid_distance, const grid::Field& solid_distance,
                        const grid::FaceField& mass) {
    faces_.build(topology, boundary, liquid_distance, solid_distance, mass);
    const std::size_t n = faces_.size();
    for (auto* v : {&start_, &u_, &step_, &rest_, &full_, &inverse_mass_}) v->resize(n);
    faces_.moved_mass(inverse_mass_);
    for_entries(n, [&](std::size_t i) { inverse_mass_[i] = faces_.free(i) ? 1 / inverse_mass_[i] : 0; });
}

/// √(rᵀ M⁻¹ r) [√kg m/s].
double ShearSolver::mass_norm(std::span<const double> r) const {
    return std::sqrt(ordered_reduce(
        r.size(), 8192, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += r[i] * r[i] * inverse_mass_[i];
            return sum;
        },
        [](double a, double b) { return a + b; }));
}

/// rest_ ← Δt f(u_) − M (u_ − start_) on free faces; its norm.
double ShearSolver::residual(const ShearParticles& particles) {
    faces_.hold(std::span<double>(u_));
    operator_.evaluate(particles, u_, rest_);
    for_entries(rest_.size(), [&](std::size_t i) { rest_[i] -= faces_.mass(i) * (u_[i] - start_[i]); });
    faces_.release(rest_);
    return mass_norm(rest_);
}

void ShearSolver::predict(const ShearParticles& particles, grid::FaceField& added) {
    const std::size_t n = particles.topology.cells();
    operator_.present_impulse(particles, rest_);
    faces_.release(rest_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        added[axis].resize(n);
        for_entries(n, [&](std::size_t e) {
            const std::size_t i = axis * n + e;
            added[axis][e] = rest_[i] * inverse_mass_[i];
        });
    }
}

ShearReport ShearSolver::solve(const ShearParticles& particles, const ShearOptions& options,
                               grid::FaceField& velocity, const grid::FaceField* guess) {
    const std::size_t n = particles.topology.cells();
    for (std::size_t axis = 0; axis < 3; ++axis)
        for_entries(n, [&](std::size_t e) {
            start_[axis * n + e] = velocity[axis][e];
            u_[axis * n + e] = guess ? (*guess)[axis][e] : velocity[axis][e];
        });
    ShearReport report;
    double left = residual(particles), scale = 0, before = 0;
    for (;;) {
        // NOTE: the impulse of the stress is what the residual is measured against; where it is balanced, at
        // rest, the start differs from the velocity by just that impulse.
        for_entries(u_.size(), [&](std::size_t i) {
            step_[i] = faces_.free(i) ? faces_.mass(i) * (u_[i] - start_[i]) : 0.0;
        });
        scale = std::max({scale, mass_norm(step_), left});
        report.residual = scale > 0 ? left / scale : 0;
        if (!std::isfinite(left)) throw StepFailed("solve_shear", "liquid", "the stress is not finite");
        const bool spent = report.iterations >= options.most_products;
        if (spent && report.residual > options.worst)
            throw StepFailed("solve_shear", "liquid",
                             fmt::format("{} products of the shear solve leave a residual of {:.2g}",
                                         report.iterations, report.residual),
                             report.residual);
        if (spent || report.newton_steps == options.newton_steps || left <= options.tolerance * scale) break;
        const auto apply = [&](std::span<const double> x, std::span<double> ax) {
            for_entries(x.size(), [&](std::size_t i) { full_[i] = x[i]; });
            faces_.hold_change(full_);
            operator_.apply(particles, full_, ax);
            for_entries(ax.size(), [&](std::size_t i) { ax[i] += faces_.mass(i) * full_[i]; });
            faces_.release(ax);
        };
        // No better than the Newton step needs to reach its tolerance.
        const double enough = std::max(options.linear, 0.3 * options.tolerance * scale / left);
        const auto result =
            linear::pcg(apply,
                        [&](std::span<const double> r, std::span<double> z) {
                            for_entries(r.size(), [&](std::size_t i) { z[i] = inverse_mass_[i] * r[i]; });
                        },
                        rest_, step_, work_, {enough, options.most_products - report.iterations, 0, true});
        report.iterations += result.iterations;
        if (!std::isfinite(result.relative_residual))
            throw StepFailed("solve_shear", "liquid", "the linear solve diverges");
        for_entries(u_.size(), [&](std::size_t i) { u_[i] += step_[i]; });
        ++report.newton_steps;
        // A step that will end well below the tolerance when it falls as far as the last one is not looked
        // at.
        const double expected = before > 0 ? left / before * report.residual : 1;
        if (kCertainty * expected <= options.tolerance) {
            report.residual = expected;
            faces_.hold(std::span<double>(u_));
            break;
        }
        before = left;
        double next = residual(particles);
        for (int halving = 0; halving < kMostHalvings && !(next <= left); ++halving) {
            for_entries(u_.size(), [&](std::size_t i) {
                step_[i] *= 0.5;
                u_[i] -= step_[i];
            });
            next = residual(particles);
        }
        left = next;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
        for_entries(n, [&](std::size_t e) { velocity[axis][e] = u_[axis * n + e]; });
    return report;
}

}  // namespace rivulet::liquid
