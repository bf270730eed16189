#include <rivulet/surface/level_set.h>

#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/LevelSetFilter.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>

namespace rivulet::surface {
namespace {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::FloatTree;
using Leaf = FloatTree::LeafNodeType;

/// The averaged surface is moved by at most this many voxels to hold the volume.
constexpr double kMostLevel = 2;

Coord origin_of(const Vec3i& block) {
    return {block.x * kBlock, block.y * kBlock, block.z * kBlock};
}
std::uint64_t key_of(const Coord& origin) {
    return BlockKey::pack(origin.x() / kBlock, origin.y() / kBlock, origin.z() / kBlock);
}

void set_voxel(Leaf& leaf, openvdb::Index offset, float value) {
    const float v = std::clamp(value, -kBand, kBand);
    if (std::abs(v) < kBand)
        leaf.setValueOn(offset, v);
    else
        leaf.setValueOff(offset, v);
}

FloatGrid::Ptr make_grid(const Field& field) {
    auto grid = FloatGrid::create(kBand);
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    for (const Vec3i& block : field.deep) grid->tree().addTile(1, origin_of(block), -kBand, false);
    std::vector<Leaf*> leaves(field.blocks.size());
    parallel_for(leaves.size(), [&](std::size_t b) {
        leaves[b] = new Leaf(origin_of(field.blocks[b].coordinate), kBand, false);
        for (openvdb::Index v = 0; v < Leaf::SIZE; ++v) set_voxel(*leaves[b], v, field.blocks[b].averaged[v]);
    });
    for (Leaf* leaf : leaves) grid->tree().addLeaf(leaf);
    openvdb::tools::signedFloodFill(grid->tree());
    return grid;
}

void dilate_smooth_erode(FloatGrid& grid, const JoinOptions& options) {
    if (grid.tree().activeVoxelCount() == 0) return;
    openvdb::tools::LevelSetFilter<FloatGrid> filter(grid);
    filter.setSpatialScheme(openvdb::math::FIRST_BIAS);
    filter.setTemporalScheme(openvdb::math::TVD_RK1);
    filter.normalize();
    if (options.smoothing <= 0) return;
    filter.offset(float(-options.join));
    for (int pass = 0; pass < options.smoothing; ++pass) filter.gaussian(options.width);
    filter.offset(float(options.join));
}

const FieldBlock* find_block(const Field& field, std::uint64_t key) {
    const auto block_key = [](const FieldBlock& b) {
        return BlockKey::pack(b.coordinate.x, b.coordinate.y, b.coordinate.z);
    };
    const auto it = std::lower_bound(field.blocks.begin(), field.blocks.end(), key,
                                     [&](const FieldBlock& b, std::uint64_t k) { return block_key(b) < k; });
    return it != field.blocks.end() && block_key(*it) == key ? &*it : nullptr;
}

/// Voxels near a surface: distance to the joined one and to the kept parts.
struct Pair {
    float joined, kept, sparse;
    float moved(float level) const { return std::min(joined - level * sparse, kept); }
};

struct Census {
    std::vector<Pair> pairs;
    double inside = 0;  // voxels beyond doubt
};

/// Blocks with kept parts that the joined surface has no leaf for.
template <class Tree, class F>
void for_extra_blocks(const Field& field, const Tree& tree, F&& visit) {
    for (const FieldBlock& block : field.blocks) {
        const Coord origin = origin_of(block.coordinate);
        if (tree.probeConstLeaf(origin) || tree.getValue(origin) < 0) continue;
        if (*std::min_element(block.kept.begin(), block.kept.end()) < kBand) visit(block);
    }
}

Census count(const FloatGrid& grid, const Field& field) {
    Census census;
    const FloatTree& tree = grid.tree();
    for (auto it = tree.cbeginValueOff(); it; ++it)
        if (*it < 0 && !it.isVoxelValue()) census.inside += double(it.getVoxelCount());
    for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) {
        const FieldBlock* block = find_block(field, key_of(leaf->origin()));
        for (openvdb::Index v = 0; v < Leaf::SIZE; ++v) {
            const float joined = leaf->getValue(v), kept = block ? block->kept[v] : kBand;
            if (joined <= -kBand)
                census.inside += 1;
            else if (joined < kBand || kept < kBand)
                census.pairs.push_back({joined, kept, block ? block->sparse[v] : 1.0f});
        }
    }
    for_extra_blocks(field, tree, [&](const FieldBlock& block) {
        for (const float kept : block.kept)
            if (kept < kBand) census.pairs.push_back({kBand, kept, 0});
    });
    return census;
}

/// Volume of the union when the joined surface moves outwards by `level`; a voxel counts by the share below
/// a flat surface at its distance.
double volume_at(const Census& census, double level) {
    const float move = float(level);
    return census.inside + accurate_sum(census.pairs.size(), [&](std::size_t i) {
               return double(std::clamp(0.5f - census.pairs[i].moved(move), 0.0f, 1.0f));
           });
}

double find_level(const Census& census, double target) {
    double low = -kMostLevel, high = kMostLevel;
    if (census.pairs.empty() || target <= 0) return 0;
    for (int k = 0; k < 24; ++k) {
        const double middle = 0.5 * (low + high);
        (volume_at(census, middle) < target ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

void unite(FloatGrid& grid, const Field& field, double level) {
    FloatTree& tree = grid.tree();
    std::vector<const FieldBlock*> extra;
    for_extra_blocks(field, tree, [&](const FieldBlock& block) { extra.push_back(&block); });
    std::vector<Leaf*> leaves;
    tree.getNodes(leaves);
    parallel_for(leaves.size(), [&](std::size_t l) {
        Leaf& leaf = *leaves[l];
        const FieldBlock* block = find_block(field, key_of(leaf.origin()));
        for (openvdb::Index v = 0; v < Leaf::SIZE; ++v) {
            const float joined = leaf.getValue(v), kept = block ? block->kept[v] : kBand;
            if (std::abs(joined) < kBand)
                set_voxel(leaf, v, Pair{joined, kept, block ? block->sparse[v] : 1.0f}.moved(float(level)));
            else if (joined > 0 && kept < kBand)
                set_voxel(leaf, v, kept);
        }
    });
    for (const FieldBlock* block : extra) {
        Leaf* leaf = tree.touchLeaf(origin_of(block->coordinate));
        for (openvdb::Index v = 0; v < Leaf::SIZE; ++v) set_voxel(*leaf, v, block->kept[v]);
    }
}

VoxelMesh mesh_of(const FloatGrid& grid) {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(grid, points, triangles, quads, 0.0, 0.0, true);
    if (points.size() >= (std::size_t{1} << 31)) throw Error("surface: too many vertices for one mesh");
    VoxelMesh mesh;
    mesh.position.reserve(points.size());
    for (const auto& p : points) mesh.position.push_back({p.x(), p.y(), p.z()});
    mesh.triangle.reserve(triangles.size() + 2 * quads.size());
    // OpenVDB winds its polygons clockwise seen from outside.
    for (const auto& t : triangles) mesh.triangle.push_back({int(t[0]), int(t[2]), int(t[1])});
    for (const auto& q : quads) {
        mesh.triangle.push_back({int(q[0]), int(q[2]), int(q[1])});
        mesh.triangle.push_back({int(q[0]), int(q[3]), int(q[2])});
    }
    return mesh;
}

/// OpenVDB puts a vertex at the mean of a cell's crossings, which shrinks what is only a few voxels wide: one
/// Newton step after the other brings it onto the surface, half a voxel at most.
void settle_on_surface(const FloatGrid& grid, std::vector<Vec3f>& position) {
    parallel_chunks(position.size(), 2048, [&](std::size_t begin, std::size_t end, std::size_t) {
        const auto accessor = grid.getConstAccessor();
        const auto sample = [&](const openvdb::Vec3d& p) {
            return openvdb::tools::BoxSampler::sample(accessor, p);
        };
        for (std::size_t i = begin; i < end; ++i) {
            const openvdb::Vec3d start(position[i].x, position[i].y, position[i].z);
            openvdb::Vec3d p = start;
            for (int step = 0; step < 3; ++step) {
                constexpr double h = 0.5;
                openvdb::Vec3d gradient;
                for (int a = 0; a < 3; ++a) {
                    openvdb::Vec3d offset(0.0);
                    offset[a] = h;
                    gradient[a] = double(sample(p + offset) - sample(p - offset)) / (2 * h);
                }
                const double slope = gradient.lengthSqr();
                if (slope < 0.05) break;
                p -= gradient * (double(sample(p)) / slope);
            }
            const openvdb::Vec3d move = p - start;
            const double distance = move.length();
            if (!(distance < 1)) continue;
            p = start + move * (distance > 0.5 ? 0.5 / distance : 1.0);
            position[i] = {float(p.x()), float(p.y()), float(p.z())};
        }
    });
}

}  // namespace

VoxelMesh join_and_mesh(const Field& field, const JoinOptions& options, const std::function<void()>& stage) {
    openvdb::initialize();
    if (field.blocks.empty()) return {};
    FloatGrid::Ptr grid = make_grid(field);
    stage();
    dilate_smooth_erode(*grid, options);
    stage();
    const double level = find_level(count(*grid, field), options.target_volume);
    unite(*grid, field, level);
    stage();
    VoxelMesh mesh = mesh_of(*grid);
    settle_on_surface(*grid, mesh.position);
    mesh.level = level;
    return mesh;
}

}  // namespace rivulet::surface
