#include <rivulet/fabric/mesh.h>

#include <numeric>

#include <rivulet/elastic/rod_frame.h>

namespace rivulet::fabric {

namespace {

/// A triangle of space laid into the plane, the first axis along `warp` as far as it lies in it.
std::array<Vec2d, 3> laid_out(const std::array<Vec3d, 3>& x, const Vec3d& warp) {
    const Vec3d n = normalized(cross(x[1] - x[0], x[2] - x[0]));
    Vec3d a = warp - dot(warp, n) * n;
    if (!(length(a) > 1e-3)) {
        const Vec3d other = std::abs(warp.x) > 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
        a = other - dot(other, n) * n;
    }
    a = normalized(a);
    const Vec3d b = cross(n, a);
    std::array<Vec2d, 3> p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = {dot(x[i] - x[0], a), dot(x[i] - x[0], b)};
    return p;
}

/// Connected pieces, numbered by their lowest vertex.
void find_pieces(Mesh& mesh) {
    std::vector<int> up(mesh.topology.vertices);
    std::iota(up.begin(), up.end(), 0);
    const auto root = [&](int v) {
        while (up[std::size_t(v)] != v) v = up[std::size_t(v)] = up[std::size_t(up[std::size_t(v)])];
        return v;
    };
    for (const auto& [a, b] : mesh.topology.edge) {
        const int p = root(a), q = root(b);
        up[std::size_t(std::max(p, q))] = std::min(p, q);
    }
    mesh.piece.resize(up.size());
    for (std::size_t v = 0; v < up.size(); ++v) {
        const int r = root(int(v));
        mesh.piece[v] = r == int(v) ? mesh.pieces++ : mesh.piece[std::size_t(r)];
    }
}

}  // namespace

std::vector<Vec3d> mean_directors(const Topology& topology, std::span<const Vec3d> position) {
    std::vector<Vec3d> director(topology.edges());
    for (std::size_t e = 0; e < topology.edges(); ++e) {
        Vec3d sum;
        for (const int t : topology.edge_triangle[e]) {
            if (t < 0) continue;
            const auto x = corners(position, topology.triangle[std::size_t(t)]);
            sum += normalized(cross(x[1] - x[0], x[2] - x[0]));
        }
        const auto [a, b] = topology.edge[e];
        const Vec3d along = normalized(position[std::size_t(b)] - position[std::size_t(a)]);
        // NOTE: of a sheet folded onto itself: the way out of the fold, across the edge and both triangles.
        if (!(length(sum) > 1e-9)) {
            const auto x = corners(position, topology.triangle[std::size_t(topology.edge_triangle[e][0])]);
            sum = cross(along, normalized(cross(x[1] - x[0], x[2] - x[0])));
        }
        director[e] = elastic::squared_up(sum, along);
    }
    return director;
}

Mesh make_mesh(std::span<const Piece> pieces, std::span<const FabricMaterial> materials, FabricState& state) {
    Mesh mesh;
    state = {};
    std::vector<std::array<Vec2d, 3>> flat;
    std::vector<char> bent;
    for (const Piece& piece : pieces) {
        const Sheet& s = piece.sheet;
        const int first = int(state.position.size());
        state.position.insert(state.position.end(), s.position.begin(), s.position.end());
        state.uv.insert(state.uv.end(), s.uv.begin(), s.uv.end());
        state.uv.resize(state.position.size());
        state.material.resize(state.position.size(), piece.material);
        state.thickness.resize(state.position.size(), materials[piece.material].thickness);
        for (const Vec3i& t : s.triangle) {
            state.triangle.push_back({t.x + first, t.y + first, t.z + first});
            mesh.material.push_back(piece.material);
            const auto uv = [&](int i) { return s.uv[std::size_t(t[i])]; };
            flat.push_back(s.woven_flat ? std::array<Vec2d, 3>{uv(0), uv(1), uv(2)}
                                        : laid_out(corners(s.position, t), s.warp));
            bent.push_back(!s.woven_flat);
        }
    }
    const std::size_t n = state.position.size();
    state.rest_position = state.position;
    state.velocity.assign(n, Vec3d{});
    mesh.topology = make_topology(n, state.triangle);
    const Topology& topology = mesh.topology;
    state.director = mean_directors(topology, state.position);
    state.held.resize(n, topology.edges());
    state.held.position = state.position;
    state.held.director = state.director;
    mesh.mass.assign(n, 0);
    double total = 0;
    for (const auto& [a, b] : topology.edge)
        total += length(state.position[std::size_t(b)] - state.position[std::size_t(a)]);
    mesh.spacing = topology.edges() > 0 ? total / double(topology.edges()) : 1;
    for (std::size_t t = 0; t < topology.triangles(); ++t) {
        mesh.rest.push_back(elastic::rest_triangle(flat[t]));
        const Vec3i& c = topology.triangle[t];
        const Vec3i& e = topology.triangle_edge[t];
        const std::array<Vec3d, 3> director{state.director[std::size_t(e.x)],
                                            state.director[std::size_t(e.y)],
                                            state.director[std::size_t(e.z)]};
        mesh.rest_curvature.push_back(
            bent[t]
                ? elastic::curvature(mesh.rest[t], elastic::plate_turns(corners(state.position, c), director))
                : elastic::Voigt{});
        const double third = mesh.rest[t].area * materials[mesh.material[t]].areal_density / 3;
        for (int i = 0; i < 3; ++i) mesh.mass[std::size_t(c[i])] += third;
    }
    find_pieces(mesh);
    return mesh;
}

}  // namespace rivulet::fabric
