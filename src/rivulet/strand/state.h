#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/vec2.h>
#include <rivulet/base/vec3.h>

namespace rivulet::strand {

/// How an end of a strand is held. pin: the end vertex follows its target. clamp: the end edge follows its
/// target, position and frame (root: vertices 0 and 1 and the twist of edge 0).
enum class EndKind : std::uint8_t { free = 0, pin = 1, clamp = 2 };

/// Where an end is at the end of the step; filled before the step from obstacles and scripts.
/// `tangent` (unit) points from root to tip at either end; `director` (unit, across it) is material axis 1.
/// A clamped end edge keeps its rest length: the second vertex is position ± tangent * rest length.
struct EndTargets {
    std::vector<std::uint8_t> kind;  // EndKind
    std::vector<Vec3d> position;     // m
    std::vector<Vec3d> tangent;
    std::vector<Vec3d> director;

    void resize(std::size_t strands) {
        kind.resize(strands, std::uint8_t(EndKind::free));
        position.resize(strands);
        tangent.resize(strands, Vec3d{1, 0, 0});
        director.resize(strands, Vec3d{0, 1, 0});
    }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"kind", "", Centring::strand, kCheckpoint}, s.kind);
        visit(FieldInfo{"position", "m", Centring::strand, kCheckpoint}, s.position);
        visit(FieldInfo{"tangent", "", Centring::strand, kCheckpoint}, s.tangent);
        visit(FieldInfo{"director", "", Centring::strand, kCheckpoint}, s.director);
    }
};

/// All strands, vertex after vertex: strand s owns vertices start[s] .. start[s+1]-1, root first, at least
/// two. Edge i joins vertices i and i+1 and is stored with vertex i; the entry of a strand's last vertex is
/// unused and 0. Material axis 1 of an edge is its reference director turned by `twist` about the edge;
/// axis 2 is tangent × axis 1. The cross-section is an ellipse: semi-axis `radius` along axis 1,
/// `aspect * radius` along axis 2.
struct StrandState {
    static constexpr GroupInfo group{"strands", GroupShape::lines, "strand"};

    std::vector<Vec3d> position;         // m
    std::vector<Vec3d> velocity;         // m/s
    std::vector<double> twist;           // per edge, rad
    std::vector<double> twist_velocity;  // per edge, rad/s
    std::vector<Vec3d>
        reference_director;  // per edge, unit and across it; carried along by parallel transport

    EndTargets root_target, tip_target;

    std::vector<std::int64_t> start;       // strands + 1
    std::vector<double> radius;            // per vertex, m
    std::vector<std::uint64_t> id;         // per strand, stable over time
    std::vector<Vec2d> root_uv;            // per strand
    std::vector<std::uint8_t> material;    // per strand, index into the material table
    std::vector<double> aspect;            // per strand, second semi-axis over first
    std::vector<Vec3d> rest_position;      // m; the shape as groomed, for pictures and exports
    std::vector<double> rest_length;       // per edge, m
    std::vector<Vec2d> natural_curvature;  // per inner vertex, see elastic/rod.h; in the frame half-way
    std::vector<double> natural_twist;  // per inner vertex, angle from the edge before to the edge after, rad

    std::size_t strand_count() const { return start.empty() ? 0 : start.size() - 1; }
    std::size_t vertex_count() const { return position.size(); }
    std::size_t begin(std::size_t strand) const { return static_cast<std::size_t>(start[strand]); }
    std::size_t end(std::size_t strand) const { return static_cast<std::size_t>(start[strand + 1]); }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        constexpr auto vertex = Centring::vertex, edge = Centring::edge, strand = Centring::strand;
        constexpr unsigned fixed = kCheckpoint | kStatic;
        visit(FieldInfo{"strands/position", "m", vertex, kCheckpoint | kFrame}, s.position);
        visit(FieldInfo{"strands/velocity", "m/s", vertex, kCheckpoint | kFrame}, s.velocity);
        visit(FieldInfo{"strands/twist", "rad", edge, kCheckpoint | kFrame}, s.twist);
        visit(FieldInfo{"strands/twist_velocity", "rad/s", edge, kCheckpoint}, s.twist_velocity);
        visit(FieldInfo{"strands/reference_director", "", edge, kCheckpoint}, s.reference_director);
        visit(FieldInfo{"strands/root_target", "", strand, kCheckpoint}, s.root_target);
        visit(FieldInfo{"strands/tip_target", "", strand, kCheckpoint}, s.tip_target);
        visit(FieldInfo{"strands/start", "", strand, fixed}, s.start);
        visit(FieldInfo{"strands/radius", "m", vertex, fixed}, s.radius);
        visit(FieldInfo{"strands/id", "", strand, fixed}, s.id);
        visit(FieldInfo{"strands/root_uv", "", strand, fixed}, s.root_uv);
        visit(FieldInfo{"strands/material", "", strand, fixed}, s.material);
        visit(FieldInfo{"strands/aspect", "", strand, fixed}, s.aspect);
        visit(FieldInfo{"strands/rest_position", "m", vertex, fixed}, s.rest_position);
        visit(FieldInfo{"strands/rest_length", "m", edge, fixed}, s.rest_length);
        visit(FieldInfo{"strands/natural_curvature", "", vertex, fixed}, s.natural_curvature);
        visit(FieldInfo{"strands/natural_twist", "rad", vertex, fixed}, s.natural_twist);
    }
};

}  // namespace rivulet::strand
