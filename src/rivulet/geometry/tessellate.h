#pragma once

#include <rivulet/geometry/shape.h>
#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {

/// Triangles of a shape, facing outwards; each part closed on its own (parts of a union are not merged).
/// Half-spaces become one square of side 2*plane_extent around the given point of the plane. `segments` is
/// the number of edges around a full circle (rounded up to a multiple of 8).
TriangleMesh tessellate(const Shape& shape, double plane_extent, int segments = 48);
TriangleMesh tessellate(const ShapeDescription& description, double plane_extent, int segments = 48,
                        const MeshLoader& load_mesh = {});

}  // namespace rivulet::geometry
