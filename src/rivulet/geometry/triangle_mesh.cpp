#include <algorithm>
#include <cstdint>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {
namespace {

const Vec3d& vertex(const TriangleMesh& mesh, int v) {
    return mesh.positions[static_cast<std::size_t>(v)];
}

struct Refusal {
    const std::string &file, &key;
    [[noreturn]] void operator()(std::string message, std::string hint) const {
        throw InputError(Problem{file, 0, 0, key, std::move(message), std::move(hint)});
    }
};

std::string at_triangle(const TriangleMesh& mesh, std::size_t t) {
    const Vec3i& v = mesh.triangles[t];
    return "triangle " + std::to_string(t) + " (vertices " + std::to_string(v.x) + ", " +
           std::to_string(v.y) + ", " + std::to_string(v.z) + ")";
}

/// How many triangles fail a condition, and the first of them.
template <class F>
std::pair<std::size_t, std::size_t> count_failing(std::size_t n, F&& fails) {
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (fails(i) && count++ == 0) first = i;
    return {count, first};
}

struct DirectedEdge {
    std::uint64_t undirected;
    std::uint32_t triangle;
    bool forwards;
};

std::vector<DirectedEdge> sorted_edges(const TriangleMesh& mesh) {
    std::vector<DirectedEdge> edges;
    edges.reserve(mesh.triangles.size() * 3);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const auto a = static_cast<std::uint32_t>(mesh.triangles[t][k]);
            const auto b = static_cast<std::uint32_t>(mesh.triangles[t][(k + 1) % 3]);
            edges.push_back(
                {std::uint64_t{std::min(a, b)} << 32 | std::max(a, b), static_cast<std::uint32_t>(t), a < b});
        }
    std::stable_sort(edges.begin(), edges.end(), [](const DirectedEdge& p, const DirectedEdge& q) {
        return p.undirected < q.undirected;
    });
    return edges;
}

struct EdgeFaults {
    std::size_t open = 0, crowded = 0, flipped = 0;
    std::size_t open_example = 0, crowded_example = 0, flipped_example = 0;
};

EdgeFaults find_edge_faults(const TriangleMesh& mesh) {
    const std::vector<DirectedEdge> edges = sorted_edges(mesh);
    EdgeFaults faults;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        while (end < edges.size() && edges[end].undirected == edges[i].undirected) ++end;
        const std::size_t sharing = end - i;
        if (sharing == 1 && faults.open++ == 0) faults.open_example = edges[i].triangle;
        if (sharing > 2 && faults.crowded++ == 0) faults.crowded_example = edges[i].triangle;
        if (sharing == 2 && edges[i].forwards == edges[i + 1].forwards && faults.flipped++ == 0)
            faults.flipped_example = edges[i + 1].triangle;
        i = end;
    }
    return faults;
}

}  // namespace

Bounds bounds_of(const std::vector<Vec3d>& points) {
    Bounds b;
    for (const Vec3d& p : points) b.include(p);
    return b;
}

double signed_volume(const TriangleMesh& mesh) {
    if (mesh.positions.empty()) return 0;
    const Vec3d o = mesh.positions[0];
    return accurate_sum(mesh.triangles.size(), [&](std::size_t t) {
        const Vec3i& v = mesh.triangles[t];
        return dot(vertex(mesh, v.x) - o, cross(vertex(mesh, v.y) - o, vertex(mesh, v.z) - o)) / 6;
    });
}

double surface_area(const TriangleMesh& mesh) {
    return accurate_sum(mesh.triangles.size(), [&](std::size_t t) {
        const Vec3i& v = mesh.triangles[t];
        return 0.5 * length(triangle_cross(vertex(mesh, v.x), vertex(mesh, v.y), vertex(mesh, v.z)));
    });
}

