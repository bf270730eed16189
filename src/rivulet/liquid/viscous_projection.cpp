#include <rivulet/liquid/viscous_projection.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/free_surface.h>

namespace rivulet::liquid {
namespace {

constexpr int kCells = grid::kBlockCells;
constexpr std::size_t kGrain = 16384;

template <class F>
void for_each_entry(std::size_t n, F&& body) {
    parallel_chunks(n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) body(i);
    });
}

/// body(slot, cell in block, entry in the grid, entry among covered blocks) for every covered cell.
template <class F>
void for_covered_cells(const ViscousOperator& a, F&& body) {
    parallel_chunks(a.blocks().size(), 32, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t slot = begin; slot < end; ++slot)
            for (int c = 0; c < kCells; ++c)
                body(slot, c, a.blocks()[slot] * kCells + std::size_t(c), slot * kCells + std::size_t(c));
    });
}

}  // namespace

/// u_ ← velocities, walls at their own speed.
void ViscousProjection::load(const ViscousDomain& domain, const grid::FaceField& velocity) {
    const std::size_t n = operator_.entries();
    u_.resize(3 * n);
    for_covered_cells(operator_, [&](std::size_t, int, std::size_t e, std::size_t here) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto kind = operator_.face(axis, e);
            u_[axis * n + here] = kind == ViscousOperator::unknown ? velocity[axis][e]
                                  : kind == ViscousOperator::air
                                      ? 0.0
                                      : domain.flow.boundary.solid_velocity[axis][e];
        }
    });
}

/// velocity ← u_ on faces that are not air's.
void ViscousProjection::store(grid::FaceField& velocity) const {
    const std::size_t n = operator_.entries();
    for_covered_cells(operator_, [&](std::size_t, int, std::size_t e, std::size_t here) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (operator_.face(axis, e) != ViscousOperator::air) velocity[axis][e] = u_[axis * n + here];
    });
}

/// correction_ ← (M + ΔtK)⁻¹ rhs.
int ViscousProjection::solve_viscous(std::span<const double> rhs, double tolerance,
                                     const ViscosityOptions& options) {
    correction_.assign(rhs.size(), 0.0);
    const auto result =
        linear::pcg([&](std::span<const double> x, std::span<double> ax) { operator_.apply(x, ax); },
                    [&](std::span<const double> r, std::span<double> z) { operator_.precondition(r, z); },
                    rhs, correction_, work_, {tolerance, options.most_iterations});
    if (!result.converged)
        throw StepFailed("viscosity", "liquid",
                         fmt::format("velocity not found: residual {:.2g} after {} iterations",
                                     result.relative_residual, result.iterations),
                         result.relative_residual);
    return result.iterations;
}

ViscosityReport ViscousProjection::diffuse(const ViscousDomain& domain, const ViscosityOptions& options,
                                           grid::FaceField& velocity) {
    ViscosityReport report;
    operator_.build(domain);
    report.stiffness = operator_.stiffness();
    load(domain, velocity);
    rhs_.resize(operator_.size());
    if (report.stiffness > 0) {
        // Fixed faces pull through the operator; the solve finds the change of the unknown ones.
        operator_.apply(u_, rhs_);
        const std::size_t n = operator_.entries();
        for_covered_cells(operator_, [&](std::size_t, int, std::size_t e, std::size_t here) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::size_t i = axis * n + here;
                const bool unknown = operator_.face(axis, e) == ViscousOperator::unknown;
                rhs_[i] = unknown ? operator_.mass(i) * u_[i] - rhs_[i] : 0.0;
            }
        });
        report.viscous_iterations = solve_viscous(rhs_, options.tolerance, options);
        for_each_entry(operator_.size(), [&](std::size_t i) { u_[i] += correction_[i]; });
    }
    store(velocity);
    return report;
}

/// force ← open (p_here − p_below)/Δx on unknown faces, p outside the liquid that of the surface or 0.
void ViscousProjection::pressure_force(const PressureDomain& domain, const PressureSystem& system,
                                       std::span<const double> p, bool with_surface,
                                       std::span<double> force) const {
    const std::size_t n = operator_.entries();
    const double inverse = 1 / domain.topology.cell;
    const auto outside = [&](std::size_t liquid, std::size_t air) {
        if (!with_surface || !domain.surface_pressure) return 0.0;
        const double t =
            surface_fraction(domain.liquid_distance[liquid], std::max(0.0, domain.liquid_distance[air]));
        return (1 - t) * (*domain.surface_pressure)[liquid] + t * (*domain.surface_pressure)[air];
    };
    for_covered_cells(operator_, [&](std::size_t slot, int c, std::size_t e, std::size_t here) {
        const CellNeighbours near(domain.topology, operator_.blocks()[slot]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double f = 0;
            if (operator_.face(axis, e) == ViscousOperator::unknown) {
                const std::size_t low = std::size_t(near.lower(c, axis));
                const double above = system.liquid[e] ? p[e] : outside(low, e);
                const double below = system.liquid[low] ? p[low] : outside(e, low);
                f = domain.boundary.open[axis][e] * (above - below) * inverse;
            }
            force[axis * n + here] = f;
        }
    });
}

