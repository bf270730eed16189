#include <rivulet/render/liquid_parts.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <rivulet/geometry/spatial_hash.h>

namespace rivulet::render {

namespace {

/// Radii of particles within which a triangle looks for its own.
constexpr float kReach = 4;
/// Cells from the origin that the hash can hold.
constexpr double kFarthest = 1e6;

Vec3d widen(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

bool one_liquid(const std::vector<std::uint8_t>& material) {
    return std::all_of(material.begin(), material.end(), [&](std::uint8_t m) { return m == material[0]; });
}

/// Appends vertices of the whole as its triangles ask for them.
class Part {
 public:
    void add(const Mesh& whole, const Vec3i& triangle) {
        Vec3i mine;
        for (int c = 0; c < 3; ++c) mine[c] = vertex(whole, triangle[c]);
        mesh.triangle.push_back(mine);
    }
    Mesh mesh;

 private:
    int vertex(const Mesh& whole, int v) {
        const auto [found, fresh] = index_.try_emplace(v, int(mesh.position.size()));
        if (fresh) {
            const std::size_t n = std::size_t(v);
            mesh.position.push_back(whole.position[n]);
            if (!whole.normal.empty()) mesh.normal.push_back(whole.normal[n]);
            if (!whole.velocity.empty()) mesh.velocity.push_back(whole.velocity[n]);
        }
        return found->second;
    }
    std::map<int, int> index_;
};

}  // namespace

LiquidPoints liquid_points(const output::Frame& frame) {
    LiquidPoints out;
    for (const output::FrameGroup& g : frame.groups) {
        if (!output::is_bulk(g)) continue;
        const auto radius = g.find("radius");
        out.position.insert(out.position.end(), g.position.begin(), g.position.end());
        out.radius.insert(out.radius.end(), radius.begin(), radius.end());
        for (std::size_t i = 0; i < g.position.size(); ++i)
            out.material.push_back(std::uint8_t(std::min<std::size_t>(g.material_of(i), 255)));
    }
    return out;
}

std::size_t commonest_liquid(const LiquidPoints& liquid) {
    std::array<std::size_t, 256> count{};
    for (const std::uint8_t m : liquid.material) ++count[m];
    return std::size_t(std::max_element(count.begin(), count.end()) - count.begin());
}

std::vector<std::pair<std::size_t, Mesh>> split_by_liquid(Mesh surface, const LiquidPoints& liquid) {
    const std::size_t most = commonest_liquid(liquid);
    std::vector<std::pair<std::size_t, Mesh>> parts;
    float radius = 0;
    for (const float r : liquid.radius)
        if (std::isfinite(r)) radius = std::max(radius, r);
    const bool readable =
        liquid.material.size() == liquid.position.size() && liquid.radius.size() == liquid.position.size();
    if (one_liquid(liquid.material) || !readable || !(radius > 0)) {
        parts.emplace_back(most, std::move(surface));
        return parts;
    }
    const double reach = double{kReach} * radius;
    std::vector<Vec3d> point;
    std::vector<std::uint8_t> material;
    for (std::size_t i = 0; i < liquid.position.size(); ++i) {
        const Vec3d x = widen(liquid.position[i]);
        if (!is_finite(x) || length(x) > kFarthest * reach) continue;
        point.push_back(x);
        material.push_back(liquid.material[i]);
    }
    const geometry::SpatialHash hash(point, reach);
    std::map<std::size_t, Part> by_liquid;
    for (const Vec3i& t : surface.triangle) {
        const Vec3d centre = widen(surface.position[std::size_t(t.x)] + surface.position[std::size_t(t.y)] +
                                   surface.position[std::size_t(t.z)]) /
                             3.0;
        const bool near = is_finite(centre) && length(centre) < kFarthest * reach;
        const std::int64_t nearest = near ? hash.nearest(centre, reach) : -1;
        by_liquid[nearest < 0 ? most : material[std::size_t(nearest)]].add(surface, t);
    }
    for (auto& [index, part] : by_liquid) parts.emplace_back(index, std::move(part.mesh));
    return parts;
}

}  // namespace rivulet::render
