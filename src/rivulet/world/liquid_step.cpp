#include <rivulet/world/liquid_step.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/paths.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/liquid/free_surface.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/liquid/skin_pressure.h>
#include <rivulet/obstacle/collide.h>

namespace rivulet::world {

namespace {

/// Particles stop this far outside a wall, in cells.
constexpr double kWallMargin = 1e-3;
/// Below this 8 μ Δt/(ρ Δx²) viscosity takes less than 0.1 % per step off the strain between two cells and is
/// left out, unless a wall is no-slip.
constexpr double kNegligibleViscosity = 1e-3;
/// Tolerance of pressures that only prepare the last one of a step, over its own.
constexpr double kRough = 100;

/// Around a particle's cell, faces from one below to two above touch it; paths look at them half a step away,
/// somewhat farther than the velocities at its start say, which the step changes. (Surface tension smooths
/// over more cells, and gets whole blocks.)
grid::Reach particle_reach(const liquid::LiquidState& liquid, double dt, double cell) {
    const double half_path = 0.5 * liquid::max_speed(liquid) * dt / cell;
    // NOTE: a velocity that is not finite gets whole blocks; the end of the step says whose it is.
    const int cells =
        half_path < grid::kBlockEdge ? static_cast<int>(std::ceil(1.2 * half_path + 0.1)) : grid::kBlockEdge;
    return {1 + cells, 2 + cells};
}

/// Bound on the stiffness of the viscous solve over a step.
double viscous_stiffness(const Model& model, double dt) {
    double kinematic = 0;
    for (const auto& m : model.liquids) kinematic = std::max(kinematic, m.viscosity / m.density);
    return 8 * kinematic * dt / (model.cell * model.cell);
}

double stable_step(const Model& model) {
    double limit = std::numeric_limits<double>::infinity();
    if (model.surface_tension)
        for (const auto& m : model.liquids)
            if (m.surface_tension > 0)
                limit = std::min(limit, liquid::capillary_step(m.density, model.cell, m.surface_tension));
    for (const auto& m : model.liquids)
        if (m.remembers()) limit = std::min(limit, liquid::longest_shear_step(m, model.cell));
    return limit;
}

/// Volume-weighted mean of a material property over the particles of each cell; cells without particles take
/// the mean of those around them, and where there are none `fallback`.
template <class Property>
void cell_means(const grid::Topology& topology, const grid::ParticleOrder& order,
                const liquid::LiquidState& liquid, Property&& property, double fallback, grid::Field& out) {
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
                    if (own[c] >= 0) continue;
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

}  // namespace

LiquidStep::LiquidStep(const Model& model)
    : model_(model), step_limit_(stable_step(model)), tearing_(model.liquids), compression_(model.liquids) {
    for (const auto& m : model.liquids) {
        density_.push_back(m.density);
        one_density_ = one_density_ && m.density == model.liquids[0].density;
        one_viscosity_ = one_viscosity_ && m.viscosity == model.liquids[0].viscosity;
    }
    remembers_ = std::any_of(model.liquids.begin(), model.liquids.end(),
                             [](const liquid::LiquidMaterial& m) { return m.remembers(); });
    for (std::size_t i = 0; i < model.obstacles.size(); ++i) walls_.push_back(model.obstacles.wall(i));
    for (std::size_t i = 0; i < model.inflows.size(); ++i)
        sources_.emplace_back(model.inflows[i], i, model.cell, model.seed,
                              static_cast<std::uint64_t>(model.most_particles));
}

double LiquidStep::inflow_speed() const {
    double speed = 0;
    for (const auto& s : sources_) speed = std::max(speed, s.speed());
    return speed;
}

void LiquidStep::rasterise(const liquid::LiquidState& now, liquid::LiquidState& next,
                           const geometry::SolidField& solids, const StepView& view) {
    builder_.start(model_.cell, model_.period,
                   model_.whole_halo || model_.surface_tension ? grid::Reach{}
                                                               : particle_reach(now, view.dt, model_.cell));
    builder_.add_points(now.position);
    builder_.build(topology_);
    sorter_.sort(topology_, now.position, order_);
    liquid::sort_particles(topology_, order_, now, next);
    if (remembers_ && !liquid::has_strain(next)) liquid::start_strain(next);
    if (tearing_.any()) tearing_.detect(next);
    coupling::find_boundary(topology_, solids, walls_, boundary_, &solid_memory_);
    hold_ = liquid::add_hold_rule(boundary_.faces);
    for (const auto& source : sources_) source.hold(topology_, now, view.time, hold_, boundary_.faces);
    if (compression_.any()) compression_.rasterise(topology_, order_, next, view.dt);
    grid::find_level_set(
        topology_, order_, next.position,
        compression_.any() ? compression_.present_volume() : std::span<const double>(next.volume),
        &boundary_.free_kernel, fraction_, phi_);
    coupling::continue_into_solids(topology_, boundary_, phi_);
    rasterise_momentum(next);
    for (int axis = 0; axis < 3; ++axis) {
        const double kick = view.gravity[axis] * view.dt;
        auto& u = velocity_[std::size_t(axis)];
        const auto& m = mass_[std::size_t(axis)];
        parallel_chunks(u.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f)
                if (m[f] > 0) u[f] += kick;
        });
    }
}

