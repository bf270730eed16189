#pragma once

#include <span>

#include <rivulet/base/mat3.h>

namespace rivulet::elastic {

/// What acts on the vertices of something elastic during a step. Spans have one entry per vertex, or are
/// empty; they are read only during the call.
struct PointLoads {
    Vec3d gravity;                       // m/s²
    std::span<const Vec3d> impulse;      // N*s, over the whole step
    std::span<const Vec3d> force;        // N, with ...
    std::span<const Mat3d> force_slope;  // ... N*s/m: the force is force + force_slope × (velocity at the end
                                         // of the step). Symmetric, never positive (drag)
};

}  // namespace rivulet::elastic
