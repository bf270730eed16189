#pragma once

#include <rivulet/grid/field.h>
#include <rivulet/grid/topology.h>

namespace rivulet::test {

/// What coupling::find_boundary finds for walls on grid planes: the kernel's free part from the open volume
/// of whole cells. Cells of absent blocks are open.
inline grid::Field free_kernel(const grid::Topology& topology, const grid::Field& open) {
    constexpr double kWeight[3] = {5.0 / 32, 22.0 / 32, 5.0 / 32};
    grid::Field result(topology.cells());
    for (std::size_t b = 0; b < topology.size(); ++b)
        for (int c = 0; c < grid::kBlockCells; ++c) {
            const int e = grid::kBlockEdge, i = c % e, j = c / e % e, k = c / (e * e);
            double sum = 0;
            for (int n = 0; n < 27; ++n) {
                const int x = n % 3, y = n / 3 % 3, z = n / 9;
                const std::int64_t near = topology.index(b, i + x - 1, j + y - 1, k + z - 1);
                sum += kWeight[x] * kWeight[y] * kWeight[z] * (near < 0 ? 1 : open[std::size_t(near)]);
            }
            result[b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k))] = sum;
        }
    return result;
}

}  // namespace rivulet::test
