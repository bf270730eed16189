#pragma once

#include <rivulet/grid/topology.h>

namespace rivulet::liquid {

/// body(entry, cell index) for all cells.
template <class F>
void for_cells(const grid::Topology& topology, F&& body) {
    for (std::size_t b = 0; b < topology.size(); ++b)
        for (int k = 0; k < grid::kBlockEdge; ++k)
            for (int j = 0; j < grid::kBlockEdge; ++j)
                for (int i = 0; i < grid::kBlockEdge; ++i)
                    body(b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k)),
                         topology.corner[b] + Vec3i{i, j, k});
}

}  // namespace rivulet::liquid