void LiquidStep::rasterise_momentum(const liquid::LiquidState& next) {
    const grid::ParticleView particles{next.position, next.velocity, next.affine,
                                       next.volume,   next.material, density_};
    if (one_density_) {
        grid::particle_to_grid(topology_, order_, particles, mass_, velocity_);
        if (compression_.any()) grid::fill(face_density_, topology_.cells(), density_[0]);
    } else {
        grid::particle_to_grid(topology_, order_, particles, mass_, velocity_, &face_density_);
        const double lightest = *std::min_element(density_.begin(), density_.end());
        for (std::size_t axis = 0; axis < 3; ++axis)
            parallel_chunks(mass_[axis].size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t f = begin; f < end; ++f) {
                    const double volume = face_density_[axis][f];
                    face_density_[axis][f] = volume > 0 ? mass_[axis][f] / volume : lightest;
                }
            });
    }
    if (compression_.any()) compression_.thin_out(topology_, face_density_);
    grid::velocity_from_momentum(mass_, velocity_);
}

void LiquidStep::find_viscosity(const liquid::LiquidState& next) {
    if (one_viscosity_)
        grid::fill(viscosity_, topology_.cells(), model_.liquids[0].viscosity);
    else
        cell_means(
            topology_, order_, next, [&](std::uint8_t m) { return model_.liquids[m].viscosity; }, 0.0,
            viscosity_);
}

liquid::FaceDensity LiquidStep::density() const {
    if (!one_density_ || compression_.any()) return face_density_;
    return density_.empty() ? 1000.0 : density_[0];
}

void LiquidStep::project(liquid::LiquidState& next, const StepView& view, StepCounts& counts) {
    liquid::PressureDomain domain{topology_, phi_, boundary_.faces, density(), view.dt};
    if (compression_.any()) compression_.add_to(domain);
    if (model_.surface_tension) {
        double sigma = 0;
        for (const auto& m : model_.liquids) sigma = std::max(sigma, m.surface_tension);
        tension_.find_pressure(topology_, phi_, sigma, surface_pressure_);
        domain.surface_pressure = &surface_pressure_;
    }
    const bool clings = std::any_of(walls_.begin(), walls_.end(), [](const obstacle::Wall& wall) {
        return wall.condition == obstacle::WallCondition::no_slip;
    });
    const double stiffness = viscous_stiffness(model_, view.dt);
    const bool viscous = stiffness > 0 && (clings || stiffness >= kNegligibleViscosity);
    if (viscous) find_viscosity(next);
    if (!remembers_) before_ = velocity_;
    double divergence = 0;
    const auto project_once = [&](grid::FaceField& velocity, int round, bool last) {
        liquid::PressureReport report;
        liquid::PressureOptions options = model_.pressure;
        if (!last) options.tolerance *= kRough;
        options.measure = last;
        if (model_.shear.explicit_pressure) {
            inviscid_.press(domain, velocity, pressure_);
        } else if (viscous) {
            liquid::ViscosityReport thick;
            report = viscous_.project(domain, viscosity_, &boundary_.distance, options, model_.viscosity,
                                      velocity, pressure_, thick);
            counts.shear_iterations += thick.viscous_iterations + thick.coupled_iterations;
        } else {
            report = round == 0 ? inviscid_.project(domain, options, velocity, pressure_)
                                : inviscid_.project_again(domain, options, velocity, pressure_);
        }
        counts.pressure_iterations += report.iterations;
        divergence = report.max_divergence;
    };
    if (remembers_) {
        const liquid::ShearParticles particles{
            topology_, order_, next, tearing_.laws(), tearing_.law_of(next), view.dt};
        liquid::find_skin_pressure(particles, domain, walls_.empty() ? nullptr : &boundary_.distance, skin_);
        domain.skin = &skin_;
        if (compression_.any()) compression_.measure_from(skin_);
        if (!walls_.empty()) {
            liquid::find_wall_pull(particles, boundary_.distance, skin_, wall_pull_);
            domain.wall_pull = &wall_pull_;
        }
        double in_shear = 0;
        for (const auto& m : model_.liquids)
            in_shear = std::max(in_shear, liquid::shear_stiffness(m, model_.cell, view.dt));
        const liquid::ShearOptions options = liquid::options_for(in_shear, model_.shear);
        const liquid::ShearReport report =
            shear_.run(particles, options, domain, boundary_.distance, mass_, project_once, velocity_);
        counts.shear_iterations += report.iterations;
        counts.newton_iterations += report.newton_steps;
    } else {
        project_once(velocity_, 0, true);
    }
    const liquid::PressureSystem& system = viscous ? viscous_.system() : inviscid_.system();
    friction_.apply(domain, system, pressure_, &boundary_.distance, velocity_);
    if (compression_.any()) compression_.deform(order_, system, pressure_, next);
    counts.max_divergence = std::max(counts.max_divergence, divergence * view.dt);
    counts.grid_cells = static_cast<std::int64_t>(topology_.cells());
    grid::faces_of_liquid(topology_, phi_, known_);
    coupling::forget_sliding_faces(boundary_, known_);
    keep_held_faces();
    if (remembers_) {
        shear_.hold(velocity_, known_);
        continuation_.run_beyond_mass(topology_, known_, velocity_);
    } else {
        continuation_.run(topology_, mass_, before_, known_, velocity_);
    }
    coupling::constrain_sliding_faces(topology_, boundary_, known_, before_, velocity_);
}

