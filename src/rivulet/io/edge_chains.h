#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rivulet::io {

/// Joins edges that share a vertex into chains, in the order of their lowest edge. A chain begins at the end
/// from which most edges run as written; on a tie at the end with the lower vertex number. Refuses vertices
/// with more than two edges, closed loops and edges from a vertex to itself, naming vertex or edge.
/// Returns the vertex numbers of each chain, one after another, and where each starts.
struct EdgeChains {
    std::vector<std::uint32_t> vertex;
    std::vector<std::int64_t> start{0};
};
EdgeChains chain_edges(std::span<const std::array<std::uint32_t, 2>> edges, std::uint32_t vertex_count,
                       const std::string& name);

}  // namespace rivulet::io
