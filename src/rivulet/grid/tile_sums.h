#pragma once

#include <rivulet/grid/tile.h>

namespace rivulet::grid {

/// Weights 1, 2, 1 along each axis over a tile; entry (i, j, k) of the result counts from the block's corner.
/// 4 across a face, 2 across an edge, 1 across a corner of the cell.
inline void add_up_around(const Tile<1, 1>& in, double* out) {
    constexpr int kW = Tile<1, 1>::kWidth;
    double along_x[kW * kW][kBlockEdge], along_y[kW * kBlockEdge][kBlockEdge];
    for (int r = 0; r < kW * kW; ++r)
        for (int i = 0; i < kBlockEdge; ++i) {
            const double* row = in.value + Tile<1, 1>::kRow * r + i;
            along_x[r][i] = (row[0] + row[2]) + 2 * row[1];
        }
    for (int k = 0; k < kW; ++k)
        for (int j = 0; j < kBlockEdge; ++j)
            for (int i = 0; i < kBlockEdge; ++i) {
                const int r = kW * k + j;
                along_y[kBlockEdge * k + j][i] = (along_x[r][i] + along_x[r + 2][i]) + 2 * along_x[r + 1][i];
            }
    for (int k = 0; k < kBlockEdge; ++k)
        for (int j = 0; j < kBlockEdge; ++j)
            for (int i = 0; i < kBlockEdge; ++i) {
                const int r = kBlockEdge * k + j;
                out[cell_in_block(i, j, k)] =
                    (along_y[r][i] + along_y[r + 2 * kBlockEdge][i]) + 2 * along_y[r + kBlockEdge][i];
            }
}

}  // namespace rivulet::grid
