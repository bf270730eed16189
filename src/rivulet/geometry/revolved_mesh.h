#pragma once

#include <rivulet/geometry/profile.h>
#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {

/// Turns a line beside the axis about it, in `segments` pieces; points on the axis stay single. `axis` is a
/// unit vector. Faces point to the right of the line (radius to the right, height up).
TriangleMesh revolved_mesh(const Vec3d& centre, const Vec3d& axis, const ProfileLine& line, int segments);

}  // namespace rivulet::geometry
