#pragma once

#include <cstddef>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/geometry/bounds.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {

struct SurfacePoint {
    Vec3d position, normal;
    int triangle = 0;
    Vec3d weights;  // barycentric
};

/// Points uniform by area. Point i depends on the mesh, the random stream and i alone.
std::vector<SurfacePoint> sample_surface(const TriangleMesh& mesh, std::size_t count, const Random& random);

/// Points of the lattice (i + 1/2) * spacing, i integer, that lie in the shape and in `domain`, in order of
/// z, y, x. Each is moved by up to jitter/2 spacings along each axis (0: regular, 1: anywhere in its lattice
/// cell); the moved point must lie inside too.
std::vector<Vec3d> fill_lattice(const Shape& shape, double spacing, double jitter, const Random& random,
                                const Bounds& domain = Bounds::everything());
/// How many lattice points `fill_lattice` looks at: to refuse absurd spacings before they cost memory.
double lattice_size(const Shape& shape, double spacing, const Bounds& domain = Bounds::everything());

}  // namespace rivulet::geometry
