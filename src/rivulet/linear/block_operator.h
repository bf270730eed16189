#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/linear/aligned.h>
#include <rivulet/linear/block_layout.h>

namespace rivulet::linear {

/// Symmetric 7-point operator on blocks of cells: row of cell c
///
///     (A x)_c = diagonal_c x_c − Σ over its six faces coupling_face x_neighbour.
///
/// A block owns the couplings of the lower faces of its cells. `surplus` ≥ 0 is what the diagonal has beyond
/// the sum of the row's couplings (free surface, compressibility): the operator is positive semi-definite,
/// and singular exactly on connected cells whose surplus is all zero. Cells outside the problem have zero
/// couplings and zero diagonal, and stay zero in every vector.
template <class T>
struct BlockOperator {
    std::array<AlignedVector<T>, 3> coupling;
    AlignedVector<T> surplus, diagonal;
    /// Of each block, the rows along x that hold cells of the problem: bit j + Edge·k. Thin layers of liquid
    /// fill few rows of their blocks; the others cost nothing. Set by finish_diagonal.
    std::vector<std::uint64_t> rows;

    void resize(std::size_t entries) {
        for (auto& c : coupling) c.resize(entries);
        surplus.resize(entries);
        diagonal.resize(entries);
    }
};

/// The cells of a row side by side.
template <int Edge, class T>
using Row [[gnu::vector_size(Edge * sizeof(T))]] = T;

template <class Lanes, class T>
void load_row(Lanes& to, const T* from) {
    std::memcpy(&to, from, sizeof to);
}

/// A row and the rows before and after it along x, y and z.
template <int Edge, class T>
struct RowAround {
    const T* here;
    Row<Edge, T> v[6];
};

/// One block and the layer of cells around it, in the first-level cache. row(j, k)[i], i, j, k in [−1, Edge].
template <int Edge, class T>
struct BlockTile {
    static constexpr int kStride = 2 * Edge;
    alignas(64) T value[(Edge + 2) * (Edge + 2) * kStride];
    T* row(int j, int k) { return value + ((k + 1) * (Edge + 2) + j + 1) * kStride + 1; }
    const T* row(int j, int k) const { return value + ((k + 1) * (Edge + 2) + j + 1) * kStride + 1; }

    RowAround<Edge, T> around(int j, int k) const {
        RowAround<Edge, T> r{row(j, k), {}};
        load_row(r.v[0], r.here - 1), load_row(r.v[1], r.here + 1);
        load_row(r.v[2], row(j - 1, k)), load_row(r.v[3], row(j + 1, k));
        load_row(r.v[4], row(j, k - 1)), load_row(r.v[5], row(j, k + 1));
        return r;
    }
};

template <int Edge>
constexpr std::size_t kBlockCells = std::size_t(Edge) * Edge* Edge;

template <int Edge>
constexpr std::size_t row_offset(int j, int k) {
    return std::size_t(Edge) * std::size_t(j + Edge * k);
}

template <int Edge>
constexpr std::uint64_t kAllRows = ~std::uint64_t{0} >> (64 - Edge * Edge);

/// body(j, k) for each row of a set.
template <int Edge, class F>
void for_rows(std::uint64_t rows, F&& body) {
    if (rows == kAllRows<Edge>) {
        for (int k = 0; k < Edge; ++k)
            for (int j = 0; j < Edge; ++j) body(j, k);
        return;
    }
    for (; rows != 0; rows &= rows - 1) {
        const int r = std::countr_zero(rows);
        body(r % Edge, r / Edge);
    }
}

/// The rows and those beside them in the block.
template <int Edge>
constexpr std::uint64_t with_rows_beside(std::uint64_t rows) {
    std::uint64_t first = 0;  // rows with j = 0
    for (int k = 0; k < Edge; ++k) first |= std::uint64_t{1} << (Edge * k);
    const std::uint64_t last = first << (Edge - 1);
    return (rows | (rows & ~last) << 1 | (rows & ~first) >> 1 | rows << Edge | rows >> Edge) & kAllRows<Edge>;
}

/// Fills the tile of block b with value(entry), as far as the given rows of a 7-point operator read it; zero
/// where there is no neighbour.
template <int Edge, class T, class Value>
void load_tile(BlockTile<Edge, T>& tile, const BlockLayout& layout, std::size_t b, std::uint64_t rows,
               Value&& value) {
    constexpr std::size_t cells = kBlockCells<Edge>;
    const auto fill_row = [&](T* row, std::int32_t block, int j, int k) {
        if (block < 0) {
            for (int i = 0; i < Edge; ++i) row[i] = 0;
        } else {
            const std::size_t base = std::size_t(block) * cells + row_offset<Edge>(j, k);
            for (int i = 0; i < Edge; ++i) row[i] = value(base + std::size_t(i));
        }
    };
    const auto& near = layout.neighbour[b];
    for_rows<Edge>(with_rows_beside<Edge>(rows),
                   [&](int j, int k) { fill_row(tile.row(j, k), std::int32_t(b), j, k); });
    for_rows<Edge>(rows, [&](int j, int k) {
        T* row = tile.row(j, k);
        const std::size_t offset = row_offset<Edge>(j, k);
        row[-1] = near[0] < 0 ? T(0) : value(std::size_t(near[0]) * cells + offset + Edge - 1);
        row[Edge] = near[1] < 0 ? T(0) : value(std::size_t(near[1]) * cells + offset);
        if (j == 0) fill_row(tile.row(-1, k), near[2], Edge - 1, k);
        if (j == Edge - 1) fill_row(tile.row(Edge, k), near[3], 0, k);
        if (k == 0) fill_row(tile.row(j, -1), near[4], j, Edge - 1);
        if (k == Edge - 1) fill_row(tile.row(j, Edge), near[5], j, 0);
    });
}

/// The rows of block b of a vector where they are; zero where there is no neighbour.
template <int Edge, class T>
class BlockRows {
 public:
    BlockRows(const BlockLayout& layout, std::size_t b, std::span<const T> x)
        : x_(x), near_(layout.neighbour[b]), base_(b * kBlockCells<Edge>) {}

