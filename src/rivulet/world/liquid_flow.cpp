#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/coupling/wall_slip.h>
#include <rivulet/grid/level_set.h>
#include <rivulet/grid/topology_loops.h>
#include <rivulet/liquid/skin_pressure.h>
#include <rivulet/liquid/wall_stress.h>
#include <rivulet/world/liquid_stages.h>

namespace rivulet::world {
namespace {

/// Below this 8 μ Δt/(ρ Δx²) viscosity takes less than 0.1 % per step off the strain between two cells and is
/// left out, unless a wall is no-slip.
constexpr double kNegligibleViscosity = 1e-3;
/// Tolerance of pressures that only prepare the last one of a step, over its own.
constexpr double kRough = 100;

/// Bound on the stiffness of the viscous solve over a step.
double viscous_stiffness(const Model& model, double dt) {
    double kinematic = 0;
    for (const auto& m : model.liquid.materials) kinematic = std::max(kinematic, m.viscosity / m.density);
    return 8 * kinematic * dt / (model.cell * model.cell);
}

bool viscosity_matters(const Model& model, double dt, const LiquidScratch& s) {
    const bool clings = std::any_of(s.walls.begin(), s.walls.end(), [](const obstacle::Wall& wall) {
        return wall.condition == obstacle::WallCondition::no_slip;
    });
    const double stiffness = viscous_stiffness(model, dt);
    return stiffness > 0 && (clings || stiffness >= kNegligibleViscosity);
}

/// Volume-weighted mean of a material property over the particles of each cell; cells without particles take
/// the mean of those around them, and where there are none `fallback`. Right where `liquid_distance` < 0.
template <class Property>
void cell_means(const grid::Topology& topology, const grid::ParticleOrder& order,
                const liquid::LiquidState& liquid, const grid::Field& liquid_distance, Property&& property,
                double fallback, grid::Field& out) {
    grid::fill(out, topology.cells(), -1.0);
    grid::for_blocks(topology, [&](std::size_t b) {
        for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c) {
            double sum = 0, volume = 0;
            for (std::size_t p = order.cell_begin(c); p < order.cell_end(c); ++p) {
                sum += liquid.volume[p] * property(liquid.material[p]);
                volume += liquid.volume[p];
            }
            if (volume > 0) out[c] = sum / volume;
        }
    });
    const grid::Field own = out;
    grid::for_blocks(topology, [&](std::size_t b) {
        const int e = grid::kBlockEdge;
        for (int k = 0; k < e; ++k)
            for (int j = 0; j < e; ++j)
                for (int i = 0; i < e; ++i) {
                    const std::size_t c = b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k));
                    if (own[c] >= 0 || !(liquid_distance[c] < 0)) continue;
                    double sum = 0;
                    int n = 0;
                    for (int d = 0; d < 27; ++d) {
                        const std::int64_t near =
                            topology.index(b, i + d % 3 - 1, j + d / 3 % 3 - 1, k + d / 9 - 1);
                        if (near >= 0 && own[std::size_t(near)] >= 0) sum += own[std::size_t(near)], ++n;
                    }
                    out[c] = n > 0 ? sum / n : fallback;
                }
    });
}

void find_viscosity(const Model& model, const liquid::LiquidState& next, LiquidScratch& s) {
    const auto& materials = model.liquid.materials;
    if (s.one_viscosity)
        grid::fill(s.viscosity, s.topology.cells(), materials[0].viscosity);
    else
        cell_means(
            s.topology, s.order, next, s.liquid_distance,
            [&](std::uint8_t m) { return materials[m].viscosity; }, 0.0, s.viscosity);
}

/// What bounds the liquid in this step's shear and pressure.
liquid::PressureDomain domain_of(const Model& model, const StepView& view, const LiquidScratch& s) {
    liquid::PressureDomain domain{s.topology, s.liquid_distance, s.boundary.faces, s.flow, view.dt};
    if (s.compression.any()) s.compression.add_to(domain);
    if (model.liquid.surface_tension) domain.surface_pressure = &s.surface_pressure;
    if (s.remembers) domain.skin = &s.skin;
    if (s.remembers && !s.walls.empty()) domain.wall_pull = &s.wall_pull;
    return domain;
}

liquid::ViscousDomain viscous_domain(const liquid::PressureDomain& domain, const LiquidScratch& s) {
    return {domain, s.projection.system().liquid, s.viscosity, &s.boundary.distance};
}

liquid::ShearParticles shear_particles(const liquid::LiquidState& next, const StepView& view,
                                       const LiquidScratch& s) {
    return {s.topology, s.order, next, s.tearing.laws(), s.tearing.law_of(next), view.dt};
}

liquid::ShearOptions shear_options(const Model& model, double dt) {
    double stiffness = 0;
    for (const auto& m : model.liquid.materials)
        stiffness = std::max(stiffness, liquid::shear_stiffness(m, model.cell, dt));
    return liquid::options_for(stiffness, model.liquid.shear);
}

/// Skin pressure and what shear does across walls, before the step.
void find_skin(const liquid::LiquidState& next, const liquid::PressureDomain& domain, const StepView& view,
               LiquidScratch& s) {
    const liquid::ShearParticles particles = shear_particles(next, view, s);
    liquid::find_skin_pressure(particles, domain, s.walls.empty() ? nullptr : &s.boundary.distance, s.skin);
    if (s.compression.any()) s.compression.measure_from(s.skin);
    if (!s.walls.empty()) liquid::find_wall_pull(particles, s.boundary.distance, s.skin, s.wall_pull);
}

