#include <rivulet/linear/multigrid.h>

#include <algorithm>
#include <cassert>

#include <rivulet/base/parallel.h>

namespace rivulet::linear {
namespace {

constexpr std::size_t kMostDirectUnknowns = 64;
constexpr std::size_t kMostLevels = 24;

/// Chebyshev on the part [kLow, kHigh] of the spectrum of D⁻¹A that 2×2×2 aggregates cannot represent: for
/// the Laplacian the high frequencies begin at 1/3.
struct Chebyshev {
    static constexpr float kLow = 1.0f / 3, kHigh = 2;
    static constexpr float centre = (kHigh + kLow) / 2, half = (kHigh - kLow) / 2;
    static constexpr float sigma = centre / half, first = 1 / sigma, second = 1 / (2 * sigma - first);
    /// x₁ = x₀ + start·D⁻¹r₀;  x₂ = x₁ + momentum·(x₁ − x₀) + step·D⁻¹r₁.
    static constexpr float start = 1 / centre, momentum = first * second, step = 2 * second / half;
};

/// A flux over one coarse face crosses twice the distance: half the sum of its four fine couplings. The same
/// half for the free surface, which is a coupling too, needs the fewest iterations (128³ tank: 8, against 12
/// with 0.75 and 13 with 1). What cells store adds up.
constexpr float kCoarseFaceScale = 0.5f;

/// First coarse cell of the octant of the parent block that a child block covers.
template <int Edge>
std::size_t octant_offset(const Vec3i& child) {
    constexpr int half = Edge / 2;
    return std::size_t((child.x & 1) * half + Edge * ((child.y & 1) * half + Edge * (child.z & 1) * half));
}

}  // namespace

template <int Edge>
void Multigrid<Edge>::build(const BlockLayout& layout, const BlockOperator<double>& fine,
                            std::span<const std::size_t> pinned) {
    const auto level_at = [&](std::size_t l) -> Level& {
        if (levels_.size() == l) levels_.push_back(std::make_unique<Level>());
        return *levels_[l];
    };
    level_at(0);
    copy_finest(layout, fine);
    detach(*levels_[0], pinned);
    finish_rows(*levels_[0]);
    used_ = 1;
    while (levels_[used_ - 1]->coupled > kMostDirectUnknowns && used_ < kMostLevels) {
        Level& coarse = level_at(used_);
        coarsen(*levels_[used_ - 1], coarse);
        finish_rows(coarse);
        ++used_;
    }
    gather_coarsest();
}

template <int Edge>
void Multigrid<Edge>::copy_finest(const BlockLayout& layout, const BlockOperator<double>& fine) {
    Level& level = *levels_[0];
    level.layout.position = layout.position;
    level.layout.neighbour = layout.neighbour;
    const std::size_t n = layout.size() * kBlockCells<Edge>;
    level.matrix.resize(n, !fine.storage.empty());
    parallel_chunks(n, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (int axis = 0; axis < 3; ++axis)
            for (std::size_t i = begin; i < end; ++i)
                level.matrix.coupling[std::size_t(axis)][i] = float(fine.coupling[std::size_t(axis)][i]);
        for (std::size_t i = begin; i < end; ++i) level.matrix.surface[i] = float(fine.surface[i]);
        for (std::size_t i = begin; i < end && !fine.storage.empty(); ++i)
            level.matrix.storage[i] = float(fine.storage[i]);
    });
}

template <int Edge>
void Multigrid<Edge>::detach(Level& finest, std::span<const std::size_t> pinned) {
    BlockOperator<float>& a = finest.matrix;
    for (const std::size_t cell : pinned)
        for (std::size_t face = 0; face < 6; ++face) {
            const std::ptrdiff_t other = neighbour_entry<Edge>(finest.layout, cell, face);
            if (other < 0) continue;
            float& w = a.coupling[face / 2][face % 2 ? std::size_t(other) : cell];
            a.surface[std::size_t(other)] += w;
            w = 0;
        }
    for (const std::size_t cell : pinned) {
        a.surface[cell] = 0;
        if (!a.storage.empty()) a.storage[cell] = 0;
    }
}

template <int Edge>
void Multigrid<Edge>::finish_rows(Level& level) {
    const std::size_t n = level.layout.size() * kBlockCells<Edge>;
    level.inverse_diagonal.resize(n);
    level.b.resize(n);
    // NOTE: rows outside the problem are never written; those beside them read zeros there.
    for (auto* v : {&level.x, &level.y}) {
        v->resize(n);
        parallel_chunks(n, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            std::fill(v->begin() + std::ptrdiff_t(begin), v->begin() + std::ptrdiff_t(end), 0.0f);
        });
    }
    finish_diagonal<Edge>(level.matrix, level.layout);
    level.coupled = 0;
    for (const std::uint16_t coupled : level.matrix.coupled) level.coupled += coupled;
    parallel_chunks(n, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const float d = level.matrix.diagonal[i];
            level.inverse_diagonal[i] = d > 0 ? 1 / d : 0.0f;
        }
    });
}

