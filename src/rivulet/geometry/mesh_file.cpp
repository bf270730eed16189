#include <algorithm>
#include <numeric>

#include <rivulet/base/error.h>
#include <rivulet/geometry/mesh_file.h>
#include <rivulet/io/triangle_mesh_file.h>

namespace rivulet::geometry {
namespace {

io::TriangleMesh read(const std::string& file, const std::string& key) {
    try {
        return io::read_mesh(file);
    } catch (const InputError& e) {
        std::vector<Problem> problems = e.problems();
        for (Problem& p : problems)
            if (p.key.empty()) p.key = key;
        throw InputError(std::move(problems));
    } catch (const IoError& e) {
        throw InputError(
            Problem{file, 0, 0, key, e.what(), "check the name; files are relative to the scene"});
    }
}

bool has_open_edges(const TriangleMesh& mesh) {
    std::vector<std::pair<int, int>> edges;
    edges.reserve(mesh.triangles.size() * 3);
    for (const Vec3i& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) edges.push_back(std::minmax(int{t[k]}, int{t[(k + 1) % 3]}));
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        while (end < edges.size() && edges[end] == edges[i]) ++end;
        if (end - i == 1) return true;
        i = end;
    }
    return false;
}

}  // namespace

TriangleMesh load_mesh(const ShapeDescription& description, const std::string& key) {
    if (!(description.file_scale > 0) || !(description.file_scale < 1e9))
        throw InputError(Problem{{}, 0, 0, key, "the unit of the file must be a length > 0 and < 1e9 m", ""});
    io::TriangleMesh raw = read(description.file, key);
    TriangleMesh mesh;
    mesh.positions = std::move(raw.position);
    for (Vec3d& p : mesh.positions) p = p * description.file_scale + description.offset;
    mesh.triangles.reserve(raw.triangle.size());
    for (const auto& t : raw.triangle) mesh.triangles.push_back({t[0], t[1], t[2]});
    require_sound(mesh, description.file, key);
    return mesh;
}

TriangleMesh load_closed_mesh(const ShapeDescription& description, const std::string& key) {
    TriangleMesh mesh = load_mesh(description, key);
    if (has_open_edges(mesh)) mesh = weld(mesh);
    require_closed(mesh, description.file, key);
    return mesh;
}

TriangleMesh weld(const TriangleMesh& mesh) {
    std::vector<std::size_t> order(mesh.positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto& p = mesh.positions;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (p[a].x != p[b].x) return p[a].x < p[b].x;
        if (p[a].y != p[b].y) return p[a].y < p[b].y;
        if (p[a].z != p[b].z) return p[a].z < p[b].z;
        return a < b;
    });
    // The lowest number at each place stands for all; kept vertices stay in order.
    std::vector<std::size_t> stands_for(p.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        stands_for[order[i]] = i > 0 && p[order[i]] == p[order[i - 1]] ? stands_for[order[i - 1]] : order[i];
    TriangleMesh out;
    std::vector<int> renumbered(p.size());
    for (std::size_t v = 0; v < p.size(); ++v) {
        if (stands_for[v] == v) {
            renumbered[v] = static_cast<int>(out.positions.size());
            out.positions.push_back(p[v]);
        } else {
            renumbered[v] = renumbered[stands_for[v]];
        }
    }
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int k) { return renumbered[static_cast<std::size_t>(t[k])]; };
        out.triangles.push_back({at(0), at(1), at(2)});
    }
    return out;
}

}  // namespace rivulet::geometry
