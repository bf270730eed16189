#include <rivulet/strand/held_ends.h>

#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod_frame.h>
#include <rivulet/geometry/mesh_distance.h>

namespace rivulet::strand {

namespace {

std::size_t vertex_of(const StrandState& state, std::size_t strand, End end) {
    return end == End::root ? state.begin(strand) : state.end(strand) - 1;
}

void add_binding(const StrandState& state, std::size_t strand, const EndRange& ends,
                 const geometry::Pose& pose, EndBindings& bindings) {
    const geometry::Pose back = inverse(pose);
    const std::size_t edge = ends.end == End::root ? state.begin(strand) : state.end(strand) - 2;
    const Vec3d tangent = normalized(state.position[edge + 1] - state.position[edge]);
    const Vec3d director = elastic::turned(state.reference_director[edge], tangent, state.twist[edge]);
    bindings.carrier.push_back(ends.carrier);
    bindings.kind.push_back(static_cast<std::uint8_t>(ends.kind));
    bindings.position.push_back(back.apply(state.position[vertex_of(state, strand, ends.end)]));
    bindings.tangent.push_back(back.apply_direction(tangent));
    bindings.director.push_back(back.apply_direction(director));
}

}  // namespace

geometry::Pose triangle_pose(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& weights) {
    const Vec3d first = normalized_or(b - a, {1, 0, 0});
    const Vec3d third = normalized_or(cross(b - a, c - a), any_perpendicular(first));
    return {Mat3d::from_columns(first, cross(third, first), third),
            a * weights.x + b * weights.y + c * weights.z};
}

void bind_ends(const StrandState& state, const EndRange& ends, const geometry::Pose& pose,
               EndBindings& bindings) {
    for (std::size_t s = ends.first; s < ends.last; ++s) {
        add_binding(state, s, ends, pose, bindings);
        bindings.corner.push_back({-1, -1, -1});
        bindings.weight.push_back({});
    }
}

void bind_ends_to_surface(const StrandState& state, const EndRange& ends, const geometry::TriangleMesh& mesh,
                          EndBindings& bindings) {
    const geometry::MeshDistance surface(mesh);
    std::vector<geometry::NearestOnMesh> nearest(ends.last - ends.first);
    parallel_for(nearest.size(), [&](std::size_t k) {
        nearest[k] = surface.nearest(state.position[vertex_of(state, ends.first + k, ends.end)]);
    });
    for (std::size_t s = ends.first; s < ends.last; ++s) {
        const geometry::NearestOnMesh& n = nearest[s - ends.first];
        const Vec3i t = mesh.triangles[static_cast<std::size_t>(n.triangle)];
        const auto at = [&](int i) { return mesh.positions[static_cast<std::size_t>(i)]; };
        add_binding(state, s, ends, triangle_pose(at(t.x), at(t.y), at(t.z), n.weights), bindings);
        bindings.corner.push_back(t);
        bindings.weight.push_back(n.weights);
    }
}

void place_ends(const EndBindings& bindings, std::span<const CarrierPlace> carriers, EndTargets& targets) {
    targets.resize(bindings.size());
    const CarrierPlace still;
    parallel_chunks(bindings.size(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t s = begin; s < end; ++s) {
            const std::int32_t c = bindings.carrier[s];
            const CarrierPlace& place = c < 0 ? still : carriers[static_cast<std::size_t>(c)];
            const Vec3i t = bindings.corner[s];
            const auto vertex = [&](int i) { return place.vertex[static_cast<std::size_t>(i)]; };
            const geometry::Pose pose =
                t.x < 0 ? place.pose
                        : triangle_pose(vertex(t.x), vertex(t.y), vertex(t.z), bindings.weight[s]);
            targets.kind[s] = place.released ? static_cast<std::uint8_t>(EndKind::free) : bindings.kind[s];
            targets.position[s] = pose.apply(bindings.position[s]);
            // Squared up, so that round-off in a long chain of poses never reaches the frame.
            const Vec3d tangent = normalized(pose.apply_direction(bindings.tangent[s]));
            const Vec3d director = elastic::squared_up(pose.apply_direction(bindings.director[s]), tangent);
            targets.tangent[s] = tangent;
            targets.director[s] = elastic::turned(director, tangent, place.twist);
        }
    });
}

}  // namespace rivulet::strand