template <int Edge>
void Multigrid<Edge>::coarsen(Level& fine, Level& coarse) {
    constexpr std::size_t cells = kBlockCells<Edge>;
    const BlockLayout& from = fine.layout;
    const std::size_t blocks = from.size();
    fine.parent.resize(blocks);
    // A block without any coupling needs no coarse correction: the smoother alone solves it.
    for (std::size_t b = 0; b < blocks; ++b) fine.parent[b] = fine.matrix.coupled[b] > 0 ? 0 : -1;
    const auto half = [](const Vec3i& p) { return Vec3i{p.x >> 1, p.y >> 1, p.z >> 1}; };
    coarse.layout.resize(0);
    for (std::size_t b = 0; b < blocks; ++b) {
        if (fine.parent[b] < 0) continue;
        const Vec3i at = half(from.position[b]);
        if (coarse.layout.size() == 0 || coarse.layout.position.back() != at)
            coarse.layout.position.push_back(at);
        fine.parent[b] = std::int32_t(coarse.layout.position.size() - 1);
    }
    coarse.layout.neighbour.assign(coarse.layout.position.size(), {-1, -1, -1, -1, -1, -1});
    for (std::size_t b = 0; b < blocks; ++b) {
        if (fine.parent[b] < 0) continue;
        for (std::size_t face = 0; face < 6; ++face) {
            const std::int32_t other = from.neighbour[b][face];
            if (other < 0 || fine.parent[std::size_t(other)] < 0) continue;
            // Only neighbours across the face of the parent; a periodic axis with an odd number of blocks
            // wraps inside a parent, and that link is left out of the coarse problem.
            const int axis = int(face / 2), side = int(face % 2);
            if ((from.position[b][axis] & 1) != side || (from.position[std::size_t(other)][axis] & 1) == side)
                continue;
            coarse.layout.neighbour[std::size_t(fine.parent[b])][face] = fine.parent[std::size_t(other)];
        }
    }
    const std::size_t n = coarse.layout.size() * cells;
    const bool stores = !fine.matrix.storage.empty();
    coarse.matrix.resize(n, stores);
    for_each_block(coarse.layout, [&](std::size_t b) {
        for (auto& c : coarse.matrix.coupling)
            std::fill_n(c.begin() + std::ptrdiff_t(b * cells), cells, 0.0f);
        std::fill_n(coarse.matrix.surface.begin() + std::ptrdiff_t(b * cells), cells, 0.0f);
        if (stores) std::fill_n(coarse.matrix.storage.begin() + std::ptrdiff_t(b * cells), cells, 0.0f);
    });
    fine.splits.find(from, fine.matrix, fine.parent);
    fine.moved_residual.resize(fine.splits.moves().size());
    for_each_block(from, [&](std::size_t b) {
        if (fine.parent[b] < 0) return;
        const std::size_t base = b * cells;
        const std::size_t target =
            std::size_t(fine.parent[b]) * cells + octant_offset<Edge>(from.position[b]);
        const auto& near = from.neighbour[b];
        const auto linked = [&](int axis) {
            const std::int32_t other = near[std::size_t(2 * axis)];
            return other >= 0 && fine.parent[std::size_t(other)] >= 0 &&
                   ((from.position[b][axis] & 1) != 0) !=
                       ((from.position[std::size_t(other)][axis] & 1) != 0);
        };
        const bool link[3] = {linked(0), linked(1), linked(2)};
        const bool cut = fine.splits.is_cut(from, b);
        for (int k = 0; k < Edge; ++k)
            for (int j = 0; j < Edge; ++j)
                for (int i = 0; i < Edge; ++i) {
                    const std::size_t c = base + row_offset<Edge>(j, k) + std::size_t(i);
                    const std::size_t to = target + row_offset<Edge>(j / 2, k / 2) + std::size_t(i / 2);
                    const int at[3] = {i, j, k};
                    for (std::size_t axis = 0; axis < 3; ++axis)
                        if (at[axis] % 2 == 0 && (at[axis] > 0 || link[axis]) &&
                            !(cut && fine.splits.moves_with(from, c, axis)))
                            coarse.matrix.coupling[axis][to] +=
                                kCoarseFaceScale * fine.matrix.coupling[axis][c];
                    if (cut && fine.splits.moves(c)) continue;
                    coarse.matrix.surface[to] += kCoarseFaceScale * fine.matrix.surface[c];
                    if (stores) coarse.matrix.storage[to] += fine.matrix.storage[c];
                }
    });
    fine.splits.add_moved(from, fine.matrix, coarse.layout, kCoarseFaceScale, coarse.matrix);
}