/// out ← Σ ±open u/Δx in liquid cells, 0 elsewhere; per cell of the grid.
void ViscousProjection::divergence(const PressureDomain& domain, const PressureSystem& system,
                                   std::span<const double> u, std::span<double> out) const {
    const std::size_t n = operator_.entries();
    const double inverse = 1 / domain.topology.cell;
    for_each_entry(out.size(), [&](std::size_t e) { out[e] = 0; });
    for_covered_cells(operator_, [&](std::size_t slot, int c, std::size_t e, std::size_t here) {
        if (!system.liquid[e]) return;
        const CellNeighbours near(domain.topology, operator_.blocks()[slot]),
            packed = operator_.neighbours(slot);
        double sum = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto& open = domain.boundary.open[axis];
            sum += open[std::size_t(near.upper(c, axis))] * u[axis * n + std::size_t(packed.upper(c, axis))] -
                   open[e] * u[axis * n + here];
        }
        out[e] = sum * inverse;
    });
}

/// Adds to u_ what the pressure p_ of the Stokes problem does to it.
void ViscousProjection::couple(const ViscousDomain& domain, PressureSystem& system,
                               const ViscosityOptions& options, ViscosityReport& report) {
    const PressureDomain& flow = domain.flow;
    const std::size_t n = flow.topology.cells();
    // NOTE: the inner solves stay this far below the outer tolerance so that the outer directions remain
    // conjugate.
    const double inner_tolerance = 0.1 * options.coupled_tolerance;
    p_.assign(n, 0.0);
    z_.assign(n, 0.0);
    d_.assign(n, 0.0);
    for (auto* v : {&r_, &r_before_, &sd_}) v->resize(n);
    if (flow.surface_pressure) {
        pressure_force(flow, system, p_, true, rhs_);
        for_each_entry(operator_.size(), [&](std::size_t i) { rhs_[i] *= -flow.dt; });
        report.viscous_iterations += solve_viscous(rhs_, inner_tolerance, options);
        for_each_entry(operator_.size(), [&](std::size_t i) { u_[i] += correction_[i]; });
    }
    divergence(flow, system, u_, r_);
    for_each_entry(n, [&](std::size_t e) {
        const double wanted = flow.expansion && system.liquid[e] ? (*flow.expansion)[e] : 0.0;
        r_[e] = wanted - r_[e] - system.wall_flux[e];
    });
    solver_.begin_approximate(flow.topology, system);
    const double first = std::sqrt(linear::dot(r_, r_));
    double rz = 0;
    for (int k = 0; k < options.most_coupled_iterations; ++k) {
        if (std::sqrt(linear::dot(r_, r_)) <= options.coupled_tolerance * first) break;
        solver_.approximate(flow.topology, r_, z_);
        for_each_entry(n, [&](std::size_t e) {
            if (system.liquid[e]) z_[e] += 2 * domain.viscosity[e] * r_[e];
        });
        const double rz_new = linear::dot(r_, z_);
        // Polak-Ribière: forgiving about inner solves that stop early.
        const double beta = k == 0 ? 0.0 : std::max(0.0, (rz_new - linear::dot(r_before_, z_)) / rz);
        rz = rz_new;
        for_each_entry(n, [&](std::size_t e) {
            d_[e] = z_[e] + beta * d_[e];
            r_before_[e] = r_[e];
        });
        pressure_force(flow, system, d_, false, rhs_);
        for_each_entry(operator_.size(), [&](std::size_t i) { rhs_[i] *= -flow.dt; });
        report.viscous_iterations += solve_viscous(rhs_, inner_tolerance, options);
        divergence(flow, system, correction_, sd_);
        const double curvature = linear::dot(d_, sd_);
        if (!(curvature > 0)) break;
        const double alpha = linear::dot(r_, d_) / curvature;
        for_each_entry(operator_.size(), [&](std::size_t i) { u_[i] += alpha * correction_[i]; });
        for_each_entry(n, [&](std::size_t e) {
            p_[e] += alpha * d_[e];
            r_[e] -= alpha * sd_[e];
        });
        ++report.coupled_iterations;
    }
}

PressureReport ViscousProjection::project(const PressureDomain& domain, const grid::Field& viscosity,
                                          const grid::Field* solid_distance,
                                          const PressureOptions& pressure_options,
                                          const ViscosityOptions& options, grid::FaceField& velocity,
                                          grid::Field& pressure, ViscosityReport& report) {
    assemble_matrix(domain, system_);
    const ViscousDomain viscous{domain, system_.liquid, viscosity, solid_distance};
    report = diffuse(viscous, options, velocity);
    if (report.stiffness < options.coupled_from)
        return projection_.project(domain, pressure_options, velocity, pressure);

    assemble_rhs(domain, velocity, system_);
    couple(viscous, system_, options, report);
    store(velocity);
    // The surface pressure has had its effect: the last projection only removes the divergence left. Its
    // pressure is a correction of either sign, so walls do not let go here: thick liquid sticks.
    PressureDomain rest = domain;
    rest.surface_pressure = nullptr;
    PressureOptions last_options = pressure_options;
    last_options.most_separations = 0;
    const PressureReport last = projection_.project(rest, last_options, velocity, pressure);
    for_each_entry(pressure.size(), [&](std::size_t e) { pressure[e] += p_[e]; });
    return last;
}

}  // namespace rivulet::liquid
