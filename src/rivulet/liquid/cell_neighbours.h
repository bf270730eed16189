#pragma once

#include <array>
#include <cstddef>

#include <rivulet/grid/topology.h>

namespace rivulet::liquid {

/// Where cell `cell` of a block sits in it.
inline Vec3i place_in_block(int cell) {
    constexpr unsigned kEdge = grid::kBlockEdge;
    const unsigned c = unsigned(cell);  // divided by shifts
    return {int(c % kEdge), int(c / kEdge % kEdge), int(c / (kEdge * kEdge))};
}

/// Entries of the six neighbours of the cells of one block, without a search. −1: in an absent block.
class CellNeighbours {
 public:
    static constexpr std::array<std::ptrdiff_t, 3> kStride{1, grid::kBlockEdge,
                                                           grid::kBlockEdge* grid::kBlockEdge};

    CellNeighbours(const grid::Topology& topology, std::size_t block)
        : base_(std::ptrdiff_t(block) * grid::kBlockCells) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t side = 0; side < 2; ++side) {
                const int d = side == 0 ? -1 : 1;
                const std::size_t slot = std::size_t(
                    grid::neighbour_slot(axis == 0 ? d : 0, axis == 1 ? d : 0, axis == 2 ? d : 0));
                const std::ptrdiff_t n = topology.neighbour[block][slot];
                start_[2 * axis + side] = n < 0 ? -1 : n * grid::kBlockCells;
            }
    }
    std::ptrdiff_t lower(int cell, std::size_t axis) const {
        if (at(cell, axis) > 0) return base_ + cell - kStride[axis];
        const std::ptrdiff_t s = start_[2 * axis];
        return s < 0 ? -1 : s + cell + (grid::kBlockEdge - 1) * kStride[axis];
    }
    std::ptrdiff_t upper(int cell, std::size_t axis) const {
        if (at(cell, axis) + 1 < grid::kBlockEdge) return base_ + cell + kStride[axis];
        const std::ptrdiff_t s = start_[2 * axis + 1];
        return s < 0 ? -1 : s + cell - (grid::kBlockEdge - 1) * kStride[axis];
    }

    /// First entry of the block below along an axis.
    std::ptrdiff_t block_below(std::size_t axis) const { return start_[2 * axis]; }

 private:
    static int at(int cell, std::size_t axis) { return (cell / int(kStride[axis])) % grid::kBlockEdge; }
    std::ptrdiff_t base_;
    std::array<std::ptrdiff_t, 6> start_;
};

}  // namespace rivulet::liquid