template <int Edge>
void Multigrid<Edge>::apply(std::span<const double> r, std::span<double> z) {
    Level& finest = *levels_[0];
    parallel_chunks(r.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) finest.b[i] = float(r[i]);
    });
    cycle(0);
    parallel_chunks(r.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) z[i] = double(finest.x[i]);
    });
}

template <int Edge>
void Multigrid<Edge>::cycle(std::size_t l) {
    Level& level = *levels_[l];
    if (l + 1 == used_) return solve_coarsest(level);
    Level& coarse = *levels_[l + 1];
    smooth_from_zero(level);
    restrict_residual(level, coarse);
    cycle(l + 1);
    add_correction(level, coarse);
    smooth(level);
}

template <int Edge>
void Multigrid<Edge>::smooth_from_zero(Level& level) {
    using C = Chebyshev;
    const float* b = level.b.data();
    const float* inv = level.inverse_diagonal.data();
    for_each_block(level.layout, [&](std::size_t block) {
        BlockTile<Edge, float> x1;
        load_tile(x1, level.layout, block, level.matrix.rows[block],
                  [&](std::size_t e) { return C::start * inv[e] * b[e]; });
        for_each_row<Edge>(
            level.matrix, level.layout, block, x1, [&](std::size_t entry, const auto& x, const auto& sums) {
                const auto at = [&](const float* v) { return load_lanes<Edge>(v + entry); };
                store_lanes((1 + C::momentum - C::step) * x + C::step * at(inv) * (at(b) + sums),
                            level.x.data() + entry);
            });
    });
}

template <int Edge>
void Multigrid<Edge>::smooth(Level& level) {
    using C = Chebyshev;
    const float* b = level.b.data();
    const float* inv = level.inverse_diagonal.data();
    for_each_block(level.layout, [&](std::size_t block) {
        const BlockRows<Edge, float> x0(level.layout, block, level.x);
        for_each_row<Edge>(
            level.matrix, level.layout, block, x0, [&](std::size_t entry, const auto& x, const auto& sums) {
                const auto at = [&](const float* v) { return load_lanes<Edge>(v + entry); };
                store_lanes((1 - C::start) * x + C::start * at(inv) * (at(b) + sums), level.y.data() + entry);
            });
    });
    for_each_block(level.layout, [&](std::size_t block) {
        const BlockRows<Edge, float> x1(level.layout, block, level.y);
        for_each_row<Edge>(
            level.matrix, level.layout, block, x1, [&](std::size_t entry, const auto& x, const auto& sums) {
                const auto at = [&](const float* v) { return load_lanes<Edge>(v + entry); };
                store_lanes((1 + C::momentum - C::step) * x - C::momentum * at(level.x.data()) +
                                C::step * at(inv) * (at(b) + sums),
                            level.x.data() + entry);
            });
    });
}

template <int Edge>
void Multigrid<Edge>::restrict_residual(Level& fine, Level& coarse) {
    constexpr std::size_t cells = kBlockCells<Edge>;
    for_each_block(coarse.layout, [&](std::size_t b) {
        std::fill_n(coarse.b.begin() + std::ptrdiff_t(b * cells), cells, 0.0f);
    });
    const float* b = fine.b.data();
    const float* diagonal = fine.matrix.diagonal.data();
    for_each_block(fine.layout, [&](std::size_t block) {
        if (fine.parent[block] < 0) return;
        float* target = coarse.b.data() + std::size_t(fine.parent[block]) * cells +
                        octant_offset<Edge>(fine.layout.position[block]);
        const BlockRows<Edge, float> rows(fine.layout, block, fine.x);
        alignas(64) float residual[cells];
        for_each_row<Edge>(
            fine.matrix, fine.layout, block, rows, [&](std::size_t entry, const auto& x, const auto& sums) {
                const auto at = [&](const float* v) { return load_lanes<Edge>(v + entry); };
                store_lanes(at(b) + sums - at(diagonal) * x, residual + (entry - block * cells));
            });
        for (std::size_t m = fine.splits.first(block); m < fine.splits.first(block + 1); ++m) {
            float& r = residual[fine.splits.moves()[m].cell - block * cells];
            fine.moved_residual[m] = r;
            r = 0;
        }
        for_rows<Edge>(fine.matrix.rows[block], [&](int j, int k) {
            const float* in = residual + row_offset<Edge>(j, k);
            float* out = target + row_offset<Edge>(j / 2, k / 2);
            for (std::size_t i = 0; i < Edge / 2; ++i) out[i] += in[2 * i] + in[2 * i + 1];
        });
    });
    for (std::size_t m = 0; m < fine.splits.moves().size(); ++m)
        coarse.b[fine.splits.moves()[m].to] += fine.moved_residual[m];
}

