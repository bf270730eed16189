#include <rivulet/surface/mesher.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/surface/cell_patches.h>

namespace rivulet::surface {
namespace {

// NOTE: made at start: clang takes so many steps for an endless loop.
const CellPatches kPatches = make_cell_patches();

/// Values around a block, from -kLow to 8 + kHigh - 1 along each axis.
struct Around {
    static constexpr int kLow = 2, kHigh = 3, kEdge = kBlock + kLow + kHigh;
    std::array<float, kEdge * kEdge * kEdge> value;

    float& at(int x, int y, int z) {
        return value[std::size_t(((x + kLow) * kEdge + y + kLow) * kEdge + z + kLow)];
    }
    float at(int x, int y, int z) const { return const_cast<Around*>(this)->at(x, y, z); }

    /// `low` .. `high` (excluded) of the voxels along each axis.
    void gather(const JoinedField& field, const Vec3i& block, float level, int low, int high) {
        for (int n = 0; n < 27; ++n) {
            const Vec3i offset{n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
            const JoinedField::Place place = field.find(block + offset);
            Vec3i from, to;
            for (int a = 0; a < 3; ++a) {
                from[a] = std::max(low, offset[a] * kBlock);
                to[a] = std::min(high, (offset[a] + 1) * kBlock);
            }
            for (int x = from.x; x < to.x; ++x)
                for (int y = from.y; y < to.y; ++y)
                    for (int z = from.z; z < to.z; ++z) {
                        const auto v = std::size_t(((x & 7) * kBlock + (y & 7)) * kBlock + (z & 7));
                        at(x, y, z) = place.block ? place.block->at(v, level) : place.inside ? -kBand : kBand;
                    }
        }
    }

    /// Which corners of a cell are inside.
    std::size_t inside(int x, int y, int z) const {
        std::size_t bits = 0;
        for (int c = 0; c < 8; ++c)
            bits |= std::size_t(at(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2 & 1)) < 0) << c;
        return bits;
    }

    /// Trilinear.
    float sample(const Vec3d& p) const {
        const int x = int(std::floor(p.x)), y = int(std::floor(p.y)), z = int(std::floor(p.z));
        const float u = float(p.x - x), v = float(p.y - y), w = float(p.z - z);
        const auto line = [&](int i, int j) {
            return at(x + i, y + j, z) * (1 - w) + at(x + i, y + j, z + 1) * w;
        };
        return (line(0, 0) * (1 - v) + line(0, 1) * v) * (1 - u) +
               (line(1, 0) * (1 - v) + line(1, 1) * v) * u;
    }
};

/// The mean of crossings lies inside a curved surface, which shrinks what is only a few voxels wide: a few
/// Newton steps bring it onto the surface, half a voxel at most.
Vec3d settled(const Around& around, const Vec3d& start) {
    constexpr double h = 0.5;
    Vec3d p = start;
    for (int step = 0; step < 3; ++step) {
        Vec3d gradient;
        for (int a = 0; a < 3; ++a) {
            Vec3d offset;
            offset[a] = h;
            gradient[a] = double(around.sample(p + offset) - around.sample(p - offset)) / (2 * h);
        }
        const double slope = squared_length(gradient);
        if (slope < 0.05) break;
        const Vec3d next = p - gradient * (double(around.sample(p)) / slope);
        if (!(squared_length(next - start) < 1)) return start;
        p = next;
    }
    const double distance = length(p - start);
    return start + (p - start) * (distance > 0.5 ? 0.5 / distance : 1.0);
}

struct Crossings {
    std::array<Vec3d, 4> sum;
    std::array<int, 4> count{};
};

Crossings crossings_of(const Around& around, int x, int y, int z, std::size_t inside) {
    Crossings c;
    for (int e = 0; e < 12; ++e) {
        const int patch = kPatches.patch[inside][std::size_t(e)];
        if (patch < 0) continue;
        const CellEdge ends = cell_edge(e);
        const auto corner = [&](int k) { return Vec3i{x + (k & 1), y + (k >> 1 & 1), z + (k >> 2 & 1)}; };
        const Vec3i a = corner(ends.from), b = corner(ends.to);
        const double va = double(around.at(a.x, a.y, a.z)), vb = double(around.at(b.x, b.y, b.z));
        c.sum[std::size_t(patch)] += to_double(a) + to_double(b - a) * (va / (va - vb));
        ++c.count[std::size_t(patch)];
    }
    return c;
}

int cell_index(int x, int y, int z) {
    return (x * kBlock + y) * kBlock + z;
}

/// One block's share of the mesh.
struct Part {
    std::uint64_t key = 0;
    std::vector<std::uint16_t> cell;  // of each vertex, increasing
    std::size_t quads = 0;
    std::size_t first_vertex = 0, first_quad = 0;
};

class Mesher {
 public:
    Mesher(const JoinedField& field, float level) : field_(field), level_(level) {
        for (const std::uint64_t key : candidates()) parts_.emplace_back().key = key;
        parallel_for(parts_.size(), [&](std::size_t i) { count(parts_[i]); });
        std::erase_if(parts_, [](const Part& p) { return p.cell.empty() && p.quads == 0; });
        std::size_t vertices = 0, quads = 0;
        for (Part& p : parts_) {
            p.first_vertex = vertices;
            p.first_quad = quads;
            vertices += p.cell.size();
            quads += p.quads;
        }
        if (vertices >= (std::size_t{1} << 31)) throw Error("surface: too many vertices for one mesh");
        mesh_.position.resize(vertices);
        mesh_.triangle.resize(2 * quads);
    }

