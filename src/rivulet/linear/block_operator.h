#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
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
/// A block owns the couplings of the lower faces of its cells. What the diagonal has beyond the sum of the
/// row's couplings is ≥ 0: `surface`, couplings to something held, and `storage`, what a cell takes up by
/// itself (masses, compressibility). The operator is positive semi-definite, and singular exactly on
/// connected cells that have neither. Cells outside the problem have zero couplings and zero diagonal, and
/// stay zero in every vector.
template <class T>
struct BlockOperator {
    std::array<AlignedVector<T>, 3> coupling;
    AlignedVector<T> surface, diagonal;
    AlignedVector<T> storage;  // empty: none
    /// Of each block, the rows along x that hold cells of the problem: bit j + Edge·k. Thin layers of liquid
    /// fill few rows of their blocks; the others cost nothing. Set by finish_diagonal.
    std::vector<std::uint64_t> rows;
    /// Of each block, how many of its cells have a coupling. Set by finish_diagonal. NOTE: counted from the
    /// couplings themselves: in `diagonal` a coupling far smaller than the storage is rounded away.
    std::vector<std::uint16_t> coupled;

    void resize(std::size_t entries, bool stores = false) {
        for (auto& c : coupling) c.resize(entries);
        surface.resize(entries);
        storage.resize(stores ? entries : 0);
        diagonal.resize(entries);
    }
    /// What the diagonal has beyond the couplings.
    T surplus(std::size_t entry) const {
        return storage.empty() ? surface[entry] : surface[entry] + storage[entry];
    }
};

/// How many cells of a row are worked on at once: what a register holds.
template <int Edge, class T>
constexpr int kLanes = std::min<int>(Edge, 32 / sizeof(T));

/// That many cells side by side.
template <int Edge, class T>
using Lanes [[gnu::vector_size(kLanes<Edge, T> * sizeof(T))]] = T;

template <int Edge, class T>
Lanes<Edge, T> load_lanes(const T* from) {
    Lanes<Edge, T> to;
    std::memcpy(&to, from, sizeof to);
    return to;
}
template <class L, class T>
void store_lanes(const L& from, T* to) {
    std::memcpy(to, &from, sizeof from);
}

/// Cells of a row, and those before and after them along x, y and z.
template <int Edge, class T>
struct Around {
    Lanes<Edge, T> here, v[6];
};

/// One block and the layer of cells around it, in the first-level cache. row(j, k)[i], i, j, k in [−1, Edge].
template <int Edge, class T>
struct BlockTile {
    static constexpr int kStride = 2 * Edge;
    alignas(64) T value[(Edge + 2) * (Edge + 2) * kStride];
    T* row(int j, int k) { return value + ((k + 1) * (Edge + 2) + j + 1) * kStride + 1; }
    const T* row(int j, int k) const { return value + ((k + 1) * (Edge + 2) + j + 1) * kStride + 1; }

