#pragma once

#include <rivulet/liquid/cell_neighbours.h>

namespace rivulet::liquid {

/// Σ ± flux over the six faces of cell `c` of a block, entry `e`: its divergence times Δx [m/s].
/// `flux(axis, face)` per area of the face [m/s]: carried u of the liquid, others, or both
/// (grid/face_flow.h). The grid has the cells above.
template <class Flux>
double cell_outflow(const CellNeighbours& near, int c, std::size_t e, Flux&& flux) {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        sum += flux(axis, std::size_t(near.upper(c, axis))) - flux(axis, e);
    return sum;
}

}  // namespace rivulet::liquid
