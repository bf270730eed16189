#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/linear/block_operator.h>

namespace rivulet::linear {

/// A Poisson problem on the cells [0, n) of a box, as tests need it: `inside(cell)` says which cells take
/// part, `open(cell, axis)` gives the coupling over the lower face of a cell. A face to a cell outside adds
/// twice its coupling to the surface (a free surface half a cell away); faces at the box are closed.
template <int Edge>
struct BlockProblem {
    BlockLayout layout;
    BlockOperator<double> matrix;
    AlignedVector<double> b;
    std::vector<Vec3i> cell;  // of each entry
    std::size_t unknowns = 0;

    using Inside = std::function<bool(const Vec3i&)>;
    using Open = std::function<double(const Vec3i&, int axis)>;

    BlockProblem(const Vec3i& n, const Inside& inside, const Open& open, const Vec3i& first_block = {}) {
        const auto takes_part = [&](const Vec3i& c) {
            return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < n.x && c.y < n.y && c.z < n.z && inside(c);
        };
        std::map<std::uint64_t, Vec3i> blocks;
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i)
                    if (takes_part({i, j, k})) {
                        const Vec3i position{i / Edge, j / Edge, k / Edge};
                        blocks[morton(position + first_block)] = position;
                    }
        std::map<std::uint64_t, std::int32_t> number;
        for (const auto& [key, position] : blocks) {
            number[key] = std::int32_t(layout.size());
            layout.position.push_back(position + first_block);
        }
        for (const auto& [key, position] : blocks) {
            auto& near = layout.neighbour.emplace_back();
            for (int face = 0; face < 6; ++face) {
                Vec3i p = position;
                p[face / 2] += face % 2 ? 1 : -1;
                const auto found = number.find(morton(p + first_block));
                near[std::size_t(face)] = found == number.end() ? -1 : found->second;
            }
        }
        const std::size_t entries = layout.size() * kBlockCells<Edge>;
        matrix.resize(entries);
        for (auto& c : matrix.coupling) std::fill(c.begin(), c.end(), 0.0);
        std::fill(matrix.surface.begin(), matrix.surface.end(), 0.0);
        b.assign(entries, 0.0);
        cell.resize(entries);
        std::size_t e = 0;
        for (const auto& [key, position] : blocks)
            for (int k = 0; k < Edge; ++k)
                for (int j = 0; j < Edge; ++j)
                    for (int i = 0; i < Edge; ++i, ++e) {
                        const Vec3i c{position.x * Edge + i, position.y * Edge + j, position.z * Edge + k};
                        cell[e] = c;
                        if (!takes_part(c)) continue;
                        ++unknowns;
                        for (int face = 0; face < 6; ++face) {
                            const int axis = face / 2;
                            Vec3i other = c;
                            other[axis] += face % 2 ? 1 : -1;
                            if (other[axis] < 0 || other[axis] >= n[axis]) continue;
                            const double w = open(face % 2 ? other : c, axis);
                            if (!takes_part(other))
                                matrix.surface[e] += 2 * w;
                            else if (face % 2 == 0)
                                matrix.coupling[std::size_t(axis)][e] = w;
                        }
                    }
        finish_diagonal<Edge>(matrix, layout);
        const Random random(7, 0);
        for (std::size_t i = 0; i < entries; ++i)
            if (matrix.diagonal[i] > 0) b[i] = random.uniform(i, -1, 1);
    }

    static std::uint64_t morton(const Vec3i& position) {
        const Vec3i p = position + Vec3i{1 << 15, 1 << 15, 1 << 15};
        std::uint64_t key = 0;
        for (int bit = 0; bit < 16; ++bit)
            for (int axis = 0; axis < 3; ++axis)
                key |= std::uint64_t((p[axis] >> bit) & 1) << (3 * bit + axis);
        return key;
    }
};

}  // namespace rivulet::linear
