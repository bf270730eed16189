#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/contact/edge_list.h>
#include <rivulet/strand/state.h>

namespace rivulet::contact {

/// The edges of all strands as detection sees them, over one step. Of an elliptic strand the mean radius
/// counts, √(a b): the circle of its area.
class StrandEdges {
 public:
    /// What does not change while strands keep their vertices. `margin` is kept between surfaces on top of
    /// the radii: half of it on each. `root_obstacle` and `tip_obstacle`: what each strand's ends are held
    /// by; -1: nothing. The held edge and the next do not meet it.
    void prepare(const strand::StrandState& strands, double margin,
                 std::span<const std::int32_t> root_obstacle, std::span<const std::int32_t> tip_obstacle);
    /// Where the vertices are at the start of the step and would be at its end, and what is held now.
    void move(const strand::StrandState& strands, std::span<const Vec3d> velocity, double dt);

    std::size_t size() const { return vertices_.size(); }
    /// With the radii times `part`.
    EdgeList list(const strand::StrandState& strands, double part = 1);

    /// First vertex of an edge, and the edge that begins with a vertex.
    std::uint32_t vertex(std::size_t edge) const { return vertices_[edge][0]; }
    std::uint32_t edge_at(std::size_t vertex) const { return edge_at_[vertex]; }
    double radius(std::size_t edge) const { return radius_[edge]; }
    double mean_radius() const { return mean_radius_; }
    bool is_held(std::size_t edge) const { return held_[edge] != 0; }
    /// The obstacle that an edge never meets; -1: none.
    std::int32_t grows_from(std::size_t edge) const { return grows_from_[edge]; }
    std::uint32_t strand(std::size_t edge) const { return owner_[edge]; }
    double rest_length(std::size_t edge) const { return arc_to_[edge] - arc_from_[edge]; }
    std::size_t memory() const;

 private:
    std::vector<std::int64_t> start_;  // of the strands it was made for
    std::vector<std::array<std::uint32_t, 2>> vertices_;
    std::vector<double> radius_, scaled_, arc_from_, arc_to_;
    std::vector<std::uint32_t> owner_, index_, edge_at_;
    std::vector<std::int32_t> grows_from_;
    std::vector<std::uint8_t> held_;
    std::vector<Vec3d> end_;
    double mean_radius_ = 0;
};

}  // namespace rivulet::contact
