#pragma once

#include <array>
#include <cstddef>

#include <rivulet/base/aligned.h>
#include <rivulet/base/parallel.h>

namespace rivulet::grid {

using rivulet::AlignedVector;

/// One value per cell (or per lower face of a cell): blocks × kBlockCells, see topology.h.
using Field = AlignedVector<double>;
/// Face values, component a on the lower faces across axis a.
using FaceField = std::array<Field, 3>;

/// Sets the length and every entry. Allocates only when the field grows past what it ever was.
template <class T>
void fill(AlignedVector<T>& field, std::size_t n, T value) {
    field.resize(n);
    parallel_chunks(n, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) field[i] = value;
    });
}

inline void fill(FaceField& faces, std::size_t n, double value) {
    for (Field& f : faces) fill(f, n, value);
}

}  // namespace rivulet::grid
