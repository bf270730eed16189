#include <rivulet/fabric/energy.h>

#include <cmath>

#include <rivulet/base/parallel.h>

namespace rivulet::fabric {

Totals totals(const FabricState& s, const Mesh& mesh, std::span<const FabricMaterial> materials,
              const Vec3d& gravity) {
    Totals out;
    const std::size_t n = s.vertex_count();
    const auto sum = [&](auto&& term) { return accurate_sum(n, term); };
    const auto& m = mesh.mass;
    out.mass = sum([&](std::size_t v) { return m[v]; });
    for (int c = 0; c < 3; ++c) {
        out.momentum[c] = sum([&](std::size_t v) { return m[v] * s.velocity[v][c]; });
        out.angular_momentum[c] =
            sum([&](std::size_t v) { return m[v] * cross(s.position[v], s.velocity[v])[c]; });
    }
    out.kinetic = sum([&](std::size_t v) { return 0.5 * m[v] * squared_length(s.velocity[v]); });
    out.gravity = sum([&](std::size_t v) { return -m[v] * dot(gravity, s.position[v]); });
    out.max_speed =
        std::sqrt(parallel_max(n, 0, [&](std::size_t v) { return squared_length(s.velocity[v]); }));
    const Topology& t = mesh.topology;
    out.elastic = accurate_sum(t.triangles(), [&](std::size_t k) {
        const FabricMaterial& of = materials[mesh.material[k]];
        const auto x = corners(s.position, t.triangle[k]);
        const auto strain = elastic::green_strain(elastic::deformation(mesh.rest[k], x));
        const auto bent = elastic::curvature(
            mesh.rest[k], elastic::plate_turns(x, corners(s.director, t.triangle_edge[k])));
        return elastic::membrane_value(mesh.rest[k], of.stretch, of.stiffening, strain, {}) +
               elastic::plate_value(mesh.rest[k], of.bend, bent, mesh.rest_curvature[k]);
    });
    return out;
}

}  // namespace rivulet::fabric
