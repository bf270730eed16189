#pragma once

#include <vector>

#include <rivulet/render/scene.h>

namespace rivulet::render {

/// Area-weighted vertex normals; zero where all triangles of a vertex are degenerate.
std::vector<Vec3f> smooth_normals(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle);

/// Gives a mesh normals that are smooth except across edges sharper than about 40 degrees, where vertices are
/// doubled.
void unshare_creases(Mesh& mesh);

/// The same triangles, all turned round when the mesh encloses a negative volume.
std::vector<Vec3i> outward(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle);

/// Straight rods along edges sharper than about 40 degrees and along open borders.
Curves crease_edges(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle, float radius);

}  // namespace rivulet::render
