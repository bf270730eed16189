#pragma once

#include <array>
#include <cstdint>

namespace rivulet::surface {

/// Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge a·4 + i + 2j runs along axis a, at i on
/// the next axis and j on the one after.
struct CellEdge {
    int from, to;  // corners
};
constexpr CellEdge cell_edge(int edge) {
    const int axis = edge / 4, next = (axis + 1) % 3, last = (axis + 2) % 3;
    const int from = (edge % 2) << next | (edge / 2 % 2) << last;
    return {from, from | 1 << axis};
}

/// How the surface passes through a cell, by which corners are inside (bit c): pieces that share no crossed
/// edge get a vertex each, so that sheets that pass close by each other stay apart. Where a face has its
/// inside corners on a diagonal they count as joined, in both cells of the face.
struct CellPatches {
    std::array<std::uint8_t, 256> count{};
    std::array<std::array<std::int8_t, 12>, 256> patch{};  // of each edge; -1 where it is not crossed
};

constexpr CellPatches make_cell_patches() {
    CellPatches table;
    for (int inside = 0; inside < 256; ++inside) {
        const auto is_in = [&](int corner) { return (inside >> corner & 1) != 0; };
        std::array<int, 12> group{};
        for (int e = 0; e < 12; ++e) group[std::size_t(e)] = e;
        const auto link = [&](int a, int b) {
            const int from = group[std::size_t(a)], to = group[std::size_t(b)];
            for (int& g : group)
                if (g == from) g = to;
        };
        for (int face = 0; face < 6; ++face) {
            const int axis = face / 2, side = face % 2, next = (axis + 1) % 3, last = (axis + 2) % 3;
            const int low = side << axis;
            // Corners and edges around the face; edge k joins corners k and k + 1.
            const std::array<int, 4> corner{low, low | 1 << next, low | 1 << next | 1 << last,
                                            low | 1 << last};
            std::array<int, 4> edge{};
            for (int k = 0; k < 4; ++k)
                for (int e = 0; e < 12; ++e) {
                    const int a = corner[std::size_t(k)], b = corner[std::size_t((k + 1) % 4)];
                    const CellEdge ends = cell_edge(e);
                    if ((ends.from == a && ends.to == b) || (ends.from == b && ends.to == a))
                        edge[std::size_t(k)] = e;
                }
            std::array<int, 4> crossed{};
            int crossings = 0;
            for (int k = 0; k < 4; ++k)
                if (is_in(corner[std::size_t(k)]) != is_in(corner[std::size_t((k + 1) % 4)]))
                    crossed[std::size_t(crossings++)] = k;
            if (crossings == 2) link(edge[std::size_t(crossed[0])], edge[std::size_t(crossed[1])]);
            if (crossings == 4)
                for (int k = 0; k < 4; ++k)
                    if (!is_in(corner[std::size_t(k)]))
                        link(edge[std::size_t((k + 3) % 4)], edge[std::size_t(k)]);
        }
        auto& patch = table.patch[std::size_t(inside)];
        int count = 0;
        std::array<int, 12> name{};
        for (int& n : name) n = -1;
        for (int e = 0; e < 12; ++e) {
            const CellEdge ends = cell_edge(e);
            patch[std::size_t(e)] = -1;
            if (is_in(ends.from) == is_in(ends.to)) continue;
            int& n = name[std::size_t(group[std::size_t(e)])];
            if (n < 0) n = count++;
            patch[std::size_t(e)] = std::int8_t(n);
        }
        table.count[std::size_t(inside)] = std::uint8_t(count);
    }
    return table;
}

}  // namespace rivulet::surface