    RowAround<Edge, T> around(int j, int k) const {
        const std::size_t offset = row_offset<Edge>(j, k), entry = base_ + offset;
        const T* here = x_.data() + entry;
        RowAround<Edge, T> row{here, {}};
        // NOTE: reads across the ends of the row but within the array.
        if (entry > 0)
            load_row(row.v[0], here - 1);
        else
            for (int i = 1; i < Edge; ++i) row.v[0][i] = here[i - 1];
        row.v[0][0] = *beside(0, offset + Edge - 1);
        if (entry + Edge < x_.size())
            load_row(row.v[1], here + 1);
        else
            for (int i = 0; i < Edge - 1; ++i) row.v[1][i] = here[i + 1];
        row.v[1][Edge - 1] = *beside(1, offset);
        load_row(row.v[2], j > 0 ? here - Edge : beside(2, row_offset<Edge>(Edge - 1, k)));
        load_row(row.v[3], j + 1 < Edge ? here + Edge : beside(3, row_offset<Edge>(0, k)));
        load_row(row.v[4], k > 0 ? here - Edge * Edge : beside(4, row_offset<Edge>(j, Edge - 1)));
        load_row(row.v[5], k + 1 < Edge ? here + Edge * Edge : beside(5, row_offset<Edge>(j, 0)));
        return row;
    }

