#include <rivulet/grid/occupancy.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>

namespace rivulet::grid {

std::size_t Occupancy::hash(const Vec3i& corner) {
    const auto part = [](int c) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(c)); };
    const std::uint64_t mixed = (part(corner.x) * 0x9E3779B97F4A7C15ull) ^
                                (part(corner.y) * 0xC2B2AE3D27D4EB4Full) ^
                                (part(corner.z) * 0x165667B19E3779F9ull);
    return static_cast<std::size_t>(mixed >> 20);
}

void Occupancy::Table::clear() {
    if (slot.empty()) slot.resize(64);
    std::fill(slot.begin(), slot.end(), -1);
    blocks.clear();
}

std::int32_t Occupancy::Table::at(const Vec3i& corner) const {
    if (slot.empty()) return -1;
    std::size_t s = hash(corner) & (slot.size() - 1);
    while (slot[s] >= 0 && !(blocks[std::size_t(slot[s])].corner == corner)) s = (s + 1) & (slot.size() - 1);
    return slot[s];
}

std::int32_t Occupancy::Table::at_or_new(const Vec3i& corner) {
    std::size_t s = hash(corner) & (slot.size() - 1);
    while (slot[s] >= 0) {
        if (blocks[std::size_t(slot[s])].corner == corner) return slot[s];
        s = (s + 1) & (slot.size() - 1);
    }
    slot[s] = static_cast<std::int32_t>(blocks.size());
    blocks.push_back({corner, 0, 0});
    if (2 * blocks.size() > slot.size()) grow();
    return static_cast<std::int32_t>(blocks.size()) - 1;
}

void Occupancy::Table::grow() {
    slot.assign(2 * slot.size(), -1);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        std::size_t s = hash(blocks[b].corner) & (slot.size() - 1);
        while (slot[s] >= 0) s = (s + 1) & (slot.size() - 1);
        slot[s] = static_cast<std::int32_t>(b);
    }
}

void Occupancy::look_at(std::span<const Vec3d> points, std::size_t begin, std::size_t end, Part& part) const {
    constexpr int kLow = kBlockEdge - 1;
    const double inverse = 1 / frame_.cell, farthest = double(kFarthestBlock) * kBlockEdge;
    part.table.clear();
    part.runs.clear();
    // The run at hand; a corner that no block has: none.
    constexpr Vec3i kNone{1, 0, 0};
    Vec3i last = kNone;
    std::size_t first = begin;
    std::uint64_t cells = 0;
    const auto finish = [&](std::size_t i) {
        if (last == kNone) return;
        const std::int32_t b = part.table.at_or_new(last);
        Block& block = part.table.blocks[std::size_t(b)];
        block.points += static_cast<std::uint32_t>(i - first);
        block.cells |= cells;
        part.runs.push_back({static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(i)});
    };
    const bool periodic = periodic_;
    for (std::size_t i = begin; i < end; ++i) {
        const Vec3d s = (periodic ? frame_.wrapped(points[i]) : points[i]) * inverse;
        const bool inside = std::abs(s.x) < farthest && std::abs(s.y) < farthest && std::abs(s.z) < farthest;
        const Vec3i cell = inside
                               ? Vec3i{static_cast<int>(std::floor(s.x)), static_cast<int>(std::floor(s.y)),
                                       static_cast<int>(std::floor(s.z))}
                               : Vec3i{};
        const Vec3i corner = inside ? Vec3i{cell.x & ~kLow, cell.y & ~kLow, cell.z & ~kLow} : kNone;
        if (!(corner == last)) {
            finish(i);
            last = corner, first = i, cells = 0;
        }
        cells |= std::uint64_t{1} << cell_in_block(cell.x & kLow, cell.y & kLow, cell.z & kLow);
    }
    finish(end);
}

void Occupancy::find(std::span<const Vec3d> points, double cell, const Vec3i& period) {
    frame_.cell = cell;
    frame_.period = period;
    periodic_ = (period.x | period.y | period.z) != 0;
    const Chunks chunks(points.size(), 8192);
    parts_used_ = chunks.count;
    if (parts_.size() < chunks.count) parts_.resize(chunks.count);
    parallel_for(chunks.count,
                 [&](std::size_t c) { look_at(points, chunks.begin(c), chunks.end(c), parts_[c]); });
    table_.clear();
    for (std::size_t c = 0; c < chunks.count; ++c) {
        Part& part = parts_[c];
        part.whole.clear();
        for (const Block& block : part.table.blocks) {
            part.whole.push_back(table_.at_or_new(block.corner));
            Block& all = table_.blocks[std::size_t(part.whole.back())];
            all.points += block.points;
            all.cells |= block.cells;
        }
    }
}

std::int32_t Occupancy::at(const Vec3i& block_corner) const {
    return table_.at(periodic_ ? frame_.wrapped(block_corner) : block_corner);
}

void Occupancy::list_sparse(std::uint32_t most, Lists& lists) const {
    const std::vector<Block>& blocks = table_.blocks;
    lists.start.assign(blocks.size() + 1, 0);
    for (std::size_t b = 0; b < blocks.size(); ++b)
        lists.start[b + 1] = lists.start[b] + (blocks[b].points <= most ? blocks[b].points : 0);
    lists.point.resize(lists.start.back());
    if (lists.point.empty()) return;
    // The places that are free next: shifted by one, they end as the starts.
    for (std::size_t c = 0; c < parts_used_; ++c) {
        const Part& part = parts_[c];
        const auto sparse = [&](std::int32_t b) { return blocks[std::size_t(b)].points <= most; };
        if (std::none_of(part.whole.begin(), part.whole.end(), sparse)) continue;
        for (const Run& run : part.runs) {
            const std::int32_t b = part.whole[run.block];
            if (!sparse(b)) continue;
            for (std::uint32_t p = run.first; p < run.end; ++p)
                lists.point[lists.start[std::size_t(b)]++] = p;
        }
    }
    for (std::size_t b = blocks.size(); b > 0; --b) lists.start[b] = lists.start[b - 1];
    lists.start[0] = 0;
}

}  // namespace rivulet::grid