    VoxelMesh make() {
        parallel_for(parts_.size(), [&](std::size_t i) { place_vertices(parts_[i]); });
        parallel_for(parts_.size(), [&](std::size_t i) { add_quads(parts_[i]); });
        for (const Part& p : parts_) mesh_.parts.push_back({BlockKey::unpack(p.key), p.first_vertex});
        return std::move(mesh_);
    }

 private:
    const JoinedField& field_;
    float level_;
    std::vector<Part> parts_;
    VoxelMesh mesh_;

    /// Blocks with values, and those whose upper cells reach into them.
    std::vector<std::uint64_t> candidates() const {
        std::vector<std::uint64_t> keys;
        for (std::size_t b = 0; b < field_.block.size(); ++b) {
            if (!field_.block[b]) continue;
            const Vec3i c = BlockKey::unpack(field_.layout.near[b]);
            for (int n = 0; n < 8; ++n)
                keys.push_back(BlockKey::pack(c.x - (n & 1), c.y - (n >> 1 & 1), c.z - (n >> 2)));
        }
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        return keys;
    }

    template <class F>
    static void for_cells(F&& visit) {
        for (int x = 0; x < kBlock; ++x)
            for (int y = 0; y < kBlock; ++y)
                for (int z = 0; z < kBlock; ++z) visit(x, y, z);
    }

    void count(Part& part) const {
        Around around;
        around.gather(field_, BlockKey::unpack(part.key), level_, 0, kBlock + 1);
        for_cells([&](int x, int y, int z) {
            const std::size_t inside = around.inside(x, y, z);
            for (int n = 0; n < kPatches.count[inside]; ++n)
                part.cell.push_back(std::uint16_t(cell_index(x, y, z)));
            for (int axis = 0; axis < 3; ++axis)
                part.quads += (inside & 1) != (inside >> (1 << axis) & 1) ? 1 : 0;
        });
        part.cell.shrink_to_fit();
    }

