#include <rivulet/linear/split_aggregates.h>

#include <algorithm>
#include <array>

namespace rivulet::linear {
namespace {

/// A coupling below this part of the aggregate's largest does not join its two cells.
constexpr float kLeastJoin = 0.05f;

/// Part number of each of the eight cells of an aggregate, −1 for cells outside the problem, and the number
/// of the largest part; ties go to the part with the lowest cell.
struct Parts {
    std::array<int, 8> of;
    int count = 0, largest = 0;
};

template <int Edge>
Parts find_parts(const BlockOperator<float>& fine, std::size_t corner) {
    constexpr std::size_t stride[3] = {1, Edge, Edge * Edge};
    const auto entry = [&](int c) {
        return corner + std::size_t(c & 1) + std::size_t((c >> 1) & 1) * stride[1] +
               std::size_t(c >> 2) * stride[2];
    };
    float strongest = 0;
    for (int c = 0; c < 8; ++c)
        for (int axis = 0; axis < 3; ++axis)
            if (c >> axis & 1) strongest = std::max(strongest, fine.coupling[std::size_t(axis)][entry(c)]);
    Parts parts;
    parts.of.fill(-1);
    std::array<int, 8> size{};
    for (int seed = 0; seed < 8; ++seed) {
        if (parts.of[std::size_t(seed)] >= 0 || !(fine.diagonal[entry(seed)] > 0)) continue;
        const int number = parts.count++;
        std::array<int, 8> stack;
        int depth = 0;
        stack[std::size_t(depth++)] = seed;
        parts.of[std::size_t(seed)] = number;
        while (depth > 0) {
            const int c = stack[std::size_t(--depth)];
            ++size[std::size_t(number)];
            for (int axis = 0; axis < 3; ++axis) {
                const int other = c ^ (1 << axis), upper = c | (1 << axis);
                if (parts.of[std::size_t(other)] >= 0 ||
                    !(fine.coupling[std::size_t(axis)][entry(upper)] > kLeastJoin * strongest))
                    continue;
                parts.of[std::size_t(other)] = number;
                stack[std::size_t(depth++)] = other;
            }
        }
    }
    for (int p = 1; p < parts.count; ++p)
        if (size[std::size_t(p)] > size[std::size_t(parts.largest)]) parts.largest = p;
    return parts;
}

/// No coupling inside any aggregate of the block is weak: the common case, seen at once.
template <int Edge>
bool is_whole(const BlockOperator<float>& fine, std::size_t base) {
    float least = fine.coupling[0][base + 1], most = least;
    for (int k = 0; k < Edge; ++k)
        for (int j = 0; j < Edge; ++j) {
            const std::size_t row = base + row_offset<Edge>(j, k);
            const auto widen = [&](const float* w, int first, int step) {
                for (int i = first; i < Edge; i += step) {
                    least = std::min(least, w[i]);
                    most = std::max(most, w[i]);
                }
            };
            widen(fine.coupling[0].data() + row, 1, 2);
            if (j % 2) widen(fine.coupling[1].data() + row, 0, 1);
            if (k % 2) widen(fine.coupling[2].data() + row, 0, 1);
        }
    return least > kLeastJoin * most;
}

}  // namespace

template <int Edge>
std::size_t SplitAggregates<Edge>::target(const BlockLayout& layout, const BlockOperator<float>& fine,
                                          const std::vector<std::int32_t>& parent, std::size_t cell) const {
    const std::size_t own = aggregate_of<Edge>(layout, parent, cell);
    std::size_t best = kStays;
    float most = 0;
    for (std::size_t face = 0; face < 6; ++face) {
        const std::ptrdiff_t n = neighbour_entry<Edge>(layout, cell, face);
        if (n < 0 || parent[std::size_t(n) / kBlockCells<Edge>] < 0 || minor_[std::size_t(n)]) continue;
        const float w = fine.coupling[face / 2][face % 2 ? std::size_t(n) : cell];
        const std::size_t there = aggregate_of<Edge>(layout, parent, std::size_t(n));
        if (w > most && there != own) {
            most = w;
            best = there;
        }
    }
    return best;
}

template <int Edge>
void SplitAggregates<Edge>::find(const BlockLayout& layout, const BlockOperator<float>& fine,
                                 const std::vector<std::int32_t>& parent) {
    constexpr std::size_t cells = kBlockCells<Edge>;
    const std::size_t blocks = layout.size();
    minor_.resize(blocks * cells);
    cut_block_.resize(blocks);
    for_each_block(layout, [&](std::size_t b) {
        cut_block_[b] = 0;
        std::fill_n(minor_.begin() + std::ptrdiff_t(b * cells), cells, std::uint8_t{0});
        if (parent[b] < 0 || is_whole<Edge>(fine, b * cells)) return;
        for (int k = 0; k < Edge; k += 2)
            for (int j = 0; j < Edge; j += 2) {
                const std::uint64_t pair = std::uint64_t{3} << j;
                if (!(fine.rows[b] & (pair << (Edge * k) | pair << (Edge * (k + 1))))) continue;
                for (int i = 0; i < Edge; i += 2) {
                    const std::size_t corner = b * cells + row_offset<Edge>(j, k) + std::size_t(i);
                    const Parts parts = find_parts<Edge>(fine, corner);
                    if (parts.count < 2) continue;
                    for (int c = 0; c < 8; ++c) {
                        const int part = parts.of[std::size_t(c)];
                        if (part < 0 || part == parts.largest) continue;
                        minor_[corner + row_offset<Edge>((c >> 1) & 1, c >> 2) + std::size_t(c & 1)] = 1;
                        cut_block_[b] = 1;
                    }
                }
            }
    });
    first_.assign(blocks + 1, 0);
    moves_.clear();
    for (std::size_t b = 0; b < blocks; ++b) {
        if (cut_block_[b])
            for (std::size_t c = b * cells; c < (b + 1) * cells; ++c)
                if (minor_[c])
                    if (const std::size_t to = target(layout, fine, parent, c); to != kStays)
                        moves_.push_back({c, aggregate_of<Edge>(layout, parent, c), to});
        first_[b + 1] = moves_.size();
    }
    moved_to_.resize(blocks * cells);
    for (const Move& m : moves_) moved_to_[m.cell] = m.to;
    // From here on only cells that really move are marked.
    std::fill(minor_.begin(), minor_.end(), std::uint8_t{0});
    for (const Move& m : moves_) minor_[m.cell] = 1;
    parent_ = &parent;
}

template <int Edge>
void SplitAggregates<Edge>::add_moved(const BlockLayout& layout, const BlockOperator<float>& fine,
                                      const BlockLayout& coarse_layout, float scale,
                                      BlockOperator<float>& coarse) const {
    // The coupling between two coarse cells that share a face; null when they do not.
    const auto between = [&](std::size_t a, std::size_t b) -> float* {
        for (std::size_t face = 0; face < 6; ++face)
            if (neighbour_entry<Edge>(coarse_layout, a, face) == std::ptrdiff_t(b))
                return &coarse.coupling[face / 2][face % 2 ? b : a];
        return nullptr;
    };
    for (const Move& m : moves_) {
        coarse.surface[m.to] += scale * fine.surface[m.cell];
        if (!fine.storage.empty()) coarse.storage[m.to] += fine.storage[m.cell];
        for (std::size_t face = 0; face < 6; ++face) {
            const std::ptrdiff_t n = neighbour_entry<Edge>(layout, m.cell, face);
            if (n < 0 || (*parent_)[std::size_t(n) / kBlockCells<Edge>] < 0) continue;
            const std::size_t other = std::size_t(n);
            const float w = scale * fine.coupling[face / 2][face % 2 ? other : m.cell];
            // A coupling of two moved cells is added once, from its upper cell.
            if (!(w > 0) || (minor_[other] && face % 2)) continue;
            const std::size_t there =
                minor_[other] ? moved_to_[other] : aggregate_of<Edge>(layout, *parent_, other);
            if (m.to == there) continue;
            if (float* place = between(m.to, there)) *place += w;
        }
    }
}

template class SplitAggregates<4>;
template class SplitAggregates<8>;

}  // namespace rivulet::linear
