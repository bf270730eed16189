#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/surface/carriers.h>
#include <rivulet/surface/reconstruct.h>

namespace rivulet::surface {
namespace {

/// A vertex lies against other liquids when these are more than this part of what is near it.
constexpr float kTouching = 0.1f;

Particles some_of(const Particles& all, const std::vector<bool>& wanted) {
    Particles some;
    for (std::size_t i = 0; i < all.position.size(); ++i) {
        if (all.material[i] >= wanted.size() || !wanted[all.material[i]]) continue;
        some.position.push_back(all.position[i]);
        if (!all.velocity.empty()) some.velocity.push_back(all.velocity[i]);
        some.volume.push_back(all.volume[i]);
        some.material.push_back(all.material[i]);
    }
    return some;
}

/// Per vertex, whether other liquids are near.
std::vector<char> touching(const SurfaceMesh& mesh, const Particles& all, const std::vector<bool>& inner,
                           std::size_t liquids) {
    const auto voxels = [&](const Vec3d& p) { return p / mesh.voxel; };
    Carriers carriers(liquids);
    for (std::size_t i = 0; i < all.position.size(); ++i)
        if (is_finite(all.position[i]) && all.volume[i] > 0)
            carriers.add(voxels(all.position[i]), {}, all.volume[i], all.material[i]);
    carriers.sort();
    std::vector<BlockLists::Entry> entries;
    std::vector<Vec3f> point(mesh.position.size());
    for (std::size_t v = 0; v < point.size(); ++v) {
        const Vec3f& q = mesh.position[v];
        const Vec3d p = voxels({double(q.x), double(q.y), double(q.z)});
        point[v] = {float(p.x), float(p.y), float(p.z)};
        if (!is_within_keys(p)) continue;
        entries.push_back({BlockKey::pack(block_of(p.x), block_of(p.y), block_of(p.z)), std::uint32_t(v)});
    }
    const BlockLists blocks(std::move(entries));
    std::vector<char> touches(point.size(), 0);
    parallel_for(blocks.keys().size(), [&](std::size_t b) {
        std::vector<Vec3f> here;
        for (const std::uint32_t v : blocks.at(b)) here.push_back(point[v]);
        std::vector<Vec3f> velocity(here.size());
        std::vector<float> share(here.size() * liquids);
        carriers.at(BlockKey::unpack(blocks.keys()[b]), here, velocity, share);
        for (std::size_t k = 0; k < here.size(); ++k) {
            float others = 0;
            for (std::size_t l = 0; l < liquids; ++l) others += inner[l] ? 0.0f : share[k * liquids + l];
            touches[blocks.at(b)[k]] = others > kTouching;
        }
    });
    return touches;
}

/// Leaves the triangles with a touching corner, and the vertices they need.
void keep_touching(const std::vector<char>& touches, std::size_t liquids, SurfaceMesh& mesh) {
    SurfaceMesh kept;
    kept.voxel = mesh.voxel;
    std::vector<int> place(mesh.position.size(), -1);
    for (std::size_t t = 0; t < mesh.triangle.size(); ++t) {
        Vec3i corner = mesh.triangle[t];
        if (!touches[std::size_t(corner.x)] && !touches[std::size_t(corner.y)] &&
            !touches[std::size_t(corner.z)])
            continue;
        for (int k = 0; k < 3; ++k) {
            const auto v = std::size_t(corner[k]);
            if (place[v] < 0) {
                place[v] = int(kept.position.size());
                kept.position.push_back(mesh.position[v]);
                kept.velocity.push_back(mesh.velocity[v]);
                const auto row = mesh.material_weight.begin() + std::ptrdiff_t(v * liquids);
                kept.material_weight.insert(kept.material_weight.end(), row, row + std::ptrdiff_t(liquids));
            }
            corner[k] = place[v];
        }
        kept.triangle.push_back(corner);
        kept.material.push_back(mesh.material[t]);
    }
    mesh = std::move(kept);
}

}  // namespace

SurfaceMesh reconstruct_interface(const Particles& particles, const Options& options,
                                  const std::vector<bool>& inner, const Progress& progress) {
    const bool mixed = options.liquids > 1 && inner.size() == options.liquids &&
                       particles.material.size() == particles.position.size();
    if (!mixed) return {};
    SurfaceMesh mesh = reconstruct(some_of(particles, inner), {}, options, progress);
    if (!mesh.triangle.empty())
        keep_touching(touching(mesh, particles, inner, options.liquids), options.liquids, mesh);
    return mesh;
}

}  // namespace rivulet::surface
