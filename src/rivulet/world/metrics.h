#pragma once

#include <cstdint>

#include <rivulet/base/vec3.h>
#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// Counts that the stages of a step report.
struct StepCounts {
    double dt = 0;
    std::int64_t retries = 0;
    std::int64_t grid_cells = 0, contacts = 0;
    double max_divergence = 0;
    std::int64_t newton_iterations = 0, pressure_iterations = 0, shear_iterations = 0, contact_iterations = 0;
    double contact_residual = 0;  // of the exact law, relative
    std::int64_t contact_rounds = 0, contact_zones = 0;
    double mixture_divergence = 0;  // left in liquid with strands in it, parts of a cell over the step
    std::int64_t mixture_passes = 0;
};

/// One row of metrics.csv, SI. Physics and counts only, so that two equal runs have equal rows.
struct Metrics {
    std::int64_t step = 0, frame = 0;
    double time = 0, dt = 0;
    std::int64_t retries = 0, particles = 0, grid_cells = 0, contacts = 0;
    double volume_bulk = 0, volume_film = 0, volume_fabric = 0, volume_in = 0, volume_out = 0,
           volume_error = 0;
    Vec3d momentum, angular_momentum;
    double energy_kinetic = 0, energy_elastic = 0, energy_gravity = 0;
    double max_speed = 0, max_divergence = 0;
    std::int64_t newton_iterations = 0, pressure_iterations = 0, shear_iterations = 0, contact_iterations = 0;
    double contact_residual = 0;
    std::int64_t contact_rounds = 0, contact_zones = 0;
    double mixture_divergence = 0;
    double energy_surface = 0;  // of films, where surface tension acts along strands

    /// visit(column name, value) in the order of the file.
    template <class Self, class Visit>
    static void columns(Self& s, Visit&& visit) {
        visit("step", s.step), visit("frame", s.frame), visit("time", s.time), visit("dt", s.dt);
        visit("retries", s.retries), visit("particles", s.particles), visit("grid_cells", s.grid_cells);
        visit("contacts", s.contacts);
        visit("volume_bulk", s.volume_bulk), visit("volume_film", s.volume_film);
        visit("volume_fabric", s.volume_fabric), visit("volume_in", s.volume_in),
            visit("volume_out", s.volume_out);
        visit("volume_error", s.volume_error);
        visit("momentum_x", s.momentum.x), visit("momentum_y", s.momentum.y),
            visit("momentum_z", s.momentum.z);
        visit("angular_momentum_x", s.angular_momentum.x), visit("angular_momentum_y", s.angular_momentum.y);
        visit("angular_momentum_z", s.angular_momentum.z);
        visit("energy_kinetic", s.energy_kinetic), visit("energy_elastic", s.energy_elastic);
        visit("energy_gravity", s.energy_gravity), visit("max_speed", s.max_speed);
        visit("max_divergence", s.max_divergence), visit("newton_iterations", s.newton_iterations);
        visit("pressure_iterations", s.pressure_iterations), visit("shear_iterations", s.shear_iterations);
        visit("contact_iterations", s.contact_iterations), visit("contact_residual", s.contact_residual);
        visit("contact_rounds", s.contact_rounds), visit("contact_zones", s.contact_zones);
        visit("mixture_divergence", s.mixture_divergence), visit("energy_surface", s.energy_surface);
    }
};

/// Liquid present now in bulk and as films, m^3.
double bulk_volume(const World& world);
double film_volume(const World& world);

/// Points of lines and meshes.
std::int64_t vertex_count(const World& world);

Metrics measure(const Model& model, const World& world, const StepCounts& counts);

}  // namespace rivulet::world
