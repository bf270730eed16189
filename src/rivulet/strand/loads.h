#pragma once

#include <span>
#include <vector>

#include <rivulet/base/mat3.h>

namespace rivulet::strand {

/// What acts on strands from outside during a step. Every span has one entry per vertex, or is empty.
struct Loads {
    Vec3d gravity;                       // m/s^2
    std::span<const Vec3d> impulse;      // N*s, over the whole step
    std::span<const Vec3d> force;        // N, with ...
    std::span<const Mat3d> force_slope;  // ... N*s/m: the force is force + force_slope * (end-of-step
                                         // velocity). Symmetric, negative semi-definite (drag)
    std::span<const double> added_mass;  // kg, moves with the vertex and has its weight (film)
};

/// A motion over one step: what the solve returns and `commit` carries out.
struct Motion {
    std::vector<Vec3d> velocity;         // per vertex, at the end of the step, m/s
    std::vector<double> twist_velocity;  // per edge, rad/s
};

}  // namespace rivulet::strand
