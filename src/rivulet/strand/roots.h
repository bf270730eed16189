#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/pose.h>
#include <rivulet/geometry/triangle_mesh.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

/// How something that carries roots (an obstacle, a script) is placed at one time.
struct CarrierPlace {
    geometry::Pose pose;
    double twist = 0;             // turns clamped roots about their own tangent [rad]
    bool released = false;        // its roots are free from now on
    std::vector<Vec3d> vertex{};  // of a deforming carrier, in the world [m]; empty: the pose says it all
};

/// Which carrier each strand's root follows, and where the root is in that carrier's rest frame. Made once
/// from the scene; the targets in the state follow from it at any time.
struct RootBindings {
    std::vector<std::int32_t> carrier;               // per strand; -1: stays where it was bound
    std::vector<std::uint8_t> kind;                  // EndKind
    std::vector<Vec3d> position, tangent, director;  // in the rest frame

    /// On a deforming carrier: the vertices of the triangle nearest to the root (x < 0: none) and barycentric
    /// weights. The rest frame is then that of the triangle, see `triangle_pose`.
    std::vector<Vec3i> corner;
    std::vector<Vec3d> weight;

    std::size_t size() const { return carrier.size(); }
};

/// Binds the roots of the strands [first, last) as they are now to a carrier (-1: none) whose pose is `pose`.
/// Strands must be bound in order.
void bind_roots(const StrandState& state, std::size_t first, std::size_t last, EndKind kind,
                std::int32_t carrier, const geometry::Pose& pose, RootBindings& bindings);

/// The same for a deforming carrier, whose closed surface is `mesh` now.
void bind_roots_to_surface(const StrandState& state, std::size_t first, std::size_t last, EndKind kind,
                           std::int32_t carrier, const geometry::TriangleMesh& mesh, RootBindings& bindings);

/// Origin at the weighted point of a triangle, first axis along its first edge, third along its normal.
geometry::Pose triangle_pose(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& weights);

/// Fills the targets of all roots for the carriers' places.
void place_roots(const RootBindings& bindings, std::span<const CarrierPlace> carriers, EndTargets& targets);

}  // namespace rivulet::strand
