#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::viewer {

/// Which vertices a smaller version keeps, and its elements in terms of positions in `vertex`.
struct SmallerMesh {
    std::vector<std::size_t> vertex;
    std::vector<std::array<std::uint32_t, 3>> triangle;
    std::vector<std::array<std::uint32_t, 2>> segment;
};

/// Vertex clustering on a grid, as coarse as needed for at most `most` vertices; collapsed elements go, as do
/// elements with a vertex that is not finite. `layout` gives the place of each vertex for the clustering.
SmallerMesh cluster_vertices(const std::vector<Vec3f>& layout,
                             const std::vector<std::array<std::uint32_t, 3>>& triangle,
                             const std::vector<std::array<std::uint32_t, 2>>& segment, std::size_t most);

struct SmallerLines {
    std::vector<std::size_t> vertex;
    std::vector<std::uint32_t> start;  // one more than lines
    std::vector<std::uint32_t> line;   // which of the given lines
};

/// Keeps every k-th vertex of each line (at least its ends and `least` vertices where it has them), then,
/// when that is not enough, a stable subset of the lines by `key`, in that subset's order. `start` must be
/// sorted and within the vertices.
SmallerLines thin_lines(const std::vector<std::uint64_t>& start, const std::vector<std::uint64_t>& key,
                        std::size_t most, std::size_t least = 8);

/// How many of the points lie at the surface of their crowd; these are moved to the front of `order` (indices
/// of points), both parts keep their order. A point is inside when the cells around its own, of a few points
/// each, are all occupied.
std::size_t outer_first(const std::vector<Vec3f>& position, std::vector<std::size_t>& order);

}  // namespace rivulet::viewer
