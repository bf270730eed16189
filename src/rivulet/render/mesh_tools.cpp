#include <rivulet/render/mesh_tools.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace rivulet::render {
namespace {

constexpr float kCreaseCosine = 0.77f;

Vec3f area_normal(const std::vector<Vec3f>& p, const Vec3i& t) {
    const Vec3f a = p[std::size_t(t.x)];
    return cross(p[std::size_t(t.y)] - a, p[std::size_t(t.z)] - a);
}

Vec3f unit_or_zero(const Vec3f& v) {
    const float l = length(v);
    return l > 0 && std::isfinite(l) ? v / l : Vec3f{};
}

}  // namespace

std::vector<Vec3f> smooth_normals(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle) {
    std::vector<Vec3f> normal(position.size());
    for (const Vec3i& t : triangle) {
        const Vec3f n = area_normal(position, t);
        for (int k = 0; k < 3; ++k) normal[std::size_t(t[k])] += n;
    }
    for (Vec3f& n : normal) n = unit_or_zero(n);
    return normal;
}

void unshare_creases(Mesh& mesh) {
    std::vector<std::vector<std::uint32_t>> around(mesh.position.size());
    std::vector<Vec3f> face(mesh.triangle.size());
    for (std::size_t t = 0; t < mesh.triangle.size(); ++t) {
        face[t] = area_normal(mesh.position, mesh.triangle[t]);
        for (int k = 0; k < 3; ++k) around[std::size_t(mesh.triangle[t][k])].push_back(std::uint32_t(t));
    }
    Mesh out;
    out.material = mesh.material;
    // Corners of a vertex with the same normal share one new vertex.
    std::vector<std::vector<int>> made(mesh.position.size());
    for (std::size_t t = 0; t < mesh.triangle.size(); ++t) {
        const Vec3f own = unit_or_zero(face[t]);
        Vec3i corner;
        for (int k = 0; k < 3; ++k) {
            const auto v = std::size_t(mesh.triangle[t][k]);
            Vec3f n;
            for (const std::uint32_t other : around[v])
                if (dot(own, unit_or_zero(face[other])) > kCreaseCosine) n += face[other];
            n = unit_or_zero(n);
            const auto same = std::find_if(made[v].begin(), made[v].end(), [&](int m) {
                return squared_length(out.normal[std::size_t(m)] - n) < 1e-6f;
            });
            if (same != made[v].end()) {
                corner[k] = *same;
                continue;
            }
            corner[k] = int(out.position.size());
            made[v].push_back(corner[k]);
            out.position.push_back(mesh.position[v]);
            out.normal.push_back(n);
            if (!mesh.velocity.empty()) out.velocity.push_back(mesh.velocity[v]);
            if (!mesh.wetness.empty()) out.wetness.push_back(mesh.wetness[v]);
        }
        out.triangle.push_back(corner);
    }
    mesh = std::move(out);
}

std::vector<Vec3i> outward(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle) {
    double volume = 0;
    for (const Vec3i& t : triangle)
        volume += double(dot(area_normal(position, t), position[std::size_t(t.x)] - position[0]));
    std::vector<Vec3i> out = triangle;
    if (volume < 0)
        for (Vec3i& t : out) std::swap(t.y, t.z);
    return out;
}

Curves crease_edges(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle, float radius) {
    struct Edge {
        Vec3f first;
        int faces = 0;
        bool sharp = false;
    };
    std::map<std::pair<int, int>, Edge> edges;
    for (const Vec3i& t : triangle) {
        const Vec3f n = unit_or_zero(area_normal(position, t));
        for (int k = 0; k < 3; ++k) {
            Edge& e = edges[std::minmax(int(t[k]), int(t[(k + 1) % 3]))];
            if (e.faces++ == 0)
                e.first = n;
            else
                e.sharp |= dot(e.first, n) < kCreaseCosine;
        }
    }
    Curves c;
    c.start.push_back(0);
    for (const auto& [ends, e] : edges) {
        if (!e.sharp && e.faces != 1) continue;
        for (const int v : {ends.first, ends.second}) {
            c.position.push_back(position[std::size_t(v)]);
            c.radius.push_back(radius);
        }
        c.start.push_back(std::int64_t(c.position.size()));
    }
    return c;
}

}  // namespace rivulet::render
