#pragma once

#include <span>

#include <rivulet/elastic/plate.h>
#include <rivulet/fabric/material.h>
#include <rivulet/fabric/sheet.h>
#include <rivulet/fabric/state.h>
#include <rivulet/fabric/topology.h>

namespace rivulet::fabric {

/// All cloth of a run as it is at rest: what does not change while it runs.
struct Mesh {
    Topology topology;
    std::vector<elastic::RestTriangle> rest;     // per triangle
    std::vector<elastic::Voigt> rest_curvature;  // 1/m
    std::vector<std::uint8_t> material;          // per triangle
    std::vector<double> mass;                    // per vertex, kg: a third of each of its triangles
    std::vector<int> piece;                      // per vertex: which connected piece it belongs to
    int pieces = 0;
    double spacing = 1;  // m: mean length of an edge
};

/// One sheet, laid out and made of a material.
struct Piece {
    Sheet sheet;
    std::uint8_t material = 0;
};

/// Puts pieces together: the mesh, and a state at rest in it (velocities 0, nothing held). Sheets have no
/// faults.
Mesh make_mesh(std::span<const Piece> pieces, std::span<const FabricMaterial> materials, FabricState& state);

/// Directors half-way between the normals of the triangles beside each edge.
std::vector<Vec3d> mean_directors(const Topology& topology, std::span<const Vec3d> position);

/// The corners of a triangle, and its directors, in the order of its corners.
inline std::array<Vec3d, 3> corners(std::span<const Vec3d> position, const Vec3i& t) {
    return {position[std::size_t(t.x)], position[std::size_t(t.y)], position[std::size_t(t.z)]};
}

}  // namespace rivulet::fabric
