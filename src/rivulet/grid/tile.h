#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// On which sides of a block its surroundings matter.
struct TileReach {
    bool low[3] = {true, true, true}, high[3] = {true, true, true};

    constexpr bool meets(int dx, int dy, int dz) const {
        const auto along = [&](int d, int axis) { return d == 0 || (d < 0 ? low[axis] : high[axis]); };
        return along(dx, 0) && along(dy, 1) && along(dz, 2);
    }
};

/// A dense box of cells (or faces of one component) around a block: from Low cells below the block's corner
/// to High cells past its far side, rows padded to Row entries. Node (i,j,k) counts from the corner.
template <int Low, int High, int Row = Low + kBlockEdge + High, class Value = double>
struct Tile {
    static_assert(Low <= kBlockEdge && High <= kBlockEdge && Row >= Low + kBlockEdge + High);
    static constexpr int kWidth = Low + kBlockEdge + High;
    static constexpr int kRow = Row;
    static constexpr int kSlab = kRow * kWidth;
    static constexpr int kSize = kSlab * kWidth;
    alignas(64) Value value[kSize];

    static constexpr int at(int i, int j, int k) { return (i + Low) + kRow * (j + Low) + kSlab * (k + Low); }
    Value operator()(int i, int j, int k) const { return value[at(i, j, k)]; }
    Value& operator()(int i, int j, int k) { return value[at(i, j, k)]; }
    void clear() { std::memset(value, 0, sizeof value); }

    /// Reads the field (of doubles, or flags as doubles) around block b; `absent` where there is no block.
    template <class T>
    void gather(const Topology& topology, const T* field, std::size_t b, Value absent = 0) {
        gather_within<3>(topology, field, b, absent, [](T v) { return static_cast<Value>(v); });
    }
    /// The same less `reference`, which is taken off before digits are lost. What is out of `reach` stays
    /// unset.
    template <class T>
    void gather_relative(const Topology& topology, const T* field, std::size_t b, T reference,
                         const TileReach& reach) {
        gather_within<3>(
            topology, field, b, 0, [=](T v) { return static_cast<Value>(v - reference); }, reach);
    }
    /// The same without the edges and corners of the halo, which stay unset: all that a 7-point operator
    /// reads.
    template <class T>
    void gather_across_faces(const Topology& topology, const T* field, std::size_t b, Value absent = 0) {
        gather_within<1>(topology, field, b, absent, [](T v) { return static_cast<Value>(v); });
    }

    /// Adds the tile to the field around block b. Touches no other cell, so that blocks of one colour may add
    /// side by side as long as Low + High <= kBlockEdge.
    void add_to(const Topology& topology, double* field, std::size_t b, const TileReach& reach = {}) const {
        static_assert(Low + High <= kBlockEdge);
        const auto& near = topology.neighbour[b];
        for_parts([&]<int Dx, int Dy, int Dz>() {
            if (!reach.meets(Dx, Dy, Dz)) return;
            constexpr Part x = part(Dx), y = part(Dy), z = part(Dz);
            const std::int32_t n = near[std::size_t(neighbour_slot(Dx, Dy, Dz))];
            if (n < 0) return;
            double* block = field + std::ptrdiff_t{n} * kBlockCells;
            for (int k = z.begin; k < z.end; ++k)
                for (int j = y.begin; j < y.end; ++j) {
                    const Value* row = value + at(x.begin + x.offset, j + y.offset, k + z.offset);
                    for (int i = x.begin; i < x.end; ++i) block[cell_in_block(i, j, k)] += row[i - x.begin];
                }
        });
    }

 private:
    /// Cells [begin, end) of a neighbouring block along one axis, at tile nodes begin + offset and on.
    struct Part {
        int begin, end, offset;
    };
    static constexpr Part part(int side) {
        return side < 0    ? Part{kBlockEdge - Low, kBlockEdge, -kBlockEdge}
               : side == 0 ? Part{0, kBlockEdge, 0}
                           : Part{0, High, kBlockEdge};
    }
    /// Reads the blocks reached along at most `Axes` axes at once.
    template <int Axes, class T, class F>
    void gather_within(const Topology& topology, const T* field, std::size_t b, Value absent, F&& read,
                       const TileReach& reach = {}) {
        if constexpr (Row > kWidth)
            for (int row = 0; row < kWidth * kWidth; ++row)
                for (int i = kWidth; i < kRow; ++i) value[kRow * row + i] = 0;
        const auto& near = topology.neighbour[b];
        for_parts([&]<int Dx, int Dy, int Dz>() {
            if constexpr ((Dx != 0) + (Dy != 0) + (Dz != 0) > Axes) return;
            if (!reach.meets(Dx, Dy, Dz)) return;
            constexpr Part x = part(Dx), y = part(Dy), z = part(Dz);
            const std::int32_t n = near[std::size_t(neighbour_slot(Dx, Dy, Dz))];
            const T* block = field + std::ptrdiff_t{n} * kBlockCells;
            for (int k = z.begin; k < z.end; ++k)
                for (int j = y.begin; j < y.end; ++j) {
                    Value* row = value + at(x.begin + x.offset, j + y.offset, k + z.offset);
                    if (n < 0)
                        for (int i = x.begin; i < x.end; ++i) row[i - x.begin] = absent;
                    else
                        for (int i = x.begin; i < x.end; ++i)
                            row[i - x.begin] = read(block[cell_in_block(i, j, k)]);
                }
        });
    }

    /// body<dx, dy, dz>() for the blocks the tile reaches: written out, so that the compiler knows the size
    /// of each part.
    template <class F>
    static void for_parts(F&& body) {
        const auto one = [&]<int Dx, int Dy, int Dz>() {
            if constexpr ((Dx >= 0 || Low > 0) && (Dx <= 0 || High > 0) && (Dy >= 0 || Low > 0) &&
                          (Dy <= 0 || High > 0) && (Dz >= 0 || Low > 0) && (Dz <= 0 || High > 0))
                body.template operator()<Dx, Dy, Dz>();
        };
        const auto all = [&]<int... Slot>(std::integer_sequence<int, Slot...>) {
            (one.template operator()<Slot % 3 - 1, Slot / 3 % 3 - 1, Slot / 9 - 1>(), ...);
        };
        all(std::make_integer_sequence<int, 27>{});
    }
};

}  // namespace rivulet::grid
