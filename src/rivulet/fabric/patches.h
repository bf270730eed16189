#pragma once

#include <span>
#include <vector>

#include <rivulet/fabric/step_matrix.h>
#include <rivulet/linear/block_cholesky.h>

namespace rivulet::fabric {

/// A coarse space for the step's system: patches of the mesh that move and turn rigidly, six numbers each.
/// What blocks of the diagonal leave to conjugate gradients is smooth over many vertices; patches carry it at
/// once. Added to the blocks (two levels, symmetric).
class Patches {
 public:
    /// Patches of about `vertices` vertices each, connected, in the order of the vertices.
    void prepare(const Topology& topology, const StepMatrix& matrix, int vertices);
    /// Pᵀ A P of the present matrix, factorised; false when it is not positive.
    bool set(const StepMatrix& matrix, const Topology& topology, std::span<const Vec3d> position,
             std::span<const std::uint8_t> held_vertex, std::span<const std::uint8_t> held_edge,
             double length);
    /// z += P (Pᵀ A P)⁻¹ Pᵀ r
    void add(std::span<const double> r, std::span<double> z);

    std::size_t count() const { return first_.empty() ? 0 : first_.size() - 1; }
    std::size_t memory() const;

 private:
    using Six = std::array<double, 6>;
    /// How unknown 3v + c, or an edge's turn, moves with the six numbers of its patch.
    std::array<Six, 3> of_vertex(std::size_t v) const;
    Six of_edge(std::size_t e) const;
    void sum_patch(std::size_t p, const StepMatrix& matrix);

    std::vector<int> patch_, edge_patch_;        // of each vertex and edge
    std::vector<int> first_, member_;            // vertices of each patch
    std::vector<int> first_edge_, edge_member_;  // edges of each patch
    std::vector<Vec3d> arm_;                     // from the middle of the patch over its size; 0 if held
    std::vector<Vec3d> axis_;                    // of each edge, in the same units; 0 if held
    std::vector<std::uint8_t> free_;             // vertices that are not held
    std::vector<double> right_;
    std::vector<std::array<int, 2>> place_;  // per patch: range of ...
    std::vector<int> near_, near_place_;     // ... patches near it and where their block is
    linear::BlockCholesky<6> factor_;
};

}  // namespace rivulet::fabric
