#pragma once

#include <functional>
#include <span>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// Velocity anywhere, by quadratic B-splines; faces of absent blocks count 0. Slow: searches blocks.
Vec3d sample_velocity(const Topology& topology, const FaceField& velocity, const Vec3d& position);

/// Where particles get to in the time dt through steady face velocities, by the midpoint rule: x + dt*u(x +
/// dt/2*u(x)), second order. `start_velocity` is u(x), as grid_to_particle gave it. A `shift` of particles on
/// faces [m], if any, is added where the path passes. `result` may be `position` itself; it is not wrapped on
/// periodic axes. Particles sorted by `order`.
void trace_paths(const Topology& topology, const ParticleOrder& order, const FaceField& velocity,
                 const FaceField* shift, std::span<const Vec3d> position,
                 std::span<const Vec3d> start_velocity, double dt, std::span<Vec3d> result);

/// Told where the particles from `first` on, of one block, get to; called in parallel, once for each
/// particle.
using PathEnds = std::function<void(std::size_t block, std::size_t first, std::span<const Vec3d> ends)>;
/// The same, a few particles at a time, without an array for all the ends. `arrive` may move the particles it
/// is told of.
void trace_paths(const Topology& topology, const ParticleOrder& order, const FaceField& velocity,
                 const FaceField* shift, std::span<const Vec3d> position,
                 std::span<const Vec3d> start_velocity, double dt, const PathEnds& arrive);

}  // namespace rivulet::grid
