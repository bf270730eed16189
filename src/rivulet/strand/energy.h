#pragma once

#include <span>

#include <rivulet/strand/material.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

/// Sums over all strands for metrics and tests, the same bits for any number of threads.
struct Totals {
    double mass = 0;         // kg
    Vec3d momentum;          // kg*m/s
    Vec3d angular_momentum;  // about the origin, spin of the twist included, kg*m^2/s
    double kinetic = 0;      // J
    double elastic = 0;      // J
    double gravity = 0;      // J, 0 at the origin
    double max_speed = 0;    // m/s
};

Totals totals(const StrandState& state, std::span<const StrandMaterial> materials, const Vec3d& gravity);

}  // namespace rivulet::strand