 private:
    /// Where the entry is in the neighbour across a face.
    const T* beside(std::size_t face, std::size_t offset) const {
        alignas(64) static constexpr T nothing[Edge] = {};
        return near_[face] < 0 ? nothing : x_.data() + std::size_t(near_[face]) * kBlockCells<Edge> + offset;
    }
    std::span<const T> x_;
    const std::array<std::int32_t, 6>& near_;
    std::size_t base_;
};

/// Calls finish(entry of the row's first cell, the row of x, sums) for each of a.rows of block b, where
/// sums[i] is Σ coupling·x over the six neighbours of cell i. `x`: a BlockTile or BlockRows.
template <int Edge, class T, class Rows, class Finish>
void for_each_row(const BlockOperator<T>& a, const BlockLayout& layout, std::size_t b, const Rows& x,
                  Finish&& finish) {
    constexpr std::size_t cells = kBlockCells<Edge>;
    alignas(64) static constexpr T nothing[Edge] = {};
    const auto& near = layout.neighbour[b];
    const std::size_t base = b * cells;
    const T* cx = a.coupling[0].data();
    const T* cy = a.coupling[1].data();
    const T* cz = a.coupling[2].data();
    for_rows<Edge>(a.rows[b], [&](int j, int k) {
        const std::size_t offset = row_offset<Edge>(j, k), entry = base + offset;
        const T* y_low = cy + entry;
        const T* z_low = cz + entry;
        const T* y_high = j + 1 < Edge   ? y_low + Edge
                          : near[3] >= 0 ? cy + std::size_t(near[3]) * cells + row_offset<Edge>(0, k)
                                         : nothing;
        const T* z_high = k + 1 < Edge   ? z_low + Edge * Edge
                          : near[5] >= 0 ? cz + std::size_t(near[5]) * cells + row_offset<Edge>(j, 0)
                                         : nothing;
        // Upper couplings along x: those of the next cells, the last one from the block beside. NOTE: reads
        // past the row but within the array; the very last row has nothing behind it.
        Row<Edge, T> c[6];
        load_row(c[0], cx + entry);
        if (entry + Edge < a.coupling[0].size())
            load_row(c[1], cx + entry + 1);
        else
            for (int i = 0; i < Edge - 1; ++i) c[1][i] = cx[entry + std::size_t(i) + 1];
        c[1][Edge - 1] = near[1] >= 0 ? cx[std::size_t(near[1]) * cells + offset] : T(0);
        load_row(c[2], y_low), load_row(c[3], y_high);
        load_row(c[4], z_low), load_row(c[5], z_high);
        const RowAround<Edge, T> row = x.around(j, k);
        const auto& v = row.v;
        const Row<Edge, T> total =
            (c[0] * v[0] + c[1] * v[1]) + (c[2] * v[2] + c[3] * v[3]) + (c[4] * v[4] + c[5] * v[5]);
        alignas(64) T sums[Edge];
        std::memcpy(sums, &total, sizeof sums);
        finish(entry, row.here, sums);
    });
}

inline constexpr std::size_t kBlocksPerTask = 16;

/// body(b) for every block, in parallel, fixed chunks.
template <class F>
void for_each_block(const BlockLayout& layout, F&& body) {
    parallel_chunks(layout.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) body(b);
    });
}

/// Sets the diagonal of every row to its surplus plus its couplings, and finds the rows of the problem.
template <int Edge, class T>
void finish_diagonal(BlockOperator<T>& a, const BlockLayout& layout) {
    a.rows.assign(layout.size(), kAllRows<Edge>);
    for_each_block(layout, [&](std::size_t b) {
        BlockTile<Edge, T> ones;
        load_tile(ones, layout, b, a.rows[b], [](std::size_t) { return T(1); });
        std::uint64_t rows = 0;
        for_each_row<Edge>(a, layout, b, ones, [&](std::size_t entry, const T*, const T* sums) {
            T most = 0;
            for (std::size_t i = 0; i < Edge; ++i) {
                a.diagonal[entry + i] = a.surplus[entry + i] + sums[i];
                most = std::max(most, a.diagonal[entry + i]);
            }
            rows |= std::uint64_t{most > 0} << (entry % kBlockCells<Edge> / Edge);
        });
        a.rows[b] = rows;
    });
}

/// ax ← A x, 0 outside the problem.
template <int Edge>
void multiply(const BlockOperator<double>& a, const BlockLayout& layout, std::span<const double> x,
              std::span<double> ax) {
    for_each_block(layout, [&](std::size_t b) {
        for_rows<Edge>(kAllRows<Edge> & ~a.rows[b], [&](int j, int k) {
            for (std::size_t i = 0; i < Edge; ++i) ax[b * kBlockCells<Edge> + row_offset<Edge>(j, k) + i] = 0;
        });
        const BlockRows<Edge, double> rows(layout, b, x);
        for_each_row<Edge>(a, layout, b, rows,
                           [&](std::size_t entry, const double* here, const double* sums) {
                               for (std::size_t i = 0; i < Edge; ++i)
                                   ax[entry + i] = a.diagonal[entry + i] * here[i] - sums[i];
                           });
    });
}

}  // namespace rivulet::linear
