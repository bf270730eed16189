#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::fabric {

/// How a mesh hangs together. Edges run from their lower to their higher vertex and are sorted by them, so
/// that their order follows from the triangles.
struct Topology {
    std::size_t vertices = 0;
    std::vector<Vec3i> triangle;                    // corners
    std::vector<Vec3i> triangle_edge;               // edge opposite to each corner
    std::vector<std::array<double, 3>> forward;     // 1 where that edge runs counter-clockwise, else −1
    std::vector<std::array<int, 2>> edge;           // lower vertex first
    std::vector<std::array<int, 2>> edge_triangle;  // −1: none
    std::vector<int> corner_start;                  // triangles around vertex v: corner[start[v]] ...
    std::vector<int> corner;                        // 3 × triangle + which of its corners

    std::size_t triangles() const { return triangle.size(); }
    std::size_t edges() const { return edge.size(); }
};

/// What makes a mesh unfit for cloth, and where; empty: nothing.
struct MeshFault {
    std::string message;
    std::string hint;
};

/// Corners out of range or repeated, triangles twice, edges of three triangles, neighbours that face
/// different ways, triangles with hardly any area (in space or on the texture), vertices of none.
std::optional<MeshFault> find_fault(std::span<const Vec3d> position, std::span<const Vec3i> triangle);

/// Of a mesh without faults.
Topology make_topology(std::size_t vertices, std::span<const Vec3i> triangle);

}  // namespace rivulet::fabric
