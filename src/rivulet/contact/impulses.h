#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/contact/cones.h>

namespace rivulet::contact {

/// Velocity of a contact in its own axes [m/s], from the velocities of all nodes.
Vec3d contact_velocity(const Cone& cone, std::span<const Vec3d> velocity, std::span<const double> turning);

/// The part of it that one side has: nodes 2k and 2k + 1 and turn k; no wall.
Vec3d side_velocity(const Cone& cone, std::size_t side, std::span<const Vec3d> velocity,
                    std::span<const double> turning);

/// What the bridge of a contact does along its normal [kg m/s]; negative draws together.
inline double bridge_impulse(const Cone& cone, double normal_velocity) {
    const double drag = normal_velocity > 0 ? cone.drag : 0;
    return -(cone.pull + (cone.stiffness + drag) * normal_velocity);
}

/// The transposed of `contact_velocity`: what contacts do to nodes. Each node adds its contacts in their
/// order: the same bits for any number of threads. Keeps memory between calls, no truth.
class ImpulseSum {
 public:
    /// Finds the contacts of every node.
    void prepare(std::span<const Cone> cones, std::size_t nodes);
    /// `applied` per contact in its own axes. Every node is written: 0 where nothing touches.
    void sum(std::span<const Cone> cones, std::span<const Vec3d> applied, std::span<Vec3d> impulse,
             std::span<double> angular_impulse) const;
    /// The same with impulses of their own for both sides of each contact.
    void sum_sides(std::span<const Cone> cones, std::span<const Vec3d> first, std::span<const Vec3d> second,
                   std::span<Vec3d> impulse, std::span<double> angular_impulse) const;
    std::size_t memory() const;

 private:
    std::vector<std::uint32_t> start_;  // per node, and the end
    std::vector<std::uint32_t> parts_;  // contact * 8 + part: 0 to 3 a node, 4 and 5 a turn
};

}  // namespace rivulet::contact
