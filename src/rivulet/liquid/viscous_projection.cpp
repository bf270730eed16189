#include <rivulet/liquid/viscous_projection.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/liquid/cell_outflow.h>

namespace rivulet::liquid {
namespace {

using linear::for_entries;
constexpr int kCells = grid::kBlockCells;

template <class F>
void for_each_cell(const grid::Topology& topology, F&& body) {
    parallel_chunks(topology.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const CellNeighbours near(topology, b);
            for (int c = 0; c < kCells; ++c) body(near, c, b * kCells + std::size_t(c));
        }
    });
}

}  // namespace

/// u_ ← velocities, walls at their own speed.
void ViscousProjection::load(const ViscousDomain& domain, const grid::FaceField& velocity) {
    const std::size_t n = domain.flow.topology.cells();
    u_.resize(3 * n);
    for (std::size_t axis = 0; axis < 3; ++axis)
        for_entries(n, [&](std::size_t e) {
            const auto kind = operator_.face(axis, e);
            u_[axis * n + e] = kind == ViscousOperator::unknown ? velocity[axis][e]
                               : kind == ViscousOperator::air   ? 0.0
                                                                : domain.flow.boundary.solid_speed(axis, e);
        });
}

/// correction_ ← (M + ΔtK)⁻¹ rhs.
int ViscousProjection::solve_viscous(std::span<const double> rhs, double tolerance,
                                     const ViscosityOptions& options) {
    const auto places = rows_.places();
    row_rhs_.resize(rows_.size());
    row_x_.assign(rows_.size(), 0.0);
    for_entries(rows_.size(), [&](std::size_t i) { row_rhs_[i] = rhs[places[i]]; });
    const auto result =
        linear::pcg([&](std::span<const double> x, std::span<double> ax) { rows_.apply(x, ax); },
                    [&](std::span<const double> r, std::span<double> z) {
                        if (operator_.stiffness() < options.multigrid_from)
                            rows_.precondition(r, z);
                        else
                            multigrid_.apply(r, z);
                    },
                    row_rhs_, row_x_, work_, {tolerance, options.most_iterations});
    correction_.assign(rhs.size(), 0.0);
    for_entries(rows_.size(), [&](std::size_t i) { correction_[places[i]] = row_x_[i]; });
    if (!result.converged)
        throw StepFailed("liquid",
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
    if (report.stiffness > 0) rows_.build(operator_);
    if (report.stiffness >= options.multigrid_from) multigrid_.build(domain.flow.topology, operator_, rows_);
    load(domain, velocity);
    const std::size_t n = domain.flow.topology.cells();
    rhs_.resize(3 * n);
    if (report.stiffness > 0) {
        operator_.apply(u_, rhs_);
        for (std::size_t axis = 0; axis < 3; ++axis)
            for_entries(n, [&](std::size_t e) {
                const std::size_t i = axis * n + e;
                const bool unknown = operator_.face(axis, e) == ViscousOperator::unknown;
                rhs_[i] = unknown ? operator_.mass(axis, e) * u_[i] - rhs_[i] : 0.0;
            });
        report.viscous_iterations = solve_viscous(rhs_, options.tolerance, options);
        for_entries(3 * n, [&](std::size_t i) { u_[i] += correction_[i]; });
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
        for_entries(n, [&](std::size_t e) {
            if (operator_.face(axis, e) != ViscousOperator::air) velocity[axis][e] = u_[axis * n + e];
        });
    return report;
}

/// force ← carried (p_here − p_below)/Δx on unknown faces, p outside the liquid that of the surface or 0.
void ViscousProjection::pressure_force(const PressureDomain& domain, const PressureSystem& system,
                                       std::span<const double> p, bool with_surface,
                                       std::span<double> force) const {
    const std::size_t n = domain.topology.cells();
    const grid::FaceField& carried = domain.flow.carried();
    const double inverse = 1 / domain.topology.cell;
    for_each_cell(domain.topology, [&](const CellNeighbours& near, int c, std::size_t e) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double f = 0;
            if (operator_.face(axis, e) == ViscousOperator::unknown) {
                const std::size_t low = std::size_t(near.lower(c, axis));
                const auto outside = [&](std::size_t liquid, std::size_t air) {
                    return with_surface
                               ? domain.pressure_at_surface(liquid, air, domain.way_to_surface(liquid, air))
                               : 0.0;
                };
                const double here = system.liquid[e] ? p[e] : outside(low, e);
                const double below = system.liquid[low] ? p[low] : outside(e, low);
                f = carried[axis][e] * (here - below) * inverse;
            }
            force[axis * n + e] = f;
        }
    });
}

/// out ← Σ ±carried u/Δx in liquid cells, 0 elsewhere.
void ViscousProjection::divergence(const PressureDomain& domain, const PressureSystem& system,
                                   std::span<const double> u, std::span<double> out) const {
    const std::size_t n = domain.topology.cells();
    const double inverse = 1 / domain.topology.cell;
    const grid::FaceField& carried = domain.flow.carried();
    const auto of_liquid = [&](std::size_t axis, std::size_t face) {
        return carried[axis][face] * u[axis * n + face];
    };
    for_each_cell(domain.topology, [&](const CellNeighbours& near, int c, std::size_t e) {
        out[e] = system.liquid[e] ? cell_outflow(near, c, e, of_liquid) * inverse : 0.0;
    });
}

