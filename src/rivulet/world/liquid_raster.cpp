#include <algorithm>
#include <cmath>
#include <span>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/level_set.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/world/liquid_flight.h>
#include <rivulet/world/liquid_stages.h>

namespace rivulet::world {
namespace {

/// Around a particle's cell, faces from one below to two above touch it; paths look at them half a step away,
/// somewhat farther than the velocities at its start say, which the step changes. (Surface tension smooths
/// over more cells, and gets whole blocks.)
grid::Reach particle_reach(double fastest, double dt, double cell) {
    const double half_path = 0.5 * fastest * dt / cell;
    // NOTE: a velocity that is not finite gets whole blocks; the end of the step says whose it is.
    const int cells =
        half_path < grid::kBlockEdge ? static_cast<int>(std::ceil(1.2 * half_path + 0.1)) : grid::kBlockEdge;
    return {1 + cells, 2 + cells};
}

/// Grid and order of the particles that do not fly, in which those that fly come last.
void sort_without_flying(const liquid::LiquidState& now, LiquidScratch& s) {
    const std::span<const std::uint32_t> flying = s.flight.found();
    s.on_grid.clear(), s.on_grid_id.clear(), s.on_grid_source.clear();
    std::size_t begin = 0;
    const auto take_until = [&](std::size_t end) {
        const auto from = std::ptrdiff_t(begin), to = std::ptrdiff_t(end);
        s.on_grid.insert(s.on_grid.end(), now.position.begin() + from, now.position.begin() + to);
        s.on_grid_id.insert(s.on_grid_id.end(), now.id.begin() + from, now.id.begin() + to);
        for (std::size_t p = begin; p < end; ++p) s.on_grid_source.push_back(static_cast<std::uint32_t>(p));
        begin = end + 1;
    };
    for (const std::uint32_t p : flying) take_until(p);
    take_until(now.size());
    s.builder.add_points(s.on_grid, s.on_grid_id);
    s.builder.build(s.topology);
    s.sorter.sort(s.topology, s.on_grid, s.order, s.on_grid_id);
    for (std::uint32_t& source : s.order.source) source = s.on_grid_source[source];
    s.order.source.insert(s.order.source.end(), flying.begin(), flying.end());
}

/// Mass and velocity at faces, and densities where they vary. Momenta become velocities in place, last.
void rasterise_momentum(const liquid::LiquidState& next, LiquidScratch& s) {
    const grid::ParticleView particles{next.position, next.velocity, next.affine,
                                       next.volume,   next.material, s.density};
    if (s.one_density) {
        grid::particle_to_grid(s.topology, s.order, particles, s.mass, s.velocity);
        if (s.compression.any()) grid::fill(s.face_density, s.topology.cells(), s.density[0]);
    } else {
        grid::FaceField& volume = s.work;  // of the particles at faces [m³]
        grid::particle_to_grid(s.topology, s.order, particles, s.mass, s.velocity, &volume);
        const double lightest = *std::min_element(s.density.begin(), s.density.end());
        for (grid::Field& density : s.face_density) density.resize(s.topology.cells());
        for (std::size_t axis = 0; axis < 3; ++axis)
            parallel_chunks(s.mass[axis].size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t f = begin; f < end; ++f)
                    s.face_density[axis][f] =
                        volume[axis][f] > 0 ? s.mass[axis][f] / volume[axis][f] : lightest;
            });
    }
    if (s.compression.any()) s.compression.thin_out(s.topology, s.face_density);
    grid::velocity_from_momentum(s.mass, s.velocity);
}

void accelerate(const Vec3d& change, const grid::FaceField& mass, grid::FaceField& velocity) {
    for (int axis = 0; axis < 3; ++axis) {
        const double kick = change[axis];
        auto& u = velocity[std::size_t(axis)];
        const auto& m = mass[std::size_t(axis)];
        parallel_chunks(u.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f)
                if (m[f] > 0) u[f] += kick;
        });
    }
}

/// Part of the kernel around each centre that liquid can fill.
const grid::Field& free_space(LiquidScratch& s) {
    if (s.filled.empty()) return s.boundary.free_kernel;
    s.free_space.resize(s.topology.cells());
    parallel_chunks(s.filled.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t c = begin; c < end; ++c)
            s.free_space[c] = s.boundary.free_kernel[c] * (1 - s.filled[c]);
    });
    return s.free_space;
}

}  // namespace

void sort_particles(const Model& model, const liquid::LiquidState& now, liquid::LiquidState& next,
                    const geometry::SolidField& solids, const StepView& view, LiquidScratch& s) {
    const double fastest = liquid::max_speed(now);
    find_flying(model, now, solids, view, fastest, s);
    const bool whole = model.liquid.whole_halo || model.liquid.surface_tension;
    s.builder.start(
        model.cell, model.period,
        whole ? grid::Reach{} : particle_reach(fastest_on_grid(now, fastest, s), view.dt, model.cell));
    if (s.flight.found().empty()) {
        s.builder.add_points(now.position, now.id);
        s.builder.build(s.topology);
        s.sorter.sort(s.topology, now.position, s.order, now.id);
    } else {
        sort_without_flying(now, s);
    }
    liquid::sort_particles(s.topology, s.order, now, next);
    if (s.remembers && !liquid::has_strain(next)) liquid::start_strain(next);
}

void detect_tearing(liquid::LiquidState& next, LiquidScratch& s) {
    if (s.tearing.any()) s.tearing.detect(next);
}

void rasterise_liquid(const liquid::LiquidState& next, const geometry::SolidField& solids,
                      const StepView& view, LiquidScratch& s) {
    coupling::find_boundary(s.topology, solids, s.walls, s.boundary, &s.solid_memory);
    s.hold = liquid::add_hold_rule(s.boundary.faces);
    for (const auto& source : s.sources) source.hold(s.topology, next, view.time, s.hold, s.boundary.faces);
    if (s.compression.any()) s.compression.rasterise(s.topology, s.order, next, view.dt);
    grid::find_level_set(
        s.topology, s.order, next.position,
        s.compression.any() ? s.compression.present_volume() : std::span<const double>(next.volume),
        &free_space(s), s.fraction, s.liquid_distance);
    coupling::continue_into_solids(s.topology, s.boundary, s.liquid_distance);
    rasterise_momentum(next, s);
    accelerate(view.gravity * view.dt, s.mass, s.velocity);
}

}  // namespace rivulet::world
