#include <rivulet/surface/mesh_measure.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::surface {
namespace {

/// A push below this, in the mesh's units, is not worth a pass.
constexpr double kSmallestMove = 1e-4;

Vec3d wide(const Vec3f& v) {
    return {double(v.x), double(v.y), double(v.z)};
}
Vec3d area_vector(const std::vector<Vec3f>& p, const Vec3i& t) {
    const Vec3d a = wide(p[std::size_t(t.x)]);
    return cross(wide(p[std::size_t(t.y)]) - a, wide(p[std::size_t(t.z)]) - a) * 0.5;
}

}  // namespace

double enclosed_volume(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle) {
    if (position.empty()) return 0;
    const Vec3d centre = wide(position[0]);
    return accurate_sum(triangle.size(), [&](std::size_t i) {
        const Vec3i& t = triangle[i];
        return dot(area_vector(position, t), wide(position[std::size_t(t.x)]) - centre) / 3;
    });
}

std::size_t open_edges(const std::vector<Vec3i>& triangle) {
    struct Edge {
        int low, high;
        bool up;
        bool operator<(const Edge& o) const { return low != o.low ? low < o.low : high < o.high; }
    };
    std::vector<Edge> edges;
    edges.reserve(3 * triangle.size());
    for (const Vec3i& t : triangle)
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), a < b});
        }
    std::sort(edges.begin(), edges.end());
    std::size_t open = 0;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        int balance = 0;
        for (; end < edges.size() && !(edges[i] < edges[end]); ++end) balance += edges[end].up ? 1 : -1;
        open += balance != 0 ? 1 : 0;
        i = end;
    }
    return open;
}

double surface_area(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle) {
    return accurate_sum(triangle.size(),
                        [&](std::size_t i) { return length(area_vector(position, triangle[i])); });
}

void inflate_to(std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle, double volume,
                double most) {
    double left = most;
    for (int pass = 0; pass < 3; ++pass) {
        const double area = surface_area(position, triangle);
        if (!(area > 0)) return;
        const double wanted = (volume - enclosed_volume(position, triangle)) / area;
        const double move = std::clamp(wanted, -left, left);
        left -= std::abs(move);
        if (std::abs(move) < kSmallestMove) return;
        std::vector<Vec3f> normal(position.size());
        for (const Vec3i& t : triangle) {
            const Vec3d n = area_vector(position, t);
            for (int k = 0; k < 3; ++k)
                normal[std::size_t(t[k])] += Vec3f{float(n.x), float(n.y), float(n.z)};
        }
        parallel_for(position.size(), [&](std::size_t i) {
            const float l = length(normal[i]);
            if (l > 0) position[i] += normal[i] * (float(move) / l);
        });
    }
}

}  // namespace rivulet::surface
