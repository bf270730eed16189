#pragma once

#include <string>

#include <rivulet/geometry/shape_description.h>
#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {

/// Reads an OBJ or PLY file, scales and shifts it as described, joins vertices at equal places when that
/// closes it, and requires a closed mesh. Anything wrong, a missing file too, is an InputError at `key`.
TriangleMesh load_closed_mesh(const ShapeDescription& description, const std::string& key);

/// Reads, scales and shifts only; the triangles are in range and the positions finite.
TriangleMesh load_mesh(const ShapeDescription& description, const std::string& key);

/// Joins vertices at exactly equal places.
TriangleMesh weld(const TriangleMesh& mesh);

}  // namespace rivulet::geometry
