#pragma once

#include <cmath>
#include <numbers>

#include <rivulet/geometry/triangle_mesh.h>

namespace rivulet::geometry {

/// Times the surface winds around p: 1 inside, 0 outside of a closed mesh (van Oosterom and Strackee 1983,
/// solid angles). Cost proportional to the number of triangles.
inline double winding_number(const TriangleMesh& mesh, const Vec3d& p) {
    double total = 0;
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int k) { return mesh.positions[static_cast<std::size_t>(t[k])] - p; };
        const Vec3d a = at(0), b = at(1), c = at(2);
        const double la = length(a), lb = length(b), lc = length(c);
        const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        total += 2 * std::atan2(dot(a, cross(b, c)), denominator);
    }
    return total / (4 * std::numbers::pi);
}

}  // namespace rivulet::geometry
