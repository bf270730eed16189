#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <rivulet/linear/block_operator.h>
#include <rivulet/linear/dense_cholesky.h>
#include <rivulet/linear/split_aggregates.h>

namespace rivulet::linear {

/// One symmetric multigrid V-cycle for a BlockOperator, in single precision: a preconditioner for CG.
///
/// Smoother: Chebyshev polynomial of degree 2 in D⁻¹A, once before and once after the coarse correction; for
/// these matrices the spectrum of D⁻¹A lies in [0, 2] whatever the coefficients. Coarse cells are 2×2×2
/// aggregates (parts cut off by thin walls join their neighbour); transfer is piecewise constant; the coarse
/// operator is the finite-volume one on cells twice as wide. The coarsest level is solved directly. Every
/// pass writes separate places in a fixed order: the result does not depend on threads.
template <int Edge>
class Multigrid {
 public:
    /// Builds all levels. The layout must list siblings (blocks with equal position / 2) side by side, as
    /// Morton order does. Allocates only when a level grows past what it ever was.
    /// `pinned`: entries that are held at 0 and leave the problem, a surface for their neighbours.
    void build(const BlockLayout& layout, const BlockOperator<double>& fine,
               std::span<const std::size_t> pinned = {});

    /// z ← B r with B symmetric positive definite on the cells of the problem.
    void apply(std::span<const double> r, std::span<double> z);

    std::size_t levels() const { return used_; }
    /// Bytes one `apply` moves to or from memory when nothing stays in cache, for the benchmark's report.
    std::size_t bytes_per_cycle() const;

 private:
    struct Level {
        BlockLayout layout;
        std::vector<std::int32_t> parent;  // block on the next coarser level; −1: nothing to correct there
        BlockOperator<float> matrix;
        AlignedVector<float> inverse_diagonal;
        AlignedVector<float> x, y, b;
        std::size_t coupled = 0;  // cells with at least one coupling
        SplitAggregates<Edge> splits;
        std::vector<float> moved_residual;
    };

    void copy_finest(const BlockLayout& layout, const BlockOperator<double>& fine);
    static void detach(Level& finest, std::span<const std::size_t> pinned);
    void coarsen(Level& fine, Level& coarse);
    static void finish_rows(Level& level);
    void cycle(std::size_t level);
    void smooth_from_zero(Level& level);
    void smooth(Level& level);
    void restrict_residual(Level& fine, Level& coarse);
    void add_correction(Level& fine, const Level& coarse);
    void gather_coarsest();
    void solve_coarsest(Level& level);

    std::vector<std::unique_ptr<Level>> levels_;
    std::size_t used_ = 0;
    std::vector<std::size_t> coarsest_cell_;  // entry of each unknown of the direct solve
    std::vector<std::int32_t> coarsest_unknown_;
    std::vector<double> coarsest_b_;
    DenseCholesky direct_;
    bool direct_usable_ = false;
};

extern template class Multigrid<4>;
extern template class Multigrid<8>;

}  // namespace rivulet::linear
