#pragma once

#include <cstddef>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/bounds.h>

namespace rivulet::geometry {

struct TriangleMesh;

/// Signed distance to a surface [m], negative inside, and the unit normal that points outwards (the
/// gradient).
struct DistanceSample {
    double distance = 0;
    Vec3d normal{0, 1, 0};
};

/// How a surface is turned into triangles.
struct Fineness {
    double plane_extent = 1;  // half the side of the square shown of an unbounded plane [m]
    int segments = 48;        // edges around a full circle
};

/// A rigid shape in its rest frame that is more than a primitive: a mesh, a revolved profile, shapes made of
/// shapes. The distance has the right sign, changes by no more than the way, and is nowhere larger than the
/// true one (sampled meshes: a quarter larger at most). Queries are safe in parallel.
class DistanceField {
 public:
    virtual ~DistanceField() = default;
    virtual double distance(const Vec3d& p) const = 0;
    virtual DistanceSample sample(const Vec3d& p) const = 0;
    virtual Bounds bounds() const = 0;
    /// Triangles facing outwards, for pictures and roots.
    virtual TriangleMesh surface(const Fineness& fineness) const = 0;
    /// The least thickness a grid has to resolve [m]; infinite where it is not known.
    virtual double thinnest() const { return Bounds::kInfinity; }
};

struct DeformingSample {
    double distance = 0;
    Vec3d normal{0, 1, 0};
    Vec3d displacement;  // of the nearest material point over the whole step, in the rest frame [m]
};

/// A shape that changes over one step; s in [0, 1] is the fraction of the step.
class DeformingField {
 public:
    virtual ~DeformingField() = default;
    virtual double distance(const Vec3d& p, double s) const = 0;
    virtual DeformingSample sample(const Vec3d& p, double s) const = 0;
    /// out[i] = distance(first + i * step, s) for i in [0, count).
    virtual void distance_row(const Vec3d& first, const Vec3d& step, std::size_t count, double s,
                              double* out) const = 0;
    virtual Bounds bounds() const = 0;                // of the whole sweep
    virtual double largest_displacement() const = 0;  // of any material point over the step [m]
};

}  // namespace rivulet::geometry
