#pragma once

#include <array>
#include <span>

#include <rivulet/linear/multigrid.h>
#include <rivulet/liquid/viscous_operator.h>
#include <rivulet/liquid/viscous_rows.h>

namespace rivulet::liquid {

/// A preconditioner of M + ΔtK: one multigrid cycle for each velocity component by itself. A component alone
/// is a 7-point operator on its faces; what joins the components (the cross terms of the shear) is at most as
/// large, (a + b)² ≤ 2(a² + b²), and Korn's inequality bounds it from below but for motions near rotations,
/// of which CG meets few. Symmetric, the same for any number of threads.
///
/// Blocks where mass outweighs viscosity in every row (water beside honey) are left to their diagonal: it is
/// as good there, and spray fills many blocks.
class ViscousMultigrid {
 public:
    void build(const grid::Topology& topology, const ViscousOperator& viscous, const ViscousRows& rows);
    /// z ≈ (M + ΔtK)⁻¹ r on the unknowns of the rows.
    void apply(std::span<const double> r, std::span<double> z);

 private:
    void lay_out(const grid::Topology& topology, const ViscousOperator& viscous, const ViscousRows& rows);

    static constexpr int kEdge = grid::kBlockEdge;
    std::vector<std::size_t> blocks_;     // grid blocks of the layout
    std::vector<std::int32_t> number_;    // of a grid block in the layout; −1: none
    std::array<std::size_t, 4> first_{};  // unknown of each component
    static constexpr std::size_t kNoCell = ~std::size_t{0};
    std::vector<std::size_t> cell_;      // of each unknown in the layout; kNoCell: its diagonal does
    const ViscousRows* rows_ = nullptr;  // of the last build
    linear::BlockLayout layout_;
    linear::BlockOperator<double> matrix_;
    // A face's mass stays with it: coarse cells sum it whole.
    std::array<linear::Multigrid<kEdge>, 3> cycle_;
    linear::AlignedVector<double> r_, z_;
};

}  // namespace rivulet::liquid
