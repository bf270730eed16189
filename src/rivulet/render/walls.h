#pragma once

#include <vector>

#include <rivulet/render/scene.h>

namespace rivulet::render {

/// A flat wall of a container: dot(normal, x) = offset, normal away from what it holds.
struct Wall {
    Vec3f normal;
    float offset = 0;
    float distance(const Vec3f& p) const { return dot(normal, p) - offset; }
};

/// The walls of a convex container with flat sides (a box, a tessellated cylinder); none for other shapes.
std::vector<Wall> flat_walls(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle);

/// Particles end about their radius short of a wall, and a surface around them is bumpy there. Vertices
/// within `reach` that look towards a wall are laid flat on it, `gap` before it; on a floor, `sink` below it,
/// so that the liquid wets it.
void press_against(const std::vector<Wall>& walls, float reach, float gap, float sink, Mesh& liquid);

}  // namespace rivulet::render
