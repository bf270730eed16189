#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::linear {

/// Blocks of Edge³ cells that an operator lives on. Cell (i, j, k) of block b is entry
/// b·Edge³ + i + Edge·(j + Edge·k) of an array.
struct BlockLayout {
    std::vector<Vec3i> position;                         // block coordinates (cell coordinate / Edge)
    std::vector<std::array<std::int32_t, 6>> neighbour;  // −x +x −y +y −z +z; −1: none

    std::size_t size() const { return position.size(); }
    void resize(std::size_t blocks) {
        position.resize(blocks);
        neighbour.resize(blocks);
    }
};

}  // namespace rivulet::linear
