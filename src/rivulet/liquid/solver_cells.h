#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/linear/block_operator.h>
#include <rivulet/liquid/pressure_system.h>

namespace rivulet::liquid {

/// Where the cells of the grid stand in a pressure solver that works on blocks of Edge³ cells: only blocks
/// with liquid exist.
template <int Edge>
class SolverCells {
 public:
    static constexpr std::size_t kNone = ~std::size_t{0};

    void lay_out(const grid::Topology& topology, const grid::AlignedVector<std::uint8_t>& liquid) {
        topology_ = &topology;
        find_blocks(liquid);
        find_neighbours();
    }
    const linear::BlockLayout& layout() const { return layout_; }

    /// Entry of a cell of the grid; kNone: its block has no liquid.
    std::size_t entry(std::size_t cell) const {
        const std::size_t g = cell / grid::kBlockCells;
        if (block_of_[g] < 0) return kNone;
        constexpr std::size_t edge = grid::kBlockEdge;
        const std::size_t c = cell % grid::kBlockCells;
        return first_entry(g) + linear::row_offset<Edge>(int(c / edge % edge), int(c / (edge * edge))) +
               c % edge;
    }

    /// body(solver entry, grid entry) for the first cell of each row of kBlockEdge cells, in parallel.
    template <class F>
    void for_each_row(F&& body) const {
        parallel_chunks(block_of_.size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t g = begin; g < end; ++g) {
                if (block_of_[g] < 0) continue;
                const std::size_t first = first_entry(g);
                for (int k = 0; k < grid::kBlockEdge; ++k)
                    for (int j = 0; j < grid::kBlockEdge; ++j)
                        body(first + linear::row_offset<Edge>(j, k),
                             g * grid::kBlockCells + std::size_t(grid::cell_in_block(0, j, k)));
            }
        });
    }
    /// body(solver entry, grid entry) for every wanted(grid entry), in order.
    template <class Wanted, class F>
    void for_cells(Wanted&& wanted, F&& body) const {
        for (std::size_t g = 0; g < block_of_.size(); ++g) {
            const std::size_t begin = block_of_[g] < 0 ? 0 : g * grid::kBlockCells;
            const std::size_t end = block_of_[g] < 0 ? 0 : begin + grid::kBlockCells;
            for (std::size_t cell = begin; cell < end; ++cell)
                if (wanted(cell)) body(entry(cell), cell);
        }
    }

 private:
    static constexpr int kRatio = Edge / grid::kBlockEdge;  // grid blocks along a solver block
    static constexpr int kShift = Edge == 8 ? 3 : 2;
    static_assert(Edge == 1 << kShift && Edge % grid::kBlockEdge == 0);

    void find_blocks(const grid::AlignedVector<std::uint8_t>& liquid) {
        const grid::Topology& topology = *topology_;
        block_of_.assign(topology.size(), -1);
        has_liquid_.resize(topology.size());
        parallel_for(topology.size(), [&](std::size_t g) {
            has_liquid_[g] = any_liquid(liquid.data() + g * grid::kBlockCells);
        });
        layout_.resize(0);
        for (std::size_t g = 0; g < topology.size(); ++g) {
            if (!has_liquid_[g]) continue;
            const Vec3i& corner = topology.corner[g];
            // Edge and kBlockEdge are powers of two: an arithmetic shift rounds down.
            const Vec3i at{corner.x >> kShift, corner.y >> kShift, corner.z >> kShift};
            if (layout_.size() == 0 || layout_.position.back() != at) layout_.position.push_back(at);
            block_of_[g] = std::int32_t(layout_.position.size() - 1);
        }
    }
    void find_neighbours() {
        const grid::Topology& topology = *topology_;
        layout_.neighbour.assign(layout_.position.size(), {-1, -1, -1, -1, -1, -1});
        for (std::size_t g = 0; g < topology.size(); ++g) {
            if (block_of_[g] < 0) continue;
            for (std::size_t face = 0; face < 6; ++face) {
                const std::size_t axis = face / 2;
                const int d = face % 2 ? 1 : -1;
                const std::int32_t other = topology.neighbour[g][std::size_t(
                    grid::neighbour_slot(axis == 0 ? d : 0, axis == 1 ? d : 0, axis == 2 ? d : 0))];
                const int inside = (topology.corner[g][int(axis)] / grid::kBlockEdge) & (kRatio - 1);
                if (other < 0 || block_of_[std::size_t(other)] < 0 || inside != (d > 0 ? kRatio - 1 : 0))
                    continue;
                layout_.neighbour[std::size_t(block_of_[g])][face] = block_of_[std::size_t(other)];
            }
        }
    }
    /// Entry of the first cell of grid block g.
    std::size_t first_entry(std::size_t g) const {
        const auto part = [&](int axis) { return std::size_t(topology_->corner[g][axis] & (Edge - 1)); };
        return std::size_t(block_of_[g]) * linear::kBlockCells<Edge> + part(0) +
               Edge * (part(1) + Edge * part(2));
    }

    const grid::Topology* topology_ = nullptr;
    linear::BlockLayout layout_;
    std::vector<std::int32_t> block_of_;  // solver block of each grid block; −1: no liquid
    std::vector<std::uint8_t> has_liquid_;
};

}  // namespace rivulet::liquid
