#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::io {

/// Polylines as a file holds them, in the file's own unit. Curve c owns the points [start[c], start[c + 1]).
/// A reader refuses what cannot be understood (cut short, indices out of range, branching edges); values that
/// are merely bad (NaN, curves of one point, repeated points) pass through for the owner to judge per curve.
struct CurveArrays {
    std::vector<Vec3d> position;
    std::vector<std::int64_t> start{0};  // curves + 1 entries
    std::vector<double> radius;          // per point; empty: the file says nothing
    double metres_per_unit = 0;          // 0: the file says nothing

    std::size_t curve_count() const { return start.size() - 1; }
    std::size_t point_count(std::size_t curve) const {
        return static_cast<std::size_t>(start[curve + 1] - start[curve]);
    }
};

/// Reads curves by the file's extension: .hair, .obj, .ply or .usda.
CurveArrays load_curves(const std::string& path);

}  // namespace rivulet::io