void require_sound(const TriangleMesh& mesh, const std::string& file, const std::string& key) {
    const Refusal refuse{file, key};
    const std::size_t n = mesh.triangles.size(), vertices = mesh.positions.size();
    if (n == 0) refuse("the mesh has no triangles", "export the object as triangles");
    if (vertices > std::size_t{std::numeric_limits<int>::max()} || n > std::size_t{1} << 30)
        refuse("the mesh is too large", "reduce it");
    const auto outside = [&](int v) { return v < 0 || static_cast<std::size_t>(v) >= vertices; };
    const auto [bad, first_bad] = count_failing(n, [&](std::size_t t) {
        const Vec3i& v = mesh.triangles[t];
        return outside(v.x) || outside(v.y) || outside(v.z);
    });
    if (bad > 0)
        refuse(std::to_string(bad) + " triangles name vertices that do not exist, e.g. " +
                   at_triangle(mesh, first_bad),
               "the mesh has " + std::to_string(vertices) + " vertices, counted from 0; export it again");
    const auto [infinite, first_infinite] = count_failing(vertices, [&](std::size_t v) {
        const Vec3d& p = mesh.positions[v];
        return !is_finite(p) || std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > 1e6;
    });
    if (infinite > 0)
        refuse(std::to_string(infinite) + " vertices are not finite or beyond 1000 km, e.g. vertex " +
                   std::to_string(first_infinite),
               "check the unit of the file (file_unit)");
    const auto [flat, first_flat] = count_failing(n, [&](std::size_t t) {
        const Vec3i& v = mesh.triangles[t];
        const Vec3d &a = vertex(mesh, v.x), &b = vertex(mesh, v.y), &c = vertex(mesh, v.z);
        const double longest =
            std::max({squared_length(b - a), squared_length(c - b), squared_length(a - c)});
        // NOTE: a height below 1e-10 of the longest edge has no direction left in double precision.
        return !(length(triangle_cross(a, b, c)) > 1e-10 * longest);
    });
    if (flat > 0)
        refuse(std::to_string(flat) + " triangles have no area, e.g. " + at_triangle(mesh, first_flat),
               "merge doubled vertices and remove degenerate faces");
}

void require_closed(const TriangleMesh& mesh, const std::string& file, const std::string& key) {
    require_sound(mesh, file, key);
    const Refusal refuse{file, key};
    const EdgeFaults faults = find_edge_faults(mesh);
    if (faults.open > 0)
        refuse("the mesh is not closed: " + std::to_string(faults.open) +
                   " edges have one triangle only, e.g. of " + at_triangle(mesh, faults.open_example),
               "fill the holes, or merge vertices that lie on each other");
    if (faults.crowded > 0)
        refuse(std::to_string(faults.crowded) + " edges have more than two triangles, e.g. of " +
                   at_triangle(mesh, faults.crowded_example),
               "remove inner walls, or split the parts that touch along an edge");
    if (faults.flipped > 0)
        refuse(std::to_string(faults.flipped) + " edges join triangles of opposite orientation, e.g. " +
                   at_triangle(mesh, faults.flipped_example),
               "make the normals consistent");
    const double volume = signed_volume(mesh);
    if (volume < 0)
        refuse("the mesh is inside out: all " + std::to_string(mesh.triangles.size()) + " triangles, e.g. " +
                   at_triangle(mesh, 0) + ", face inwards",
               "flip the normals; for a container keep them outwards and set side = \"inside\"");
    const double scale = length(bounds_of(mesh.positions).size());
    if (!(volume > 1e-12 * scale * scale * scale))
        refuse("the mesh encloses no volume (" + std::to_string(mesh.triangles.size()) + " triangles, e.g. " +
                   at_triangle(mesh, 0) + ")",
               "give it a thickness");
}

void append(TriangleMesh& mesh, const TriangleMesh& other) {
    const int base = static_cast<int>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
    for (const Vec3i& t : other.triangles) mesh.triangles.push_back({t.x + base, t.y + base, t.z + base});
}

}  // namespace rivulet::geometry
