#include <rivulet/render/liquid_parts.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

namespace rivulet::render {

namespace {

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

std::size_t commonest_liquid(const output::Frame& frame) {
    std::array<std::size_t, 256> count{};
    for (const output::FrameGroup& g : frame.groups)
        for (std::size_t i = 0; output::is_bulk(g) && i < g.position.size(); ++i)
            ++count[std::min<std::size_t>(g.material_of(i), 255)];
    return std::size_t(std::max_element(count.begin(), count.end()) - count.begin());
}

std::vector<std::pair<std::size_t, Mesh>> split_by_liquid(Mesh whole,
                                                          const std::vector<std::uint8_t>& material,
                                                          std::size_t otherwise) {
    std::vector<std::pair<std::size_t, Mesh>> parts;
    if (material.size() != whole.triangle.size()) {
        parts.emplace_back(otherwise, std::move(whole));
        return parts;
    }
    std::map<std::size_t, Part> by_liquid;
    for (std::size_t t = 0; t < material.size(); ++t) by_liquid[material[t]].add(whole, whole.triangle[t]);
    for (auto& [index, part] : by_liquid) parts.emplace_back(index, std::move(part.mesh));
    return parts;
}

}  // namespace rivulet::render
