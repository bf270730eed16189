#pragma once

#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/submerged_elements.h>
#include <rivulet/strand/state.h>

namespace rivulet::coupling {

/// Strands as the liquid sees them: points along their edges, at most half a cell apart, each with its part
/// of the edge. What a point feels goes to the two vertices of its edge by its place between them, which is
/// also how it moves with them.
class StrandPoints {
 public:
    /// Points of strands where they are now. Sets position, velocity, axis, volume, radius and owner (the
    /// edge, by its first vertex) of the elements; drag is 0.
    void place(const strand::StrandState& strands, double cell);
    /// Velocities of the points for those of the vertices.
    void move_with(std::span<const Vec3d> vertex_velocity);

    grid::SubmergedElements& elements() { return elements_; }
    const grid::SubmergedElements& elements() const { return elements_; }
    /// Length of strand at rest that a point stands for [m].
    double length(std::size_t point) const { return length_[point]; }
    /// What vertices have, at a point between them.
    template <class T>
    T between(std::size_t point, std::span<const T> at_vertices) const {
        const std::size_t v = elements_.owner[point];
        return (1 - along_[point]) * at_vertices[v] + along_[point] * at_vertices[v + 1];
    }

    /// visit(point, share of the point that is the vertex's) for the points of a vertex's edges, in order.
    template <class F>
    void for_points_of(std::size_t vertex, F&& visit) const {
        if (vertex > 0)
            for (std::size_t p = first_[vertex - 1]; p < first_[vertex]; ++p) visit(p, along_[p]);
        for (std::size_t p = first_[vertex]; p < first_[vertex + 1]; ++p) visit(p, 1 - along_[p]);
    }
    /// visit(point) for the points of an edge, by its first vertex.
    template <class F>
    void for_points_of_edge(std::size_t edge, F&& visit) const {
        for (std::size_t p = first_[edge]; p < first_[edge + 1]; ++p) visit(p);
    }

 private:
    void count(const strand::StrandState& strands, double cell);

    grid::SubmergedElements elements_;
    std::vector<double> length_, along_;  // of a point [m]; between its edge's vertices, 0..1
    std::vector<std::size_t> first_;      // point of each edge, stored with its first vertex; vertices + 1
};

}  // namespace rivulet::coupling
