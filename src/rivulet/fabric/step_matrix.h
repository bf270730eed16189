#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/mat3.h>
#include <rivulet/fabric/topology.h>

namespace rivulet::fabric {

/// What one triangle puts into the step's system.
struct Element {
    double value = 0;              // J
    std::array<Vec3d, 3> force;    // gradient by the corners, N
    std::array<double, 3> moment;  // by turns of the directors, in the order of the corners, N*m
    std::array<Mat3d, 6> block;    // second derivatives by corners 00, 01, 02, 11, 12, 22
    std::array<double, 9> mixed;   // 3 × corner + edge: by a displacement along the normal and a turn
    std::array<double, 6> edge;    // by turns, 00, 01, 02, 11, 12, 22
    Vec3d normal;
};

/// The matrix of a Newton step: all vertices (three numbers each), then all edges (one each: turn × a
/// length). Rows are kept in full, so that each is summed by one thread in one order. Rows and columns of
/// what is held are those of the unit matrix.
class StepMatrix {
 public:
    /// The pattern of a mesh.
    void prepare(const Topology& topology);
    std::size_t size() const { return 3 * vertices_ + edges_; }
    std::size_t vertices() const { return vertices_; }
    std::size_t edges() const { return edges_; }

    /// Sums the elements into matrix and gradient. `diagonal[v]`, `push[v]`: what is not elastic (inertia,
    /// drag) adds to a vertex. A turn counts as that much times `length`.
    void gather(const Topology& topology, std::span<const Element> elements, std::span<const Mat3d> diagonal,
                std::span<const Vec3d> push, std::span<const std::uint8_t> held_vertex,
                std::span<const std::uint8_t> held_edge, double length, std::span<double> gradient);

    /// ax ← A x
    void multiply(std::span<const double> x, std::span<double> ax) const;

    /// Visits row by row: vertices(v, u, block), mixed(v, e, vector), edges(e, f, number). Each pair of
    /// vertices, and of edges, both ways.
    template <class Vertices, class Mixed, class Edges>
    void visit(Vertices&& on_vertices, Mixed&& on_mixed, Edges&& on_edges) const {
        for (std::size_t v = 0; v < vertices_; ++v) visit_vertex(v, on_vertices, on_mixed);
        for (std::size_t e = 0; e < edges_; ++e) visit_edge(e, on_edges);
    }
    template <class Vertices, class Mixed>
    void visit_vertex(std::size_t v, Vertices&& on_vertices, Mixed&& on_mixed) const {
        for (int s = row_start_[v]; s < row_start_[v + 1]; ++s)
            on_vertices(int(v), column_[std::size_t(s)], block_[std::size_t(s)]);
        for (int s = near_start_[v]; s < near_start_[v + 1]; ++s)
            on_mixed(int(v), near_edge_[std::size_t(s)], near_[std::size_t(s)]);
    }
    template <class Edges>
    void visit_edge(std::size_t e, Edges&& on_edges) const {
        on_edges(int(e), int(e), edge_edge_[e][0]);
        for (std::size_t k = 0; k < 4; ++k)
            if (beside_[e][k] >= 0) on_edges(int(e), beside_[e][k], edge_edge_[e][k + 1]);
    }
    /// on_end(vertex, vector) for the coupling of edge e with vertices.
    template <class Ends>
    void visit_edge_ends(std::size_t e, Ends&& on_end) const {
        for (std::size_t k = 0; k < 4; ++k)
            if (end_[e][k] >= 0) on_end(end_[e][k], edge_end_[e][k]);
    }
    const Mat3d& diagonal_block(std::size_t v) const { return block_[std::size_t(row_start_[v])]; }
    double diagonal_entry(std::size_t e) const { return edge_edge_[e][0]; }
    std::size_t memory() const;

 private:
    void gather_vertex(std::size_t v, const Topology& topology, std::span<const Element> elements,
                       std::span<const std::uint8_t> held_vertex, std::span<const std::uint8_t> held_edge,
                       double length, Vec3d& force);
    void gather_edge(std::size_t e, const Topology& topology, std::span<const Element> elements,
                     std::span<const std::uint8_t> held_vertex, std::span<const std::uint8_t> held_edge,
                     double length, double& moment);

    std::size_t vertices_ = 0, edges_ = 0;
    std::vector<int> row_start_, column_;      // vertices by vertices, a vertex itself first
    std::vector<int> near_start_, near_edge_;  // vertices by edges
    std::vector<std::array<int, 4>> end_;  // edges by vertices: its own two, and those opposite; −1: none
    std::vector<std::array<int, 4>> beside_;  // edges by the other edges of their triangles; −1: none
    // Of each triangle: where its entries go, 3 × which of its rows + which of its columns.
    std::vector<std::array<int, 9>> column_place_, near_place_;
    std::vector<std::array<std::uint8_t, 9>> end_place_, beside_place_;
    std::vector<Mat3d> block_;
    std::vector<Vec3d> near_;
    std::vector<std::array<Vec3d, 4>> edge_end_;
    std::vector<std::array<double, 5>> edge_edge_;
};

}  // namespace rivulet::fabric
