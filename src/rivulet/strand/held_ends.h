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

enum class End : std::uint8_t { root, tip };

/// How something that carries ends of strands (an obstacle, a script) is placed at one time.
struct CarrierPlace {
    geometry::Pose pose;
    double twist = 0;             // turns clamped ends about their own tangent, root to tip [rad]
    bool released = false;        // its ends are free from now on
    std::vector<Vec3d> vertex{};  // of a deforming carrier, in the world [m]; empty: the pose says it all
};

/// Which carrier each strand's root (or tip) follows, and where that is in the carrier's rest frame. Made
/// once from the scene; the targets in the state follow from it at any time.
struct EndBindings {
    std::vector<std::int32_t> carrier;               // per strand; -1: stays where it was bound
    std::vector<std::uint8_t> kind;                  // EndKind
    std::vector<Vec3d> position, tangent, director;  // in the rest frame

    /// On a deforming carrier: the vertices of the triangle nearest to the end (x < 0: none) and barycentric
    /// weights. The rest frame is then that of the triangle, see `triangle_pose`.
    std::vector<Vec3i> corner;
    std::vector<Vec3d> weight;

    std::size_t size() const { return carrier.size(); }
};

/// Roots or tips of the strands [first, last), which are to be held like this by a carrier (-1: none).
struct EndRange {
    End end = End::root;
    std::size_t first = 0, last = 0;
    EndKind kind = EndKind::free;
    std::int32_t carrier = -1;
};

/// Binds ends as they are now to their carrier, whose pose is `pose`. Strands must be bound in order.
void bind_ends(const StrandState& state, const EndRange& ends, const geometry::Pose& pose,
               EndBindings& bindings);

/// The same for a deforming carrier, whose closed surface is `mesh` now.
void bind_ends_to_surface(const StrandState& state, const EndRange& ends, const geometry::TriangleMesh& mesh,
                          EndBindings& bindings);

/// Origin at the weighted point of a triangle, first axis along its first edge, third along its normal.
geometry::Pose triangle_pose(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& weights);

/// Fills the targets of all roots, or of all tips, for the carriers' places.
void place_ends(const EndBindings& bindings, std::span<const CarrierPlace> carriers, EndTargets& targets);

}  // namespace rivulet::strand
