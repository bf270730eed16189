#include <rivulet/geometry/revolved_mesh.h>

#include <cmath>
#include <numbers>

namespace rivulet::geometry {

TriangleMesh revolved_mesh(const Vec3d& centre, const Vec3d& axis, const ProfileLine& line, int segments) {
    const Vec3d u = any_perpendicular(axis), v = cross(axis, u);
    TriangleMesh mesh;
    std::vector<int> first;  // vertex of each ring
    for (const ProfilePoint& p : line.points) {
        first.push_back(static_cast<int>(mesh.positions.size()));
        const int count = p.radius == 0 ? 1 : segments;
        for (int i = 0; i < count; ++i) {
            const double a = 2 * std::numbers::pi * i / segments;
            mesh.positions.push_back(centre + axis * p.height +
                                     (u * std::cos(a) + v * std::sin(a)) * p.radius);
        }
    }
    const std::size_t rings = line.points.size();
    const auto at = [&](std::size_t ring, int i) {
        return first[ring] + (line.points[ring].radius == 0 ? 0 : i % segments);
    };
    for (std::size_t r = 0; r + (line.closed ? 0 : 1) < rings; ++r) {
        const std::size_t next = (r + 1) % rings;
        for (int i = 0; i < segments; ++i) {
            if (line.points[r].radius > 0)
                mesh.triangles.push_back({at(r, i), at(r, i + 1), at(next, i + 1)});
            if (line.points[next].radius > 0)
                mesh.triangles.push_back({at(r, i), at(next, i + 1), at(next, i)});
        }
    }
    return mesh;
}

}  // namespace rivulet::geometry
