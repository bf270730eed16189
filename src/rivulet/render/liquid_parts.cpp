#include <rivulet/render/liquid_parts.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <tuple>

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

/// Cuts triangles on which two liquids meet along the line where they have the same share.
class Cutter {
 public:
    Cutter(Mesh& whole, const output::FrameGroup& surface, std::map<std::size_t, Part>& parts)
        : whole_(whole), share_(surface.share), liquids_(surface.liquids()), parts_(parts) {}

    void add(const Vec3i& triangle, std::size_t most) {
        const std::size_t other = second(triangle, most);
        std::array<bool, 3> mine{};
        for (int k = 0; k < 3; ++k) mine[std::size_t(k)] = lead(triangle[k], most, other) >= 0;
        const int count = mine[0] + mine[1] + mine[2];
        if (count == 3 || count == 0) return parts_[most].add(whole_, triangle);
        // One corner stands alone: it keeps a triangle, the other two a quadrilateral.
        int alone = 0;
        while (mine[std::size_t(alone)] != (count == 1)) ++alone;
        const int a = triangle[alone], b = triangle[(alone + 1) % 3], c = triangle[(alone + 2) % 3];
        const int ab = between(a, b, most, other), ac = between(a, c, most, other);
        parts_[count == 1 ? most : other].add(whole_, {a, ab, ac});
        parts_[count == 1 ? other : most].add(whole_, {ab, b, c});
        parts_[count == 1 ? other : most].add(whole_, {ab, c, ac});
    }

 private:
    float share(int vertex, std::size_t liquid) const {
        return share_[std::size_t(vertex) * liquids_ + liquid];
    }
    float lead(int vertex, std::size_t a, std::size_t b) const { return share(vertex, a) - share(vertex, b); }

    /// The liquid with most at the corners, but for one.
    std::size_t second(const Vec3i& t, std::size_t most) const {
        std::size_t found = most == 0 ? 1 : 0;
        float largest = -1;
        for (std::size_t l = 0; l < liquids_; ++l) {
            const float sum = share(t.x, l) + share(t.y, l) + share(t.z, l);
            if (l != most && sum > largest) largest = sum, found = l;
        }
        return found;
    }
    /// A vertex on an edge; the same for the triangles on both sides of it.
    int between(int a, int b, std::size_t one, std::size_t two) {
        if (a > b) std::swap(a, b);
        if (one > two) std::swap(one, two);
        const auto [found, fresh] = made_.try_emplace({a, b, one, two}, int(whole_.position.size()));
        if (!fresh) return found->second;
        const float at_a = lead(a, one, two), at_b = lead(b, one, two), part = at_a / (at_a - at_b);
        for (auto* values : {&whole_.position, &whole_.normal, &whole_.velocity})
            if (!values->empty()) {
                const Vec3f from = (*values)[std::size_t(a)], to = (*values)[std::size_t(b)];
                values->push_back(from + (to - from) * part);
            }
        return found->second;
    }

    Mesh& whole_;
    const std::vector<float>& share_;
    std::size_t liquids_;
    std::map<std::size_t, Part>& parts_;
    std::map<std::tuple<int, int, std::size_t, std::size_t>, int> made_;
};

}  // namespace

std::size_t commonest_liquid(const output::Frame& frame) {
    std::array<std::size_t, 256> count{};
    for (const output::FrameGroup& g : frame.groups)
        for (std::size_t i = 0; output::is_bulk(g) && i < g.position.size(); ++i)
            ++count[std::min<std::size_t>(g.material_of(i), 255)];
    return std::size_t(std::max_element(count.begin(), count.end()) - count.begin());
}

std::vector<std::pair<std::size_t, Mesh>> split_by_liquid(Mesh whole, const output::FrameGroup& surface,
                                                          std::size_t otherwise) {
    std::vector<std::pair<std::size_t, Mesh>> parts;
    const std::vector<std::uint8_t>& material = surface.triangle_material;
    if (material.size() != whole.triangle.size()) {
        parts.emplace_back(otherwise, std::move(whole));
        return parts;
    }
    std::map<std::size_t, Part> by_liquid;
    Cutter cutter(whole, surface, by_liquid);
    for (std::size_t t = 0; t < material.size(); ++t) {
        const Vec3i triangle = whole.triangle[t];
        if (surface.liquids() > 1 && material[t] < surface.liquids())
            cutter.add(triangle, material[t]);
        else
            by_liquid[material[t]].add(whole, triangle);
    }
    for (auto& [index, part] : by_liquid) parts.emplace_back(index, std::move(part.mesh));
    return parts;
}

}  // namespace rivulet::render
