#include <rivulet/strand/rest_shape.h>

#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod.h>

namespace rivulet::strand {
namespace {

/// Frames carried along the strand from a director across the first edge, and the curvatures in them. As the
/// frames do not twist, the curvature is the same in the frames before and after a joint, and half-way.
void set_natural_shape(std::size_t begin, std::size_t end, StrandState& state) {
    Vec3d tangent = normalized(state.position[begin + 1] - state.position[begin]);
    Vec3d director = any_perpendicular(tangent);
    elastic::RodEdge<double> before{};
    for (std::size_t i = begin; i + 1 < end; ++i) {
        const Vec3d e = state.position[i + 1] - state.position[i];
        const Vec3d next = normalized(e);
        director = elastic::squared_up(elastic::parallel_transport(director, tangent, next), next);
        tangent = next;
        state.reference_director[i] = director;
        state.rest_length[i] = length(e);
        const auto edge = elastic::place_edge(e, 0.0, {tangent, director});
        if (i > begin) {
            const auto joint = elastic::make_joint(before, edge);
            const auto k = elastic::curvatures(joint, before, edge);
            state.natural_curvature[i] = {k.before1, k.before2};
        }
        before = edge;
    }
}

}  // namespace

void append_strands(const Curves& curves, std::uint8_t material, double aspect, StrandState& state) {
    if (state.start.empty()) state.start.push_back(0);
    const std::size_t strands = state.strand_count(), vertices = state.vertex_count();
    const std::size_t all_strands = strands + curves.strand_count();
    const std::size_t all_vertices = vertices + curves.vertex_count();
    for (std::size_t s = 0; s < curves.strand_count(); ++s) {
        state.start.push_back(static_cast<std::int64_t>(vertices) + curves.start[s + 1]);
        state.id.push_back(strands + s);
        state.root_uv.push_back(curves.root_uv.empty() ? Vec2d{} : curves.root_uv[s]);
    }
    state.position.insert(state.position.end(), curves.position.begin(), curves.position.end());
    state.rest_position.insert(state.rest_position.end(), curves.position.begin(), curves.position.end());
    state.radius.insert(state.radius.end(), curves.radius.begin(), curves.radius.end());
    state.velocity.resize(all_vertices);
    state.twist.resize(all_vertices);
    state.twist_velocity.resize(all_vertices);
    state.reference_director.resize(all_vertices);
    state.rest_length.resize(all_vertices);
    state.natural_curvature.resize(all_vertices);
    state.natural_twist.resize(all_vertices);
    state.material.resize(all_strands, material);
    state.aspect.resize(all_strands, aspect);
    state.root_target.resize(all_strands);
    state.tip_target.resize(all_strands);
    parallel_for(curves.strand_count(), [&](std::size_t s) {
        set_natural_shape(state.begin(strands + s), state.end(strands + s), state);
    });
}

void straighten(std::size_t first, std::size_t last, StrandState& state) {
    for (std::size_t v = state.begin(first); v < state.end(last - 1); ++v) {
        state.natural_curvature[v] = {};
        state.natural_twist[v] = 0;
    }
}

}  // namespace rivulet::strand
