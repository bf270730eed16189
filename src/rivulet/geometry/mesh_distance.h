#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <rivulet/geometry/bvh.h>
#include <rivulet/geometry/distance_field.h>
#include <rivulet/geometry/triangle_distance.h>
#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {

/// Who touches whom in a closed mesh: needed to tell inside from outside at edges and corners.
class MeshTopology {
 public:
    MeshTopology() = default;
    explicit MeshTopology(const TriangleMesh& closed_mesh);

    std::size_t triangle_count() const { return triangles_.size(); }
    const std::vector<Vec3i>& triangles() const { return triangles_; }
    /// The triangle on the other side of edge k.
    int neighbour(std::size_t triangle, int edge) const { return neighbours_[triangle][edge]; }
    /// Calls visit(triangle) for all triangles around a vertex, lowest index first.
    template <class Visit>
    void around(int vertex, Visit&& visit) const {
        const auto v = static_cast<std::size_t>(vertex);
        for (std::uint32_t i = first_[v]; i < first_[v + 1]; ++i) visit(around_[i]);
    }

 private:
    std::vector<Vec3i> triangles_, neighbours_;
    std::vector<std::uint32_t> first_, around_;
};

struct NearestOnMesh {
    double distance = 0;  // signed, negative inside
    Vec3d point;
    Vec3d normal;  // gradient of the distance
    int triangle = -1;
    Vec3d weights;  // barycentric
};

/// Exact signed distance to a closed mesh; the sign by angle-weighted pseudonormals (Baerentzen and Aanaes
/// 2005).
class MeshDistance final : public DistanceField {
 public:
    /// The mesh must have passed `require_closed`.
    explicit MeshDistance(TriangleMesh closed_mesh);

    double distance(const Vec3d& p) const override { return nearest(p).distance; }
    DistanceSample sample(const Vec3d& p) const override;
    Bounds bounds() const override { return bvh_.bounds(); }
    TriangleMesh surface(const Fineness&) const override { return mesh_; }
    /// Nothing farther than `most` is looked at when given (a known upper bound of the distance saves time).
    NearestOnMesh nearest(const Vec3d& p, double most = Bounds::kInfinity) const;
    /// The triangles among which the nearest one to each point of a box is, where those are few.
    struct Neighbourhood {
        static constexpr std::size_t kMost = 32;
        std::array<std::uint32_t, kMost> triangle;
        std::size_t count = 0;
        bool known = false;  // false: there are more of them
    };
    /// `most` is at least the distance at the lowest corner of the box.
    Neighbourhood near(const Bounds& box, double most) const;
    /// The same as nearest(p, most) for a point of the box, to the bit but for ties.
    NearestOnMesh nearest(const Vec3d& p, const Neighbourhood& near, double most) const;
    /// A twentieth of the surface has less than this behind it, straight inwards: the walls of a vessel or a
    /// sheet, not the edges that every sharp thing has [m].
    double thinnest() const override;
    const TriangleMesh& mesh() const { return mesh_; }

 private:
    /// How far a ray runs before it meets a triangle [m]; infinite where it meets none.
    double way_to_surface(const Vec3d& origin, const Vec3d& direction) const;

    TriangleMesh mesh_;
    MeshTopology topology_;
    Bvh bvh_;
};

/// Exact signed distance to a mesh whose vertices move on straight lines during the step.
class DeformingMeshDistance final : public DeformingField {
 public:
    /// `end` is as many positions as `start`; `tree` was built over any pose of the same triangles.
    DeformingMeshDistance(std::shared_ptr<const MeshTopology> topology, const Bvh& tree,
                          std::vector<Vec3d> start, std::vector<Vec3d> end);

    double distance(const Vec3d& p, double s) const override { return nearest(p, s).distance; }
    DeformingSample sample(const Vec3d& p, double s) const override;
    void distance_row(const Vec3d& first, const Vec3d& step, std::size_t count, double s,
                      double* out) const override;
    Bounds bounds() const override { return bvh_.bounds(); }
    double largest_displacement() const override { return largest_displacement_; }
    NearestOnMesh nearest(const Vec3d& p, double s, double most = Bounds::kInfinity) const;

 private:
    std::shared_ptr<const MeshTopology> topology_;
    std::vector<Vec3d> start_, end_;
    Bvh bvh_;
    double largest_displacement_ = 0;
};

/// Box of every triangle, for building trees.
std::vector<Bounds> triangle_bounds(const std::vector<Vec3d>& positions, const std::vector<Vec3i>& triangles);

}  // namespace rivulet::geometry
