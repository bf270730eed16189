#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <rivulet/geometry/shape.h>
#include <rivulet/liquid/particle_spacing.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Distance to the solids at a point [m], negative inside a solid; empty when there are none.
using SolidDistance = std::function<double(const Vec3d&)>;

struct Fill {
    const geometry::Shape* shape = nullptr;
    Vec3d velocity;       // m/s
    double jitter = 0.5;  // random shift, as a share of the particle spacing
    int particles_per_cell = kUsualPerCell;
    std::uint8_t material = 0;
    std::string key;  // place in the scene, for errors
};

struct FillReport {
    std::size_t particles = 0;
    double volume = 0;              // m^3, of the particles
    double removed_by_solids = 0;   // m^3
    double removed_by_earlier = 0;  // m^3, by fills before this one
};

/// Puts particles on a lattice that divides the shape's bounding box evenly, so that a box gets exactly its
/// volume, with a spacing nearest to particle_spacing(). Sites inside solids and inside
/// earlier fills are left out. Positions depend only on the fill and the seed. Throws InputError when the
/// shape is unbounded, needs more than `most` particles or has no room for any.
FillReport fill_shape(LiquidState& state, const Fill& fill, std::span<const geometry::Shape* const> earlier,
                      const SolidDistance& solids, double cell, std::uint64_t seed, std::uint64_t most);

}  // namespace rivulet::liquid
