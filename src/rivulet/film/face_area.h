#pragma once

#include <cstddef>
#include <span>

namespace rivulet::film {

/// Cross-section that flows through the middle of an edge: that of the vertex the liquid comes from, with a
/// slope to both of its neighbours limited after van Leer (1974), so that it lies between 0 and twice the
/// donor's. Second order where the film is smooth. Edge e joins vertices e and e + 1; `forward`: towards
/// e + 1; `courant`: part of the donor's length that flows through in the time over which the face's area is
/// the mean (Hancock).
inline double face_area(std::span<const double> area, std::size_t edge, bool forward, double courant = 0) {
    const std::size_t from = forward ? edge : edge + 1, to = forward ? edge + 1 : edge;
    const bool at_end = forward ? from == 0 : from + 1 == area.size();
    if (at_end) return area[from];
    const std::size_t behind = forward ? from - 1 : from + 1;
    const double before = area[from] - area[behind], after = area[to] - area[from];
    if (!(before * after > 0)) return area[from];
    return area[from] + (1 - courant) * before * after / (before + after);
}

}  // namespace rivulet::film
