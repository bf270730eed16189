#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <rivulet/base/mat3.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// Affine particle-in-cell on staggered faces with quadratic B-splines (Jiang et al. 2015, 2017). Row a of a
/// particle's affine matrix is the affine vector of velocity component a, a velocity gradient in 1/s.
/// Mass, momentum and angular momentum (that of the affine part is volume*density*cell²/4 * sum_a row_a ×
/// e_a) survive particle → grid → particle to round-off.
///
/// All functions want particles sorted by `order` and wrapped on periodic axes.

/// Particles as the transfer reads them. `material` may be empty: all of material 0.
struct ParticleView {
    std::span<const Vec3d> position;  // m
    std::span<const Vec3d> velocity;  // m/s
    std::span<const Mat3d> affine;    // 1/s
    std::span<const double> volume;   // m^3
    std::span<const std::uint8_t> material;
    std::span<const double> density;  // kg/m^3 by material
};

/// Mass [kg] and momentum [kg m/s] per face; when `volume` is given also volume [m^3], so that the density at
/// a face is mass / volume. A block's particles are summed in a private tile, tiles in the order of colours:
/// the same bits for any number of threads.
void particle_to_grid(const Topology& topology, const ParticleOrder& order, const ParticleView& particles,
                      FaceField& mass, FaceField& momentum, FaceField* volume = nullptr);

/// velocity = momentum / mass where there is mass, 0 elsewhere; in place.
void velocity_from_momentum(const FaceField& mass, FaceField& momentum);

/// Volume of particles around each cell centre over cell³: 1 inside liquid at rest density.
void particle_fraction(const Topology& topology, const ParticleOrder& order, std::span<const Vec3d> position,
                       std::span<const double> volume, Field& fraction);

/// Velocity and affine matrix of particles from face velocities. When `gradient` is not empty, also the
/// derivative of the interpolated velocity, row a that of component a [1/s].
void grid_to_particle(const Topology& topology, const ParticleOrder& order, const FaceField& velocity,
                      std::span<const Vec3d> position, std::span<Vec3d> particle_velocity,
                      std::span<Mat3d> affine, std::span<Mat3d> gradient = {});

}  // namespace rivulet::grid
