#include <rivulet/io/edge_chains.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <rivulet/io/refuse.h>

namespace rivulet::io {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
using Edge = std::array<std::uint32_t, 2>;

[[noreturn]] void refuse(const std::string& name, std::string message, std::string hint = {}) {
    refuse_file(name, 0, std::move(message), std::move(hint));
}

/// Up to two edges at each vertex.
std::vector<Edge> edges_at_vertices(std::span<const Edge> edges, std::uint32_t vertex_count,
                                    const std::string& name) {
    std::vector<Edge> at(vertex_count, Edge{kNone, kNone});
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if (edges[e][0] == edges[e][1])
            refuse(name, fmt::format("edge {} joins vertex {} to itself", e, edges[e][0]));
        for (const std::uint32_t v : edges[e]) {
            if (v >= vertex_count)
                refuse(name, fmt::format("edge {} uses vertex {} of {}", e, v, vertex_count));
            Edge& slots = at[v];
            if (slots[1] != kNone)
                refuse(name, fmt::format("vertex {} joins more than two edges", v),
                       "a strand has no branches");
            (slots[0] == kNone ? slots[0] : slots[1]) = e;
        }
    }
    return at;
}

struct Walk {
    std::vector<std::uint32_t> vertices;
    std::int64_t along = 0;  // edges run as written minus edges run backwards
    bool closed = false;
};

/// Follows the chain from `vertex` through `edge` to its end.
void walk(std::span<const Edge> edges, const std::vector<Edge>& at, std::uint32_t vertex, std::uint32_t edge,
          Walk& w) {
    const std::uint32_t first = edge;
    w.vertices.assign(1, vertex);
    w.along = 0;
    w.closed = false;
    while (edge != kNone) {
        const bool as_written = edges[edge][0] == vertex;
        w.along += as_written ? 1 : -1;
        vertex = edges[edge][as_written ? 1 : 0];
        w.vertices.push_back(vertex);
        edge = at[vertex][0] == edge ? at[vertex][1] : at[vertex][0];
        if (edge == first) {
            w.closed = true;
            return;
        }
    }
}

}  // namespace

EdgeChains chain_edges(std::span<const Edge> edges, std::uint32_t vertex_count, const std::string& name) {
    if (edges.size() >= kNone) refuse(name, "too many edges");
    const std::vector<Edge> at = edges_at_vertices(edges, vertex_count, name);
    EdgeChains chains;
    std::vector<char> visited(vertex_count, 0);
    Walk w;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if (visited[edges[e][0]]) continue;
        walk(edges, at, edges[e][0], e, w);
        if (w.closed)
            refuse(name, fmt::format("the edges through vertex {} form a closed loop", edges[e][0]),
                   "a strand needs two ends");
        const std::uint32_t end = w.vertices.back();
        walk(edges, at, end, at[end][0], w);  // from one end to the other
        if (w.along < 0 || (w.along == 0 && w.vertices.back() < w.vertices.front()))
            std::reverse(w.vertices.begin(), w.vertices.end());
        for (const std::uint32_t v : w.vertices) visited[v] = 1;
        chains.vertex.insert(chains.vertex.end(), w.vertices.begin(), w.vertices.end());
        chains.start.push_back(static_cast<std::int64_t>(chains.vertex.size()));
    }
    return chains;
}

}  // namespace rivulet::io
