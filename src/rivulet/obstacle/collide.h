#pragma once

#include <rivulet/geometry/solid_field.h>

namespace rivulet::obstacle {

/// Where a particle ends up after moving against the solids for a step.
struct Moved {
    Vec3d position;
    Vec3d velocity;
    int solid = -1;      // obstacle last touched; -1: none
    bool stuck = false;  // no free place was found: the walls close on the particle
};

/// Moves a point along the straight path from `from` at s = 0 to `to` at s = 1 through the moving solids. It
/// is advanced no farther than the distance to the nearest solid allows (conservative advancement), slides
/// along what it meets, and ends at least `margin` outside every solid unless stuck. No solid is crossed
/// however thin it is or fast it moves. The velocity loses what approaches a touched wall (restitution 0);
/// the tangential part is left alone.
Moved move_point(const geometry::SolidField& field, const Vec3d& from, const Vec3d& to, const Vec3d& velocity,
                 double margin);

/// `velocity` without the part that approaches a wall with this normal and velocity.
inline Vec3d without_approach(const Vec3d& velocity, const Vec3d& wall_velocity, const Vec3d& normal) {
    const double approach = dot(velocity - wall_velocity, normal);
    return approach < 0 ? velocity - normal * approach : velocity;
}

}  // namespace rivulet::obstacle