/// out += divergence that a pressure gives to the flux of others.
void ViscousProjection::add_answer(const PressureDomain& domain, const PressureSystem& system,
                                   std::span<const double> p, std::span<double> out) {
    if (domain.flow.answer()[0].empty()) return;
    grid::fill(others_, domain.topology.cells(), 0.0);
    answer_pressure(domain, system, p, others_);
    const auto of_others = [&](std::size_t axis, std::size_t face) { return others_[axis][face]; };
    for_each_cell(domain.topology, [&](const CellNeighbours& near, int c, std::size_t e) {
        if (!system.liquid[e]) return;
        out[e] += cell_outflow(near, c, e, of_others) / domain.topology.cell;
    });
}

/// resistance_ ← pressure that a unit of divergence needs in each liquid cell while its neighbours keep
/// theirs, with A = M + ΔtK taken for its diagonal:
///
///     1 / resistance = ⅔ Σ_faces Δt carried² / (Δx² A_ff),
///
/// ⅔ so that it is 2μ in stiff liquid of one viscosity, where A_ff = 8 Δtμ/Δx². Beside thin liquid, a free
/// surface or a wall that cuts the cell and lets liquid slide, a face that little holds back makes it small:
/// 2μ there is too much by the stiffness, and the iterations grow with its root.
void ViscousProjection::find_resistance(const PressureDomain& domain, const PressureSystem& system) {
    const std::size_t n = domain.topology.cells();
    const double scale = 2.0 / 3 * domain.dt / (domain.topology.cell * domain.topology.cell);
    resistance_.resize(n);
    for_each_cell(domain.topology, [&](const CellNeighbours& near, int c, std::size_t e) {
        if (!system.liquid[e]) return;
        double yielding = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const std::size_t face : {e, std::size_t(near.upper(c, axis))}) {
                const double diagonal = rows_.diagonal_at(axis * n + face),
                             carried = domain.flow.carried()[axis][face];
                if (diagonal > 0) yielding += scale * carried * carried / diagonal;
            }
        resistance_[e] = yielding > 0 ? 1 / yielding : 0.0;
    });
}

/// moving_ ← the system of faces that a pressure moves here: not those where a no-slip wall that cuts them
/// holds the liquid. Cells that only such faces join to others or to the air are closed pockets of the Stokes
/// problem, although the matrix of the last projection has a way out of them.
void ViscousProjection::find_moving(const PressureDomain& domain, const PressureSystem& system) {
    const std::size_t n = domain.topology.cells();
    const grid::FaceField& answer = domain.flow.answer();
    const auto moves = [&](std::size_t axis, std::size_t face) {
        return operator_.face(axis, face) == ViscousOperator::unknown ||
               (!answer[0].empty() && answer[axis][face] > 0);
    };
    for (auto& coupling : moving_.coupling) coupling.resize(n);
    moving_.surface.resize(n);
    moving_.liquid = system.liquid;
    moving_.rhs = system.rhs;
    moving_.terms = system.terms;
    for_each_cell(domain.topology, [&](const CellNeighbours& near, int c, std::size_t e) {
        bool to_air = false;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            moving_.coupling[axis][e] = moves(axis, e) ? system.coupling[axis][e] : 0.0;
            if (!(system.surface[e] > 0)) continue;
            const std::size_t low = std::size_t(near.lower(c, axis)), up = std::size_t(near.upper(c, axis));
            to_air =
                to_air || (!system.liquid[low] && moves(axis, e)) || (!system.liquid[up] && moves(axis, up));
        }
        moving_.surface[e] = to_air ? system.surface[e] : 0.0;
    });
}

/// r_ ← what the velocity without pressure leaves of the wanted divergence, with the pull of the surface in
/// it.
void ViscousProjection::start_residual(const PressureDomain& flow, const PressureSystem& system,
                                       double tolerance, const ViscosityOptions& options,
                                       ViscosityReport& report) {
    const std::size_t n = flow.topology.cells();
    if (flow.surface_pressure) {
        pressure_force(flow, system, p_, true, rhs_);
        for_entries(3 * n, [&](std::size_t i) { rhs_[i] *= -flow.dt; });
        report.viscous_iterations += solve_viscous(rhs_, tolerance, options);
        for_entries(3 * n, [&](std::size_t i) { u_[i] += correction_[i]; });
    }
    divergence(flow, system, u_, r_);
    for_entries(n, [&](std::size_t e) {
        const double wanted = flow.expansion && system.liquid[e] ? (*flow.expansion)[e] : 0.0;
        r_[e] = wanted - r_[e] - (system.wall_flux.empty() ? 0.0 : system.wall_flux[e]);
    });
    if (flow.surface_pressure && !flow.flow.answer()[0].empty()) {
        std::fill(sd_.begin(), sd_.end(), 0.0);
        add_answer(flow, system, p_, sd_);
        for_entries(n, [&](std::size_t e) { r_[e] -= sd_[e]; });
    }
}

