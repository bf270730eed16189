#pragma once

#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/bounds.h>

namespace rivulet::geometry {

/// Vertices and triangles; counter-clockwise seen from outside.
struct TriangleMesh {
    std::vector<Vec3d> positions;
    std::vector<Vec3i> triangles;
};

Bounds bounds_of(const std::vector<Vec3d>& points);

inline Vec3d triangle_cross(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return cross(b - a, c - a);
}

/// Enclosed volume [m^3]: positive when the triangles face outwards.
double signed_volume(const TriangleMesh& mesh);
double surface_area(const TriangleMesh& mesh);

/// Throws InputError unless the mesh encloses a volume: indices in range, finite positions, no degenerate
/// triangle, every edge shared by exactly two triangles that run along it in opposite directions, and facing
/// outwards as a whole. Several separate closed parts are fine. `file` and `key` say where to mend it.
void require_closed(const TriangleMesh& mesh, const std::string& file, const std::string& key);
/// The first three of these conditions only.
void require_sound(const TriangleMesh& mesh, const std::string& file, const std::string& key);

/// Appends the second mesh to the first.
void append(TriangleMesh& mesh, const TriangleMesh& other);

}  // namespace rivulet::geometry
