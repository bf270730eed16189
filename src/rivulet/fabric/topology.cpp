#include <rivulet/fabric/topology.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rivulet::fabric {

namespace {

/// A side of a triangle, as part of an edge.
struct Side {
    int low, high, triangle, opposite;
    bool forward;  // from low to high counter-clockwise
    friend bool operator<(const Side& a, const Side& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.high != b.high) return a.high < b.high;
        return a.triangle < b.triangle;
    }
    bool same_edge(const Side& o) const { return low == o.low && high == o.high; }
};

std::vector<Side> sorted_sides(std::span<const Vec3i> triangle) {
    std::vector<Side> sides;
    sides.reserve(3 * triangle.size());
    for (std::size_t t = 0; t < triangle.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = triangle[t][(i + 1) % 3], b = triangle[t][(i + 2) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), int(t), i, a < b});
        }
    std::sort(sides.begin(), sides.end());
    return sides;
}

std::optional<MeshFault> find_bad_triangle(std::span<const Vec3d> position, std::span<const Vec3i> triangle) {
    const auto at = [&](int v) { return position[std::size_t(v)]; };
    for (std::size_t t = 0; t < triangle.size(); ++t) {
        const Vec3i& c = triangle[t];
        for (int i = 0; i < 3; ++i)
            if (c[i] < 0 || std::size_t(c[i]) >= position.size())
                return MeshFault{
                    fmt::format("triangle {} has corner {}, of {} vertices", t, c[i], position.size()),
                    "corners are counted from 0"};
        if (c.x == c.y || c.y == c.z || c.z == c.x)
            return MeshFault{fmt::format("triangle {} has vertex {} twice", t, c.x == c.y ? c.x : c.z), ""};
        const Vec3d a = at(c.y) - at(c.x), b = at(c.z) - at(c.x);
        const double longest = std::max({squared_length(a), squared_length(b), squared_length(b - a)});
        // NOTE: a height of a thousandth of the side: flatter ones cost the solve its accuracy.
        if (!(length(cross(a, b)) > 1e-3 * longest))
            return MeshFault{fmt::format("triangle {} (vertices {}, {}, {}) is degenerate", t, c.x, c.y, c.z),
                             "mesh the cloth evenly: sides of similar length"};
    }
    return std::nullopt;
}

std::optional<MeshFault> find_bad_edge(std::span<const Vec3i> triangle) {
    const std::vector<Side> sides = sorted_sides(triangle);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &a = sides[i], &b = sides[i + 1];
        if (!a.same_edge(b)) continue;
        if (i + 2 < sides.size() && a.same_edge(sides[i + 2]))
            return MeshFault{fmt::format("edge of vertices {} and {} has three triangles ({}, {}, {})", a.low,
                                         a.high, a.triangle, b.triangle, sides[i + 2].triangle),
                             "cloth is a surface: an edge has one triangle or two"};
        Vec3i p = triangle[std::size_t(a.triangle)], q = triangle[std::size_t(b.triangle)];
        if (p[a.opposite] == q[b.opposite])
            return MeshFault{fmt::format("triangles {} and {} have the same corners", a.triangle, b.triangle),
                             ""};
        if (a.forward == b.forward)
            return MeshFault{fmt::format("triangles {} and {} face different ways", a.triangle, b.triangle),
                             "turn the corners of one of them around"};
    }
    return std::nullopt;
}

}  // namespace

std::optional<MeshFault> find_fault(std::span<const Vec3d> position, std::span<const Vec3i> triangle) {
    if (triangle.empty()) return MeshFault{"has no triangles", ""};
    if (auto fault = find_bad_triangle(position, triangle)) return fault;
    if (auto fault = find_bad_edge(triangle)) return fault;
    std::vector<char> used(position.size(), 0);
    for (const Vec3i& c : triangle)
        for (int i = 0; i < 3; ++i) used[std::size_t(c[i])] = 1;
    const auto lone = std::find(used.begin(), used.end(), 0);
    if (lone != used.end())
        return MeshFault{fmt::format("vertex {} belongs to no triangle", lone - used.begin()),
                         "leave it out"};
    return std::nullopt;
}

Topology make_topology(std::size_t vertices, std::span<const Vec3i> triangle) {
    Topology out;
    out.vertices = vertices;
    out.triangle.assign(triangle.begin(), triangle.end());
    out.triangle_edge.resize(triangle.size());
    out.forward.resize(triangle.size());
    const std::vector<Side> sides = sorted_sides(triangle);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Side& s = sides[i];
        const bool fresh = i == 0 || !s.same_edge(sides[i - 1]);
        if (fresh) {
            out.edge.push_back({s.low, s.high});
            out.edge_triangle.push_back({s.triangle, -1});
        } else {
            out.edge_triangle.back()[1] = s.triangle;
        }
        out.triangle_edge[std::size_t(s.triangle)][s.opposite] = int(out.edge.size()) - 1;
        out.forward[std::size_t(s.triangle)][std::size_t(s.opposite)] = s.forward ? 1 : -1;
    }
    out.corner_start.assign(vertices + 1, 0);
    for (const Vec3i& c : triangle)
        for (int i = 0; i < 3; ++i) ++out.corner_start[std::size_t(c[i]) + 1];
    for (std::size_t v = 0; v < vertices; ++v) out.corner_start[v + 1] += out.corner_start[v];
    out.corner.resize(3 * triangle.size());
    std::vector<int> next(out.corner_start.begin(), out.corner_start.end() - 1);
    for (std::size_t t = 0; t < triangle.size(); ++t)
        for (int i = 0; i < 3; ++i)
            out.corner[std::size_t(next[std::size_t(triangle[t][i])]++)] = int(3 * t) + i;
    return out;
}

}  // namespace rivulet::fabric