void ViscousProjection::couple(const ViscousDomain& domain, PressureSystem& system,
                               const ViscosityOptions& options, ViscosityReport& report) {
    const PressureDomain& flow = domain.flow;
    const std::size_t n = flow.topology.cells();
    // NOTE: what inner solves leave adds to the divergence in proportion to the direction they are done for,
    // and directions shrink with the outer residual: the first need this part of the outer tolerance, later
    // ones less. Outer iterations stay what they are with exact inner solves.
    const double first_tolerance = 0.1 * options.coupled_tolerance, most_tolerance = 0.03;
    p_.assign(n, 0.0);
    z_.assign(n, 0.0);
    d_.assign(n, 0.0);
    for (auto* v : {&r_, &r_before_, &sd_}) v->resize(n);
    start_residual(flow, system, first_tolerance, options, report);
    PressureDomain no_surface = flow;  // of a change of pressure
    no_surface.surface_pressure = nullptr;
    find_moving(flow, system);
    solver_.begin_approximate(flow.topology, moving_);
    // NOTE: conjugate gradients on a singular system grow without bound when the right side has a part that
    // no pressure answers, as in a pocket that moving walls squeeze. The last projection balances it as well.
    solver_.balance(r_);
    find_resistance(flow, system);
    const double first = std::sqrt(linear::dot(r_, r_));
    double rz = 0;
    for (int k = 0; k < options.most_coupled_iterations; ++k) {
        const double left = std::sqrt(linear::dot(r_, r_));
        if (left <= options.coupled_tolerance * first) break;
        solver_.approximate(r_, z_);
        for_entries(n, [&](std::size_t e) {
            if (system.liquid[e]) z_[e] += resistance_[e] * r_[e];
        });
        const double rz_new = linear::dot(r_, z_);
        // Polak-Ribière: forgiving about inner solves that stop early.
        const double beta = k == 0 ? 0.0 : std::max(0.0, (rz_new - linear::dot(r_before_, z_)) / rz);
        rz = rz_new;
        for_entries(n, [&](std::size_t e) {
            d_[e] = z_[e] + beta * d_[e];
            r_before_[e] = r_[e];
        });
        pressure_force(flow, system, d_, false, rhs_);
        for_entries(3 * n, [&](std::size_t i) { rhs_[i] *= -flow.dt; });
        report.viscous_iterations +=
            solve_viscous(rhs_, std::min(most_tolerance, first_tolerance * first / left), options);
        divergence(flow, system, correction_, sd_);
        add_answer(no_surface, system, d_, sd_);
        add_terms(system, d_, sd_);
        const double curvature = linear::dot(d_, sd_);
        if (!(curvature > 0)) break;
        const double alpha = linear::dot(r_, d_) / curvature;
        for_entries(3 * n, [&](std::size_t i) { u_[i] += alpha * correction_[i]; });
        for_entries(n, [&](std::size_t e) {
            p_[e] += alpha * d_[e];
            r_[e] -= alpha * sd_[e];
        });
        ++report.coupled_iterations;
    }
    if (const double left = std::sqrt(linear::dot(r_, r_)); !(left <= first))
        throw StepFailed("liquid",
                         fmt::format("pressure and velocity not found: residual {:.2g} after {} iterations",
                                     left / first, report.coupled_iterations),
                         left / first);
}

PressureReport ViscousProjection::project(const ViscousDomain& domain,
                                          const PressureOptions& pressure_options,
                                          const ViscosityOptions& options, Projection& projection,
                                          grid::FaceField& velocity, grid::Field& pressure,
                                          ViscosityReport& report) {
    const PressureDomain& flow = domain.flow;
    report = {};
    // NOTE: the Stokes problem knows no compressible liquid: that is split.
    if (operator_.stiffness() < options.coupled_from || flow.compliance)
        return projection.project_assembled(flow, pressure_options, velocity, pressure);

    PressureSystem& system = projection.system();
    assemble_rhs(flow, velocity, system);
    couple(domain, system, options, report);
    const std::size_t n = flow.topology.cells();
    for (std::size_t axis = 0; axis < 3; ++axis)
        for_entries(n, [&](std::size_t e) {
            if (operator_.face(axis, e) == ViscousOperator::unknown) velocity[axis][e] = u_[axis * n + e];
        });
    // The surface pressure has had its effect: the last projection only removes the divergence left. Its
    // pressure is a correction of either sign, so walls do not let go here: thick liquid sticks.
    PressureDomain rest = flow;
    rest.surface_pressure = nullptr;
    rest.acting = p_;
    if (!flow.flow.answer()[0].empty()) {
        others_ = flow.others_flux();
        answer_pressure(flow, system, p_, others_);
        rest.others = &others_;
    }
    PressureOptions last_options = pressure_options;
    last_options.most_separations = 0;
    const PressureReport last = projection.project_assembled(rest, last_options, velocity, pressure);
    for_entries(n, [&](std::size_t e) { pressure[e] += p_[e]; });
    return last;
}

}  // namespace rivulet::liquid