    /// Of cells i and on of row (j, k).
    Around<Edge, T> around(int i, int j, int k) const {
        const auto at = [&](const T* r) { return load_lanes<Edge>(r + i); };
        return {at(row(j, k)),
                {at(row(j, k) - 1), at(row(j, k) + 1), at(row(j - 1, k)), at(row(j + 1, k)),
                 at(row(j, k - 1)), at(row(j, k + 1))}};
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

    Around<Edge, T> around(int i, int j, int k) const {
        constexpr int kEnd = kLanes<Edge, T> - 1;
        const std::size_t offset = row_offset<Edge>(j, k), entry = base_ + offset + std::size_t(i);
        const T* here = x_.data() + entry;
        const auto beside_row = [&](bool inside, int step, std::size_t face, int other_j, int other_k) {
            return load_lanes<Edge>(inside ? here + step
                                           : beside(face, row_offset<Edge>(other_j, other_k)) + i);
        };
        Around<Edge, T> a{
            load_lanes<Edge>(here),
            {before(here, entry), after(here, entry), beside_row(j > 0, -Edge, 2, Edge - 1, k),
             beside_row(j + 1 < Edge, Edge, 3, 0, k), beside_row(k > 0, -Edge * Edge, 4, j, Edge - 1),
             beside_row(k + 1 < Edge, Edge * Edge, 5, j, 0)}};
        if (i == 0) a.v[0][0] = *beside(0, offset + Edge - 1);
        if (i + kEnd + 1 == Edge) a.v[1][kEnd] = *beside(1, offset);
        return a;
    }
    /// Cells i + 1 and on of row (j, k).
    Lanes<Edge, T> next(int i, int j, int k) const {
        constexpr int kEnd = kLanes<Edge, T> - 1;
        const std::size_t offset = row_offset<Edge>(j, k), entry = base_ + offset + std::size_t(i);
        Lanes<Edge, T> next = after(x_.data() + entry, entry);
        if (i + kEnd + 1 == Edge) next[kEnd] = *beside(1, offset);
        return next;
    }

 private:
    // NOTE: these read across the ends of the row but within the array.
    Lanes<Edge, T> before(const T* here, std::size_t entry) const {
        if (entry > 0) return load_lanes<Edge>(here - 1);
        T shifted[kLanes<Edge, T>] = {};
        std::copy(here, here + kLanes<Edge, T> - 1, shifted + 1);
        return load_lanes<Edge>(static_cast<const T*>(shifted));
    }
    Lanes<Edge, T> after(const T* here, std::size_t entry) const {
        if (entry + kLanes<Edge, T> < x_.size()) return load_lanes<Edge>(here + 1);
        T shifted[kLanes<Edge, T>] = {};
        std::copy(here + 1, here + kLanes<Edge, T>, shifted);
        return load_lanes<Edge>(static_cast<const T*>(shifted));
    }
    /// Where the entry is in the neighbour across a face.
    const T* beside(std::size_t face, std::size_t offset) const {
        alignas(64) static constexpr T nothing[Edge] = {};
        return near_[face] < 0 ? nothing : x_.data() + std::size_t(near_[face]) * kBlockCells<Edge> + offset;
    }
    std::span<const T> x_;
    const std::array<std::int32_t, 6>& near_;
    std::size_t base_;
};

/// Calls finish(entry of the first, x, sums) for the cells of a.rows of block b, kLanes at once, where sums
/// is Σ coupling·x over the six neighbours of each. `x`: a BlockTile or BlockRows.
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
    const BlockRows<Edge, T> across_x(layout, b, a.coupling[0]);
    for_rows<Edge>(a.rows[b], [&](int j, int k) {
        const std::size_t row = base + row_offset<Edge>(j, k);
        const T* y_high = j + 1 < Edge   ? cy + row + Edge
                          : near[3] >= 0 ? cy + std::size_t(near[3]) * cells + row_offset<Edge>(0, k)
                                         : nothing;
        const T* z_high = k + 1 < Edge   ? cz + row + Edge * Edge
                          : near[5] >= 0 ? cz + std::size_t(near[5]) * cells + row_offset<Edge>(j, 0)
                                         : nothing;
        for (int i = 0; i < Edge; i += kLanes<Edge, T>) {
            const std::size_t entry = row + std::size_t(i);
            const Around<Edge, T> at = x.around(i, j, k);
            const auto c = [](const T* from) { return load_lanes<Edge>(from); };
            const Lanes<Edge, T> sums = (c(cx + entry) * at.v[0] + across_x.next(i, j, k) * at.v[1]) +
                                        (c(cy + entry) * at.v[2] + c(y_high + i) * at.v[3]) +
                                        (c(cz + entry) * at.v[4] + c(z_high + i) * at.v[5]);
            finish(entry, at.here, sums);
        }
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

/// Sets the diagonal of every row to its surface, storage and couplings, finds the rows of the problem and
/// counts coupled cells.
template <int Edge, class T>
void finish_diagonal(BlockOperator<T>& a, const BlockLayout& layout) {
    a.rows.assign(layout.size(), kAllRows<Edge>);
    a.coupled.resize(layout.size());
    for_each_block(layout, [&](std::size_t b) {
        BlockTile<Edge, T> ones;
        load_tile(ones, layout, b, a.rows[b], [](std::size_t) { return T(1); });
        std::uint64_t rows = 0;
        int coupled = 0;
        for_each_row<Edge>(a, layout, b, ones, [&](std::size_t entry, const auto&, const auto& sums) {
            T most = 0;
            for (int i = 0; i < kLanes<Edge, T>; ++i) {
                T& diagonal = a.diagonal[entry + std::size_t(i)];
                diagonal = a.surplus(entry + std::size_t(i)) + sums[i];
                most = std::max(most, diagonal);
                coupled += sums[i] > 0;
            }
            rows |= std::uint64_t{most > 0} << (entry % kBlockCells<Edge> / Edge);
        });
        a.rows[b] = rows;
        a.coupled[b] = std::uint16_t(coupled);
    });
}

/// ax ← A x, 0 outside the problem.
template <int Edge>
void multiply(const BlockOperator<double>& a, const BlockLayout& layout, std::span<const double> x,
              std::span<double> ax) {
    assert(x.size() == ax.size() && x.size() == a.diagonal.size());
    for_each_block(layout, [&](std::size_t b) {
        for_rows<Edge>(kAllRows<Edge> & ~a.rows[b], [&](int j, int k) {
            for (std::size_t i = 0; i < Edge; ++i) ax[b * kBlockCells<Edge> + row_offset<Edge>(j, k) + i] = 0;
        });
        const BlockRows<Edge, double> rows(layout, b, x);
        for_each_row<Edge>(a, layout, b, rows, [&](std::size_t entry, const auto& here, const auto& sums) {
            store_lanes(load_lanes<Edge>(&a.diagonal[entry]) * here - sums, &ax[entry]);
        });
    });
}

}  // namespace rivulet::linear
