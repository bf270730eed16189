#pragma once

#include <rivulet/geometry/distance_field.h>
#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {

/// Triangles of the surface where a distance is zero, facing outwards: a vertex for each piece of surface in
/// a lattice cell, where the tangent planes of its edges meet best (Ju et al. 2002), so that edges stay
/// sharp; a quadrilateral for each lattice edge crossed. Closed; of an unbounded field only what lies within
/// `plane_extent` of the origin, and open there.
TriangleMesh polygonise(const DistanceField& field, const Fineness& fineness);

}  // namespace rivulet::geometry
