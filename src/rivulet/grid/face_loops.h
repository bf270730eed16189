#pragma once

#include <cstddef>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/field.h>

namespace rivulet::grid {

/// body(axis, face) for all faces, in parallel.
template <class F>
void for_faces(std::size_t faces, F&& body) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        parallel_chunks(faces, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f) body(axis, f);
        });
}

inline void resize(FaceField& field, std::size_t faces) {
    for (Field& f : field) f.resize(faces);
}

}  // namespace rivulet::grid
