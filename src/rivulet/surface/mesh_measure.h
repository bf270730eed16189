#pragma once

#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::surface {

/// Volume that a closed mesh encloses (divergence theorem); positive when triangles face outwards.
double enclosed_volume(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle);

/// Edges that are not met as often in one direction as in the other: 0 for a closed mesh.
std::size_t open_edges(const std::vector<Vec3i>& triangle);

double surface_area(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle);

/// Moves vertices along their normals until the mesh encloses `volume`, each by at most `most`.
void inflate_to(std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle, double volume, double most);

}  // namespace rivulet::surface
