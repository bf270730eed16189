#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rivulet/linear/block_operator.h>

namespace rivulet::linear {

/// 2×2×2 aggregates that a thin wall cuts into parts without coupling. One coarse unknown cannot stand for
/// both sides, so the largest part keeps the aggregate and every cell of the others moves to the aggregate of
/// the neighbour it is coupled with most. Without this the number of CG iterations grows fourfold at a plate.
template <int Edge>
class SplitAggregates {
 public:
    struct Move {
        std::size_t cell;  // entry on the fine level
        std::size_t from;  // coarse entry of its own aggregate
        std::size_t to;    // coarse entry it moves to
    };

    /// Finds the moves of a level. parent[b]: coarse block of fine block b, −1: none.
    void find(const BlockLayout& layout, const BlockOperator<float>& fine,
              const std::vector<std::int32_t>& parent);

    /// Adds what moved cells bring to the coarse couplings, surface and storage, which were assembled without
    /// them. `scale`: coarse per fine coupling and surface. NOTE: never by taking away again what was added:
    /// a coupling a million times smaller than the one taken away would go with it.
    void add_moved(const BlockLayout& layout, const BlockOperator<float>& fine,
                   const BlockLayout& coarse_layout, float scale, BlockOperator<float>& coarse) const;

    /// Whether the block, or one that it shares a lower face with, has cells that move.
    bool is_cut(const BlockLayout& layout, std::size_t b) const {
        const auto& near = layout.neighbour[b];
        const auto any = [&](std::int32_t n) { return n >= 0 && cut_block_[std::size_t(n)] != 0; };
        return cut_block_[b] != 0 || any(near[0]) || any(near[2]) || any(near[4]);
    }
    /// Whether a cell moves; whether it or its lower neighbour along an axis does.
    bool moves(std::size_t cell) const { return minor_[cell] != 0; }
    bool moves_with(const BlockLayout& layout, std::size_t cell, std::size_t axis) const;

    const std::vector<Move>& moves() const { return moves_; }
    /// Moves of one block: [first(b), first(b + 1)).
    std::size_t first(std::size_t block) const { return first_[block]; }

 private:
    std::size_t target(const BlockLayout& layout, const BlockOperator<float>& fine,
                       const std::vector<std::int32_t>& parent, std::size_t cell) const;

    static constexpr std::size_t kStays = ~std::size_t{0};
    std::vector<std::uint8_t> minor_;  // 1: moves; while searching, not in the largest part of its aggregate
    std::vector<std::uint8_t> cut_block_;
    std::vector<std::size_t> first_, moved_to_;
    std::vector<Move> moves_;
    const std::vector<std::int32_t>* parent_ = nullptr;
};

/// Entry of the neighbour across face 0..5 (−x +x −y +y −z +z) of an entry; −1: no block there.
template <int Edge>
std::ptrdiff_t neighbour_entry(const BlockLayout& layout, std::size_t entry, std::size_t face) {
    constexpr std::size_t cells = kBlockCells<Edge>, stride[3] = {1, Edge, Edge * Edge};
    const std::size_t axis = face / 2, block = entry / cells, at = (entry % cells / stride[axis]) % Edge;
    const bool up = face % 2 != 0;
    if (at != (up ? Edge - 1 : 0)) return std::ptrdiff_t(up ? entry + stride[axis] : entry - stride[axis]);
    const std::int32_t other = layout.neighbour[block][face];
    if (other < 0) return -1;
    const std::size_t moved =
        up ? entry % cells - stride[axis] * (Edge - 1) : entry % cells + stride[axis] * (Edge - 1);
    return std::ptrdiff_t(std::size_t(other) * cells + moved);
}

/// Coarse entry of the aggregate that holds a cell of a block with that position and parent.
template <int Edge>
std::size_t aggregate_of(const BlockLayout& layout, const std::vector<std::int32_t>& parent,
                         std::size_t cell) {
    constexpr std::size_t cells = kBlockCells<Edge>;
    const std::size_t block = cell / cells, c = cell % cells;
    const Vec3i& p = layout.position[block];
    const std::size_t i = c % Edge / 2 + std::size_t(p.x & 1) * (Edge / 2);
    const std::size_t j = c / Edge % Edge / 2 + std::size_t(p.y & 1) * (Edge / 2);
    const std::size_t k = c / (Edge * Edge) / 2 + std::size_t(p.z & 1) * (Edge / 2);
    return std::size_t(parent[block]) * cells + i + Edge * (j + Edge * k);
}

template <int Edge>
bool SplitAggregates<Edge>::moves_with(const BlockLayout& layout, std::size_t cell, std::size_t axis) const {
    if (moves(cell)) return true;
    const std::ptrdiff_t below = neighbour_entry<Edge>(layout, cell, 2 * axis);
    return below >= 0 && moves(std::size_t(below));
}

extern template class SplitAggregates<4>;
extern template class SplitAggregates<8>;

}  // namespace rivulet::linear