/// Faces that an inflow holds have their velocity whether or not they have liquid beside them.
void LiquidStep::keep_held_faces() {
    if (sources_.empty()) return;
    const grid::FaceBoundary& faces = boundary_.faces;
    for (std::size_t a = 0; a < 3; ++a)
        parallel_chunks(known_[a].size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f)
                if (faces.wall[a][f] == hold_ && faces.open[a][f] == 0) known_[a][f] = 1;
        });
}

void LiquidStep::move(liquid::LiquidState& next, const geometry::SolidField& solids, const StepView& view) {
    grid::FaceField &shift = mass_, &work = before_;  // which have done their work
    relaxation_.solve(topology_, fraction_, phi_, &boundary_.faces.open, model_.relax, work, shift);
    grid::grid_to_particle(topology_, order_, velocity_, next.position, next.velocity, next.affine);
    if (remembers_) liquid::deform_particles(tearing_.laws(), tearing_.law_of(next), view.dt, next);
    if (tearing_.any()) tearing_.deform(view.dt, next);
    const bool at_rest = solids.at_rest();
    const double short_path = 2 * model_.cell;
    const auto arrive = [&](std::size_t block, std::size_t first, std::span<const Vec3d> ends) {
        // No centre within three cells of a solid: no particle within two.
        const bool far = at_rest && coupling::far_from_solids(topology_, boundary_, block);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const std::size_t p = first + i;
            next.age[p] += static_cast<float>(view.dt);
            if (far && squared_length(ends[i] - next.position[p]) < short_path * short_path) {
                next.position[p] = ends[i];
                continue;
            }
            // NOTE: a particle that closing walls pin stays where it was pinned; the pressure solve, not the
            // particle, says whether liquid is squeezed without a way out.
            const obstacle::Moved moved = obstacle::move_point(solids, next.position[p], ends[i],
                                                               next.velocity[p], kWallMargin * model_.cell);
            next.position[p] = moved.position;
            next.velocity[p] = moved.velocity;
        }
    };
    grid::trace_paths(topology_, order_, velocity_, &shift, next.position, next.velocity, view.dt, arrive);
}

void LiquidStep::resample(liquid::LiquidState& next, const geometry::SolidField& solids,
                          const StepView& view) {
    const liquid::SolidDistance distance = [&](const Vec3d& x) { return solids.distance(x, 1); };
    resampler_.run(next, topology_, order_, fraction_, distance,
                   model_.seed + static_cast<std::uint64_t>(view.step), model_.resample,
                   tearing_.law_of(next));
}

void LiquidStep::exchange(liquid::LiquidState& next, const geometry::SolidField& solids, const StepView& view,
                          LedgerState& ledger) {
    const double end = view.time + view.dt;
    for (const auto& sink : model_.sinks) ledger.post_out(liquid::drain(next, remover_, sink, end).volume);
    if (model_.keep) ledger.post_out(liquid::drop_outside(next, remover_, *model_.keep).volume);
    const liquid::SolidDistance distance = [&](const Vec3d& x) { return solids.distance(x, 1); };
    for (auto& source : sources_) ledger.post_in(source.emit(next, distance, view.time, view.dt).volume);
}

}  // namespace rivulet::world
