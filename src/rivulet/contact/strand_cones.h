#pragma once

#include <rivulet/contact/cones.h>
#include <rivulet/contact/contact_point.h>
#include <rivulet/contact/strand_edges.h>

namespace rivulet::contact {

/// A contact of strands as the solver sees it, friction and bridge aside. The velocity is that of the
/// surfaces: an edge that turns about its axis at ω moves the place -r n away from the axis by ω t × (-r n),
/// so that strands roll.
inline Cone cone_of(const Contact& c, const strand::StrandState& s, const StrandEdges& edges, double dt) {
    Cone cone;
    cone.axes[0] = c.normal;
    cone.axes[1] = any_perpendicular(c.normal);
    cone.axes[2] = cross(cone.axes[0], cone.axes[1]);
    const auto touch = [&](std::size_t side, std::size_t edge, double place, double sign) {
        const std::uint32_t v = edges.vertex(edge);
        const Vec3d tangent = normalized(s.position[v + 1] - s.position[v]);
        cone.node[2 * side] = v, cone.node[2 * side + 1] = v + 1;
        cone.weight[2 * side] = sign * (1 - place), cone.weight[2 * side + 1] = sign * place;
        cone.turn[side] = v;
        cone.arm[side] = cross(tangent, c.normal) * (-edges.radius(edge));
        cone.owner[side] = edges.strand(edge);
    };
    touch(0, c.edge_a, c.place_a, 1);
    if (c.kind == ContactKind::edge_edge)
        touch(1, c.edge_b, c.place_b, -1);
    else
        cone.wall = c.velocity;
    cone.clearance = c.gap / dt;
    return cone;
}

}  // namespace rivulet::contact
