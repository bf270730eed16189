#pragma once

#include <span>

#include <rivulet/contact/cones.h>

namespace rivulet::contact {

/// Velocity of a contact in its own axes [m/s], from the velocities of all nodes.
Vec3d contact_velocity(const Cone& cone, std::span<const Vec3d> velocity, std::span<const double> turning);

/// What the bridge of a contact does along its normal [kg m/s]; negative draws together.
inline double bridge_impulse(const Cone& cone, double normal_velocity) {
    const double drag = normal_velocity > 0 ? cone.drag : 0;
    return -(cone.pull + (cone.stiffness + drag) * normal_velocity);
}

}  // namespace rivulet::contact
