#include <rivulet/render/walls.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/render/camera.h>
#include <rivulet/render/mesh_tools.h>

namespace rivulet::render {
namespace {

constexpr std::size_t kMostWalls = 256;
/// Cosine between a vertex normal and the wall's from which on the surface is taken to lie on the wall.
constexpr float kFacing = 0.25f;
constexpr float kFloor = -0.95f;
/// Cosine between two walls below which a surface may lie on both.
constexpr float kAcross = 0.5f;

bool is_known(const std::vector<Wall>& walls, const Wall& w, float slack) {
    return std::any_of(walls.begin(), walls.end(), [&](const Wall& o) {
        return dot(o.normal, w.normal) > 0.9999f && std::abs(o.offset - w.offset) < slack;
    });
}

}  // namespace

std::vector<Wall> flat_walls(const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle) {
    if (position.empty()) return {};
    const float slack = 1e-4f * length(box_of_most(position, 0).size());
    std::vector<Wall> walls;
    for (const Vec3i& t : outward(position, triangle)) {
        const Vec3f a = position[std::size_t(t.x)];
        const Vec3f n = cross(position[std::size_t(t.y)] - a, position[std::size_t(t.z)] - a);
        const float area = length(n);
        if (!(area > 0)) continue;
        const Wall w{n / area, dot(n, a) / area};
        if (is_known(walls, w, slack)) continue;
        if (walls.size() == kMostWalls) return {};
        walls.push_back(w);
    }
    for (const Wall& w : walls)
        for (const Vec3f& p : position)
            if (!(w.distance(p) < slack)) return {};
    return walls;
}

void press_against(const std::vector<Wall>& walls, float reach, float gap, float sink, Mesh& liquid) {
    parallel_for(liquid.position.size(), [&](std::size_t i) {
        const Vec3f normal = liquid.normal[i];
        Vec3f& p = liquid.position[i];
        // The nearest wall, then those across it: in a corner a vertex lies on up to three. The facets beside
        // one of a round container must not pull it off.
        const Wall* used[3];
        std::size_t count = 0;
        float closest = kFacing;
        while (count < 3) {
            const Wall* nearest = nullptr;
            for (const Wall& w : walls) {
                const bool across = std::all_of(used, used + count, [&](const Wall* other) {
                    return dot(other->normal, w.normal) < kAcross;
                });
                if (!across || dot(normal, w.normal) < kFacing || w.distance(p) < -reach) continue;
                if (!nearest || w.distance(p) > nearest->distance(p)) nearest = &w;
            }
            if (!nearest) break;
            used[count++] = nearest;
            const float beyond = nearest->normal.y < kFloor ? sink : -gap;
            p += nearest->normal * (beyond - nearest->distance(p));
            const float facing = dot(normal, nearest->normal);
            if (facing > closest) {
                closest = facing;
                liquid.normal[i] = nearest->normal;
            }
        }
    });
}

}  // namespace rivulet::render