template <int Edge>
void Multigrid<Edge>::add_correction(Level& fine, const Level& coarse) {
    constexpr std::size_t cells = kBlockCells<Edge>;
    for_each_block(fine.layout, [&](std::size_t block) {
        if (fine.parent[block] < 0) return;
        const float* source = coarse.x.data() + std::size_t(fine.parent[block]) * cells +
                              octant_offset<Edge>(fine.layout.position[block]);
        for_rows<Edge>(fine.matrix.rows[block], [&](int j, int k) {
            const std::size_t entry = block * cells + row_offset<Edge>(j, k);
            const float* in = source + row_offset<Edge>(j / 2, k / 2);
            const float* inv = fine.inverse_diagonal.data() + entry;
            float* x = fine.x.data() + entry;
            for (std::size_t i = 0; i < Edge; ++i) x[i] += inv[i] > 0 ? in[i / 2] : 0.0f;
        });
        for (std::size_t m = fine.splits.first(block); m < fine.splits.first(block + 1); ++m) {
            const auto& move = fine.splits.moves()[m];
            fine.x[move.cell] += coarse.x[move.to] - coarse.x[move.from];
        }
    });
}

template <int Edge>
void Multigrid<Edge>::gather_coarsest() {
    Level& level = *levels_[used_ - 1];
    const std::size_t n = level.layout.size() * kBlockCells<Edge>;
    direct_usable_ = level.coupled <= kMostDirectUnknowns;
    if (!direct_usable_) return;
    coarsest_cell_.clear();
    coarsest_unknown_.assign(n, -1);
    // Both cells of a coupling are unknowns, however small it is beside what else is in their rows.
    const auto for_couplings = [&](auto&& body) {
        for (std::size_t c = 0; c < n; ++c)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const float w = level.matrix.coupling[axis][c];
                const std::ptrdiff_t other =
                    w > 0 ? neighbour_entry<Edge>(level.layout, c, 2 * axis) : std::ptrdiff_t{-1};
                if (other >= 0) body(c, std::size_t(other), double(w));
            }
    };
    for_couplings([&](std::size_t c, std::size_t other, double) {
        coarsest_unknown_[c] = coarsest_unknown_[other] = 0;
    });
    for (std::size_t c = 0; c < n; ++c)
        if (coarsest_unknown_[c] == 0) {
            coarsest_unknown_[c] = std::int32_t(coarsest_cell_.size());
            coarsest_cell_.push_back(c);
        }
    coarsest_b_.resize(coarsest_cell_.size());
    direct_.reset(coarsest_cell_.size());
    // NOTE: closed containers are singular here too; a shift of 1e-4 of the diagonal bounds the constant
    // that the solve adds to them, which CG never sees in its residual.
    for (std::size_t u = 0; u < coarsest_cell_.size(); ++u) {
        const std::size_t c = coarsest_cell_[u];
        direct_.entry(u, u) += double(level.matrix.surplus(c)) + 1e-4 * double(level.matrix.diagonal[c]);
    }
    for_couplings([&](std::size_t c, std::size_t other, double w) {
        assert(coarsest_unknown_[c] >= 0 && coarsest_unknown_[other] >= 0 &&
               "both cells of a coupling have an unknown");
        const auto u = std::size_t(coarsest_unknown_[c]), v = std::size_t(coarsest_unknown_[other]);
        direct_.entry(u, u) += w;
        direct_.entry(v, v) += w;
        direct_.entry(std::max(u, v), std::min(u, v)) -= w;
    });
    direct_usable_ = direct_.factor();
}

template <int Edge>
void Multigrid<Edge>::solve_coarsest(Level& level) {
    smooth_from_zero(level);
    if (!direct_usable_) return smooth(level);
    for (std::size_t u = 0; u < coarsest_cell_.size(); ++u)
        coarsest_b_[u] = double(level.b[coarsest_cell_[u]]);
    direct_.solve(coarsest_b_);
    for (std::size_t u = 0; u < coarsest_cell_.size(); ++u)
        level.x[coarsest_cell_[u]] = float(coarsest_b_[u]);
}

template <int Edge>
std::size_t Multigrid<Edge>::bytes_per_cycle() const {
    // Passes of a level: from zero 6 arrays, residual 6, correction 3, smoothing 7 + 8; 4 bytes each.
    std::size_t bytes = 0;
    for (std::size_t l = 0; l < used_; ++l) bytes += levels_[l]->x.size() * 30 * sizeof(float);
    return bytes + levels_[0]->x.size() * 2 * (sizeof(float) + sizeof(double));
}

template class Multigrid<4>;
template class Multigrid<8>;

}  // namespace rivulet::linear