    void place_vertices(const Part& part) {
        if (part.cell.empty()) return;
        Around around;
        const Vec3i block = BlockKey::unpack(part.key);
        around.gather(field_, block, level_, -Around::kLow, kBlock + Around::kHigh);
        const Vec3d origin = to_double(block) * double(kBlock);
        std::size_t n = 0;
        while (n < part.cell.size()) {
            const int cell = part.cell[n], x = cell / 64, y = cell / 8 % 8, z = cell % 8;
            const std::size_t inside = around.inside(x, y, z);
            const Crossings c = crossings_of(around, x, y, z, inside);
            const int pieces = kPatches.count[inside];
            for (int k = 0; k < pieces; ++k, ++n) {
                Vec3d p = c.sum[std::size_t(k)] / double(c.count[std::size_t(k)]);
                if (pieces == 1) p = settled(around, p);
                p += origin;
                mesh_.position[part.first_vertex + n] = {float(p.x), float(p.y), float(p.z)};
            }
        }
    }

    const Part* find(const Vec3i& block) const {
        const std::uint64_t key = BlockKey::pack(block.x, block.y, block.z);
        const auto it = std::lower_bound(parts_.begin(), parts_.end(), key,
                                         [](const Part& p, std::uint64_t k) { return p.key < k; });
        return it != parts_.end() && it->key == key ? &*it : nullptr;
    }

    void add_quads(const Part& part) {
        if (part.quads == 0) return;
        Around around;
        const Vec3i block = BlockKey::unpack(part.key);
        around.gather(field_, block, level_, -1, kBlock + 1);
        std::array<const Part*, 8> lower{};
        for (int n = 0; n < 8; ++n) lower[std::size_t(n)] = find(block - Vec3i{n & 1, n >> 1 & 1, n >> 2});
        /// The vertex of cell c (at least -1 along each axis) for its edge e.
        const auto vertex = [&](const Vec3i& c, int e) {
            const int which = (c.x < 0 ? 1 : 0) | (c.y < 0 ? 2 : 0) | (c.z < 0 ? 4 : 0);
            const Part& owner = *lower[std::size_t(which)];
            const auto cell = std::uint16_t(cell_index(c.x & 7, c.y & 7, c.z & 7));
            const auto it = std::lower_bound(owner.cell.begin(), owner.cell.end(), cell);
            const int patch = kPatches.patch[around.inside(c.x, c.y, c.z)][std::size_t(e)];
            return int(owner.first_vertex) + int(it - owner.cell.begin()) + patch;
        };
        Vec3i* out = &mesh_.triangle[2 * part.first_quad];
        for_cells([&](int x, int y, int z) {
            const bool in = around.at(x, y, z) < 0;
            for (int axis = 0; axis < 3; ++axis) {
                const int dx = axis == 0, dy = axis == 1, dz = axis == 2;
                if ((around.at(x + dx, y + dy, z + dz) < 0) == in) continue;
                // Around the edge, counter-clockwise seen from its upper end.
                static constexpr int turn[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
                std::array<int, 4> q{};
                for (std::size_t k = 0; k < 4; ++k) {
                    const int i = turn[k][0], j = turn[k][1];
                    Vec3i cell{x, y, z};
                    cell[(axis + 1) % 3] -= i;
                    cell[(axis + 2) % 3] -= j;
                    q[k] = vertex(cell, axis * 4 + i + 2 * j);
                }
                if (!in) std::swap(q[1], q[3]);
                const auto diagonal = [&](std::size_t a, std::size_t b) {
                    return squared_length(mesh_.position[std::size_t(q[a])] -
                                          mesh_.position[std::size_t(q[b])]);
                };
                const std::size_t s = diagonal(0, 2) <= diagonal(1, 3) ? 0 : 1;
                *out++ = {q[s], q[s + 1], q[s + 2]};
                *out++ = {q[s], q[s + 2], q[(s + 3) % 4]};
            }
        });
    }
};

}  // namespace

VoxelMesh mesh_at(const JoinedField& field, float level) {
    return Mesher(field, level).make();
}

}  // namespace rivulet::surface
