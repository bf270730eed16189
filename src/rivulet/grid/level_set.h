#pragma once

#include <span>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// Distance to the free surface at cell centres [m], negative in liquid, limited to ±1.5 cells.
///
/// The particles' volume fraction around a cell centre (particle_fraction, over the part of the kernel not in
/// solids) tells how deep a flat surface lies below or above that centre: the kernel's integral inverted. A
/// flat tank of particles at rest density so has its surface at its true height to about 1 % of a cell,
/// wherever it lies. Liquid thinner than the kernel (sheets, drops, spray) would vanish; where no cell around
/// is filled, spheres of particle size fill in.
/// `free_kernel`: part of the kernel around each centre that is not in solids, or null for all. Particles
/// sorted by `order`. `fraction` gets particle volume around a centre over free volume: 1 inside liquid at
/// rest density.
void find_level_set(const Topology& topology, const ParticleOrder& order, std::span<const Vec3d> position,
                    std::span<const double> volume, const Field* free_kernel, Field& fraction, Field& phi);

/// Volume where phi < 0 [m^3], cells counted by `open_volume` (null: whole): phi taken as trilinear between
/// centres.
double volume_inside(const Topology& topology, const Field& phi, const Field* open_volume);

}  // namespace rivulet::grid
