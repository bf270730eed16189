#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/vec2.h>
#include <rivulet/base/vec3.h>

namespace rivulet::fabric {

/// What is held where at the end of the step; filled before the step from obstacles and scripts.
struct HeldTargets {
    std::vector<std::uint8_t> vertex;       // 1: this vertex follows `position`
    std::vector<std::uint8_t> edge;         // 1: the director of this edge follows `director`
    std::vector<Vec3d> position, director;  // m; unit

    void resize(std::size_t vertices, std::size_t edges) {
        vertex.resize(vertices, 0);
        edge.resize(edges, 0);
        position.resize(vertices);
        director.resize(edges);
    }
    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"vertex", "", Centring::vertex, kCheckpoint}, s.vertex);
        visit(FieldInfo{"edge", "", Centring::edge, kCheckpoint}, s.edge);
        visit(FieldInfo{"position", "m", Centring::vertex, kCheckpoint}, s.position);
        visit(FieldInfo{"director", "", Centring::edge, kCheckpoint}, s.director);
    }
};

/// All cloth, piece after piece, as one mesh. Edges are in the order of `Topology`. The director of an edge
/// is the surface's normal in its middle: a unit vector across the edge. Directors have no inertia.
struct FabricState {
    static constexpr GroupInfo group{"fabric", GroupShape::mesh, "fabric"};

    std::vector<Vec3d> position;  // m
    std::vector<Vec3d> velocity;  // m/s
    std::vector<Vec3d> director;  // per edge
    HeldTargets held;

    std::vector<Vec3i> triangle;         // corners, counter-clockwise about the directors
    std::vector<Vec2d> uv;               // m: place in the cloth as woven, warp along the first axis
    std::vector<Vec3d> rest_position;    // m; as made, for pictures and exports
    std::vector<std::uint8_t> material;  // per vertex, index into the material table
    std::vector<double> thickness;       // per vertex, m

    std::size_t vertex_count() const { return position.size(); }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        constexpr auto vertex = Centring::vertex;
        constexpr unsigned fixed = kCheckpoint | kStatic;
        visit(FieldInfo{"fabric/position", "m", vertex, kCheckpoint | kFrame}, s.position);
        visit(FieldInfo{"fabric/velocity", "m/s", vertex, kCheckpoint | kFrame}, s.velocity);
        visit(FieldInfo{"fabric/director", "", Centring::edge, kCheckpoint}, s.director);
        visit(FieldInfo{"fabric/held", "", Centring::other, kCheckpoint}, s.held);
        visit(FieldInfo{"fabric/triangle", "", Centring::triangle, fixed}, s.triangle);
        visit(FieldInfo{"fabric/uv", "m", vertex, fixed}, s.uv);
        visit(FieldInfo{"fabric/rest_position", "m", vertex, fixed}, s.rest_position);
        visit(FieldInfo{"fabric/material", "", vertex, fixed}, s.material);
        visit(FieldInfo{"fabric/thickness", "m", vertex, fixed}, s.thickness);
    }
};

}  // namespace rivulet::fabric
