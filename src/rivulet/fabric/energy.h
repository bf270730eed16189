#pragma once

#include <span>

#include <rivulet/fabric/mesh.h>

namespace rivulet::fabric {

/// Sums over all cloth for metrics and tests, the same bits for any number of threads.
struct Totals {
    double mass = 0;         // kg
    Vec3d momentum;          // kg*m/s
    Vec3d angular_momentum;  // about the origin, kg*m²/s
    double kinetic = 0;      // J
    double elastic = 0;      // J
    double gravity = 0;      // J, 0 at the origin
    double max_speed = 0;    // m/s
};

Totals totals(const FabricState& state, const Mesh& mesh, std::span<const FabricMaterial> materials,
              const Vec3d& gravity);

}  // namespace rivulet::fabric
