#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include <rivulet/contact/approach.h>

namespace rivulet::contact {

/// All edges that may meet, whatever they belong to: a flat view over one step. Vertices are given at its
/// start and end and move evenly between.
struct EdgeList {
    std::span<const Vec3d> start, end;                       // per vertex [m]
    std::span<const std::array<std::uint32_t, 2>> vertices;  // per edge
    std::span<const double> radius;                          // per edge [m], > 0
    std::span<const std::uint32_t> owner;                    // per edge: the strand
    std::span<const std::uint32_t> index;                    // per edge: its number in the owner
    std::span<const double> arc_from, arc_to;  // per edge: rest length from the owner's root [m]
    std::span<const std::int32_t> grows_from;  // per edge: obstacle it never meets; -1: none
    std::span<const std::uint8_t> held;        // per edge: 1 when its motion is prescribed
    /// Per edge: how far its liquid reaches [m]; empty: nowhere. Pairs are wanted up to the sum of theirs.
    std::span<const double> reach = {};

    std::size_t size() const { return vertices.size(); }
    double reach_of(std::size_t edge) const { return reach.empty() ? 0.0 : reach[edge]; }
    MovingEdge moving(std::size_t edge) const {
        const Vec3d& a = start[vertices[edge][0]];
        const Vec3d& b = start[vertices[edge][1]];
        return {{a, b}, {end[vertices[edge][0]] - a, end[vertices[edge][1]] - b}};
    }
    bool is_consistent() const {
        const std::size_t n = size();
        return start.size() == end.size() && radius.size() == n && owner.size() == n && index.size() == n &&
               arc_from.size() == n && arc_to.size() == n && grows_from.size() == n && held.size() == n &&
               (reach.empty() || reach.size() == n);
    }
};

/// Edges of one owner that are too near along it to meet: next to each other, or with less than a quarter
/// turn of a bend of diameter `reach` (sum of radii and margin) between them. A straight strand never meets
/// itself.
inline bool are_neighbours(const EdgeList& e, std::size_t a, std::size_t b, double reach) {
    if (e.owner[a] != e.owner[b]) return false;
    const std::uint32_t apart = e.index[a] > e.index[b] ? e.index[a] - e.index[b] : e.index[b] - e.index[a];
    if (apart <= 1) return true;
    const double between = std::max(e.arc_from[a] - e.arc_to[b], e.arc_from[b] - e.arc_to[a]);
    return between < 1.5707963267948966 * reach;
}

/// Whether the pair is to be looked at, given that it is near.
inline bool may_meet(const EdgeList& e, std::size_t a, std::size_t b, double reach) {
    return !(e.held[a] && e.held[b]) && !are_neighbours(e, a, b, reach);
}

}  // namespace rivulet::contact
