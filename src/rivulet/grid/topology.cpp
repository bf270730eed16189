#include <rivulet/grid/topology.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <rivulet/base/entity.h>
#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>

namespace rivulet::grid {

namespace {

static_assert((kBlockEdge & (kBlockEdge - 1)) == 0);
constexpr int kBias = 1 << 20;  // block indices become positive
constexpr int kEdgeBits = kBlockEdge == 4 ? 2 : kBlockEdge == 8 ? 3 : kBlockEdge == 2 ? 1 : 4;

constexpr std::uint64_t spread_bits(std::uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}
constexpr std::uint64_t gather_bits(std::uint64_t x) {
    x &= 0x1249249249249249ull;
    x = (x | x >> 2) & 0x10c30c30c30c30c3ull;
    x = (x | x >> 4) & 0x100f00f00f00f00full;
    x = (x | x >> 8) & 0x1f0000ff0000ffull;
    x = (x | x >> 16) & 0x1f00000000ffffull;
    x = (x | x >> 32) & 0x1fffff;
    return x;
}
constexpr std::uint64_t axis_key(int corner) {
    return spread_bits(static_cast<std::uint64_t>((corner >> kEdgeBits) + kBias));
}
int wrap(int index, int period) {
    if (period == 0) return index;
    const int r = index % period;
    return r < 0 ? r + period : r;
}
std::uint64_t mixed(std::uint64_t key) {
    return (key * 0x9E3779B97F4A7C15ull) >> 20;
}
/// Parity of the block along an axis, and a third colour where an odd period makes ends of one parity meet.
int axis_colour(int corner, int period) {
    const int block = corner >> kEdgeBits, blocks = period >> kEdgeBits;
    if (blocks > 1 && (blocks & 1) && block == blocks - 1) return 2;
    return block & 1;
}

}  // namespace

std::uint64_t morton_key(const Vec3i& c) {
    return axis_key(c.x) | axis_key(c.y) << 1 | axis_key(c.z) << 2;
}

Vec3i morton_corner(std::uint64_t key) {
    const auto axis = [&](int shift) {
        return (static_cast<int>(gather_bits(key >> shift)) - kBias) * kBlockEdge;
    };
    return {axis(0), axis(1), axis(2)};
}

Vec3i Topology::wrapped(const Vec3i& c) const {
    return {wrap(c.x, period.x), wrap(c.y, period.y), wrap(c.z, period.z)};
}

Vec3d Topology::wrapped(const Vec3d& position) const {
    Vec3d p = position;
    for (int a = 0; a < 3; ++a) {
        if (period[a] == 0) continue;
        const double length = period[a] * cell;
        p[a] -= length * std::floor(p[a] / length);
        if (p[a] < 0) p[a] += length;
        // NOTE: compared in cells as everywhere else, so that rounding never gives a cell past the last.
        if (!(p[a] * (1 / cell) < period[a])) p[a] = 0;
    }
    return p;
}

std::int32_t Topology::find(const Vec3i& block_corner) const {
    const std::uint64_t k = morton_key(wrapped(block_corner));
    const auto at = std::lower_bound(key.begin(), key.end(), k);
    return at != key.end() && *at == k ? static_cast<std::int32_t>(at - key.begin()) : -1;
}

std::int64_t Topology::index(const Vec3i& cell_index) const {
    const Vec3i c = wrapped(cell_index);
    const int low = kBlockEdge - 1;
    const std::int32_t b = find({c.x & ~low, c.y & ~low, c.z & ~low});
    return b < 0 ? -1 : std::int64_t{b} * kBlockCells + cell_in_block(c.x & low, c.y & low, c.z & low);
}

void TopologyBuilder::start(double cell, const Vec3i& period, const Reach& reach) {
    for (int a = 0; a < 3; ++a)
        if (period[a] < 0 || period[a] % kBlockEdge != 0 || period[a] / kBlockEdge >= kFarthestBlock)
            throw Error("grid: the period along an axis must be a multiple of " + std::to_string(kBlockEdge) +
                        " cells");
    cell_ = cell;
    period_ = period;
    reach_ = reach;
    blocks_.clear();
}

void TopologyBuilder::add_points(std::span<const Vec3d> points, std::span<const std::uint64_t> id) {
    const Chunks chunks(points.size(), 8192);
    if (chunk_blocks_.size() < chunks.count) chunk_blocks_.resize(chunks.count);
    bad_point_.assign(chunks.count, -1);
    Topology frame;
    frame.cell = cell_;
    frame.period = period_;
    const double inverse = 1 / cell_, farthest = double(kFarthestBlock) * kBlockEdge;
    parallel_for(chunks.count, [&](std::size_t c) {
        std::vector<Wanted>& mine = chunk_blocks_[c];
        mine.clear();
        Vec3i last{1, 0, 0};  // no block corner
        for (std::size_t i = chunks.begin(c); i < chunks.end(c); ++i) {
            const Vec3d s = points[i] * inverse;
            if (!(std::abs(s.x) < farthest && std::abs(s.y) < farthest && std::abs(s.z) < farthest)) {
                if (bad_point_[c] < 0) bad_point_[c] = static_cast<std::int64_t>(i);
                continue;
            }
            const Vec3d w = frame.wrapped(points[i]) * inverse;
            const auto corner = [](double x) { return static_cast<int>(std::floor(x)) & ~(kBlockEdge - 1); };
            const Vec3i here = frame.wrapped(Vec3i{corner(w.x), corner(w.y), corner(w.z)});
            if (here != last) {
                last = here;
                mine.push_back({morton_key(here), 0});
            }
            std::uint8_t& sides = mine.back().sides;
            for (int a = 0; a < 3; ++a) {
                const int place = static_cast<int>(w[a] - here[a]);
                sides |= std::uint8_t((place < reach_.below) << (2 * a) | (place + reach_.above >= kBlockEdge)
                                                                              << (2 * a + 1));
            }
        }
        unite(mine);
    });
    for (std::size_t c = 0; c < chunks.count; ++c) {
        if (bad_point_[c] >= 0)
            throw StepFailed(particle_name(id, std::size_t(bad_point_[c])),
                             "its position is not finite or too far away");
        blocks_.insert(blocks_.end(), chunk_blocks_[c].begin(), chunk_blocks_[c].end());
    }
}

/// Sorts them and makes one of those that are alike.
void TopologyBuilder::unite(std::vector<Wanted>& blocks) {
    std::sort(blocks.begin(), blocks.end(), [](const Wanted& a, const Wanted& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (kept > 0 && blocks[kept - 1].key == blocks[i].key)
            blocks[kept - 1].sides |= blocks[i].sides;
        else
            blocks[kept++] = blocks[i];
    }
    blocks.resize(kept);
}

void TopologyBuilder::add_block(const Vec3i& block_corner) {
    Topology frame;
    frame.period = period_;
    blocks_.push_back({morton_key(frame.wrapped(block_corner)), kAllSides});
}

void TopologyBuilder::widen(int axis, int halo) {
    Topology frame;
    frame.period = period_;
    wider_.clear();
    for (const Wanted& block : blocks_) {
        const Vec3i c = morton_corner(block.key);
        const int below = block.sides >> (2 * axis) & 1, above = block.sides >> (2 * axis + 1) & 1;
        for (int d = -halo * below; d <= halo * above; ++d) {
            Vec3i n = c;
            n[axis] += d * kBlockEdge;
            wider_.push_back({morton_key(frame.wrapped(n)), block.sides});
        }
    }
    unite(wider_);
    blocks_.swap(wider_);
}

void TopologyBuilder::build(Topology& topology, int halo) {
    unite(blocks_);
    for (int axis = 0; axis < 3; ++axis) widen(axis, std::max(1, halo));
    topology.cell = cell_;
    topology.period = period_;
    topology.key.clear();
    for (const Wanted& block : blocks_) topology.key.push_back(block.key);
    connect(topology);
    colour(topology);
}

/// Neighbours through an open-addressing table of the keys.
void TopologyBuilder::connect(Topology& topology) {
    const std::size_t n = topology.size();
    std::size_t slots = 64;
    while (slots < 2 * n) slots *= 2;
    table_.assign(slots, -1);
    for (std::size_t b = 0; b < n; ++b) {
        std::size_t s = mixed(topology.key[b]) & (slots - 1);
        while (table_[s] >= 0) s = (s + 1) & (slots - 1);
        table_[s] = static_cast<std::int32_t>(b);
    }
    topology.corner.resize(n);
    topology.neighbour.resize(n);
    parallel_chunks(n, 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3i c = morton_corner(topology.key[b]);
            topology.corner[b] = c;
            for (int slot = 0; slot < 27; ++slot) {
                const Vec3i step{slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
                const std::uint64_t k = morton_key(topology.wrapped(c + step * kBlockEdge));
                std::size_t s = mixed(k) & (slots - 1);
                while (table_[s] >= 0 && topology.key[std::size_t(table_[s])] != k) s = (s + 1) & (slots - 1);
                topology.neighbour[b][std::size_t(slot)] = table_[s];
            }
        }
    });
}

void TopologyBuilder::colour(Topology& topology) {
    const auto colour_of = [&](std::size_t b) {
        const Vec3i c = topology.corner[b];
        return std::size_t(axis_colour(c.x, topology.period.x) + 3 * axis_colour(c.y, topology.period.y) +
                           9 * axis_colour(c.z, topology.period.z));
    };
    std::array<std::size_t, 28> start{};
    for (std::size_t b = 0; b < topology.size(); ++b) ++start[colour_of(b) + 1];
    for (std::size_t c = 0; c < 27; ++c) start[c + 1] += start[c];
    topology.colour_start.assign(1, 0);
    for (std::size_t c = 0; c < 27; ++c)
        if (start[c + 1] > start[c]) topology.colour_start.push_back(start[c + 1]);
    topology.coloured.resize(topology.size());
    for (std::size_t b = 0; b < topology.size(); ++b)
        topology.coloured[start[colour_of(b)]++] = static_cast<std::int32_t>(b);
}

}  // namespace rivulet::grid
