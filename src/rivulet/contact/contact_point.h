#pragma once

#include <cstdint>
#include <limits>
#include <tuple>

#include <rivulet/base/vec3.h>

namespace rivulet::contact {

enum class ContactKind : std::uint8_t { edge_edge, edge_wall, vertex_wall };

/// One place where two things must not come nearer: n·(x_a - x_b) >= sum of radii at the end of the step,
/// that is gap + dt n·(u_a - u_b) >= 0 with the velocities over the step at the places.
struct Contact {
    static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t edge_a = 0, edge_b = 0;          // edge_a < edge_b; of walls edge_b is the solid
    std::uint32_t owner_a = 0, owner_b = kNobody;  // strands; kNobody: a wall
    ContactKind kind = ContactKind::edge_edge;
    bool hit = false;       // surfaces meet during the step; else they come within the margin
    bool repeats = false;   // an earlier contact of the list says the same: see repeats.h
    double place_a = 0;     // weights on edge a: 1 - place_a, place_a
    double place_b = 0;     // on edge b; 0 at walls
    double share = 1;       // of the pair: edges side by side have two contacts of a half
    double gap = 0;         // along the normal between the surfaces at the start of the step [m]
    double time = 0;        // fraction of the step at which normal and places are taken
    Vec3d normal{0, 1, 0};  // unit, from b to a
    Vec3d velocity;         // of the wall's material; 0 between edges [m/s]

    /// Unique, and the order of the list.
    auto key() const { return std::tuple(edge_a, kind, edge_b, place_a); }
};

}  // namespace rivulet::contact