/// Faces that an inflow holds have their velocity whether or not they have liquid beside them.
void keep_held_faces(LiquidScratch& s) {
    if (s.sources.empty()) return;
    const grid::FaceBoundary& faces = s.boundary.faces;
    for (std::size_t a = 0; a < 3; ++a)
        parallel_chunks(s.known[a].size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f)
                if (faces.wall[a][f] == s.hold && faces.open[a][f] == 0) s.known[a][f] = 1;
        });
}

}  // namespace

void start_flow(LiquidScratch& s) {
    if (!s.one_density || s.compression.any())
        s.flow.start(s.boundary.faces, s.face_density);
    else
        s.flow.start(s.boundary.faces, s.density.empty() ? 1000.0 : s.density[0]);
}

void build_flow(const Model& model, const liquid::LiquidState& next, const StepView& view, LiquidScratch& s) {
    if (model.liquid.surface_tension) {
        double sigma = 0;
        for (const auto& m : model.liquid.materials) sigma = std::max(sigma, m.surface_tension);
        s.tension.find_pressure(s.topology, s.liquid_distance, sigma, s.surface_pressure);
    }
    s.viscous = viscosity_matters(model, view.dt, s);
    if (s.viscous) find_viscosity(model, next, s);
    const liquid::PressureDomain domain = domain_of(model, view, s);
    if (s.remembers)
        find_skin(next, domain, view, s);
    else
        s.velocity_before = s.velocity;
    s.projection.assemble(domain);
}

int flow_rounds(const Model& model, const StepView& view, const LiquidScratch& s) {
    return s.remembers ? 1 + shear_options(model, view.dt).passes : 1;
}

void solve_shear(const Model& model, const liquid::LiquidState& next, const StepView& view, int round,
                 LiquidScratch& s, StepCounts& counts) {
    const liquid::PressureDomain domain = domain_of(model, view, s);
    if (s.remembers) {
        const liquid::ShearParticles particles = shear_particles(next, view, s);
        if (round == 0) {
            s.shear.start(particles, domain, s.boundary.distance, s.flow.loaded(s.mass), s.velocity);
        } else {
            const liquid::ShearReport report =
                s.shear.pass(particles, shear_options(model, view.dt), round, s.velocity);
            counts.shear_iterations += report.iterations;
            counts.newton_iterations += report.newton_steps;
        }
    }
    if (s.viscous && !model.liquid.shear.explicit_pressure) {
        const liquid::ViscosityReport report =
            s.viscous_projection.diffuse(viscous_domain(domain, s), model.liquid.viscosity, s.velocity);
        counts.shear_iterations += report.viscous_iterations;
    }
}

void project(const Model& model, const StepView& view, int round, LiquidScratch& s, StepCounts& counts) {
    const bool last = round + 1 == flow_rounds(model, view, s);
    const liquid::PressureDomain domain = domain_of(model, view, s);
    liquid::PressureOptions options = model.liquid.pressure;
    if (!last) options.tolerance *= kRough;
    options.measure = last;
    liquid::PressureReport report;
    if (model.liquid.shear.explicit_pressure) {
        s.projection.press(domain, s.velocity, s.pressure);
    } else if (s.viscous) {
        liquid::ViscosityReport thick;
        report = s.viscous_projection.project(viscous_domain(domain, s), options, model.liquid.viscosity,
                                              s.projection, s.velocity, s.pressure, thick);
        counts.shear_iterations += thick.viscous_iterations + thick.coupled_iterations;
    } else {
        report = round == 0 ? s.projection.project_assembled(domain, options, s.velocity, s.pressure)
                            : s.projection.project_again(domain, options, s.velocity, s.pressure);
    }
    counts.pressure_iterations += report.iterations;
    counts.grid_cells = static_cast<std::int64_t>(s.topology.cells());
    if (last) counts.max_divergence = std::max(counts.max_divergence, report.max_divergence * view.dt);
}

void find_pressure_impulse(const Model& model, const StepView& view, const LiquidScratch& s,
                           grid::FaceField& impulse) {
    liquid::pressure_impulse(domain_of(model, view, s), s.projection.system(), s.pressure, impulse);
}

double largest_divergence(const Model& model, const StepView& view, const LiquidScratch& s,
                          const grid::FaceField& others, grid::Field& divergence) {
    const liquid::PressureDomain domain = domain_of(model, view, s);
    liquid::flow_divergence(domain, s.projection.system(), s.velocity, others, divergence);
    return parallel_max(divergence.size(), 0.0, [&](std::size_t c) {
        double wanted = domain.expansion ? (*domain.expansion)[c] : 0.0;
        if (domain.compliance) wanted += (*domain.rebound)[c] - (*domain.compliance)[c] * s.pressure[c];
        return s.projection.system().liquid[c] ? std::abs(divergence[c] - wanted) : 0.0;
    });
}

void extend_flow(const Model& model, liquid::LiquidState& next, const StepView& view, LiquidScratch& s) {
    const liquid::PressureDomain domain = domain_of(model, view, s);
    s.friction.apply(domain, s.projection.system(), s.pressure, &s.boundary.distance, s.velocity);
    if (s.compression.any()) s.compression.deform(s.order, s.projection.system(), s.pressure, next);
    grid::faces_of_liquid(s.topology, s.liquid_distance, s.known);
    coupling::forget_sliding_faces(s.boundary, s.known);
    keep_held_faces(s);
    if (s.remembers) {
        s.shear.hold(s.velocity, s.known);
        s.continuation.run_beyond_mass(s.topology, s.known, s.velocity);
    } else {
        s.continuation.run(s.topology, s.mass, s.velocity_before, s.known, s.velocity);
    }
    coupling::constrain_sliding_faces(s.topology, s.boundary, s.known, s.work, s.velocity);
}

}  // namespace rivulet::world
