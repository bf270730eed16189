#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/contact/contact_point.h>
#include <rivulet/contact/strand_edges.h>
#include <rivulet/strand/material.h>

namespace rivulet::contact {

/// The last resort for edges that would cross whatever impulses they get: the vertices of edges that meet
/// move on as one rigid body, with the momentum and angular momentum they have together (Harmon et al. 2008).
/// With a held vertex or a wall among them they move as that does. Inelastic: no energy is gained.
class Zones {
 public:
    /// `carried`: mass that rides on each vertex [kg]; empty: none.
    Zones(const strand::StrandState& strands, std::span<const strand::StrandMaterial> materials,
          const StrandEdges& edges, std::span<const double> carried = {})
        : strands_(strands),
          materials_(materials),
          edges_(edges),
          carried_(carried),
          parent_(strands.vertex_count()) {
        for (std::size_t v = 0; v < parent_.size(); ++v) parent_[v] = static_cast<std::uint32_t>(v);
        in_zone_.assign(parent_.size(), 0);
    }

    /// The vertices of a contact belong together from now on.
    void join(const Contact& contact);
    /// `velocity` becomes `before`, but for zones.
    void stop(std::span<const Vec3d> before, std::span<Vec3d> velocity) const;
    std::size_t count() const;

 private:
    struct Fixed {
        std::uint32_t vertex;
        Vec3d velocity;
    };
    std::uint32_t root(std::uint32_t v) const {
        while (parent_[v] != v) v = parent_[v];
        return v;
    }
    void unite(std::uint32_t a, std::uint32_t b);
    bool held(std::size_t strand, std::size_t vertex) const;
    void move_as_one(std::span<const std::uint32_t> zone, std::span<const Vec3d> before,
                     std::span<Vec3d> velocity) const;

    const strand::StrandState& strands_;
    std::span<const strand::StrandMaterial> materials_;
    const StrandEdges& edges_;
    std::span<const double> carried_;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint8_t> in_zone_;
    std::vector<Fixed> walls_;
};

}  // namespace rivulet::contact
