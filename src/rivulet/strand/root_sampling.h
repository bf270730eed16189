#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <rivulet/base/vec2.h>
#include <rivulet/base/vec3.h>
#include <rivulet/strand/groom.h>

namespace rivulet::strand {

/// Where strands leave a surface.
struct Roots {
    std::vector<Vec3d> position;  // m
    std::vector<Vec3d> normal;    // unit, the way the strands leave
    std::vector<Vec2d> uv;        // in [0, 1]²: place in the generator's own pattern, or on the mesh
    std::size_t size() const { return position.size(); }
};

/// Triangles that roots are scattered over, with normals per vertex.
struct RootSurface {
    std::vector<Vec3d> vertex;
    std::vector<Vec3d> normal;
    std::vector<std::array<std::uint32_t, 3>> triangle;

    double area() const;
};

struct ScatterOptions {
    std::size_t count = 0;  // roots wanted; 0: from the density
    double density = 0;     // roots per m² of the accepted surface
    std::uint64_t seed = 0;
    /// Moves a candidate onto the exact surface and may turn its normal; false: no root may be there.
    std::function<bool(Vec3d& position, Vec3d& normal)> accept{};
};

/// Spreads roots evenly and without pattern (blue noise): area-weighted random candidates, thinned by
/// weighted sample elimination (Yuksel 2015, "Sample Elimination for Generating Poisson Disk Sample Sets").
Roots scatter_roots(const RootSurface& surface, const ScatterOptions& options);

/// Indices, ascending, of `wanted` of the points, chosen by the same elimination. `area` is what they cover.
std::vector<std::uint32_t> eliminate_samples(const std::vector<Vec3d>& points, std::size_t wanted,
                                             double area);

/// Regular patterns; all deterministic without a seed.
Roots rows_of_roots(const RowsGroom& rows);
Roots brush_roots(const BrushGroom& brush);
Roots roller_roots(const RollerGroom& roller);
Roots ball_roots(const BallGroom& ball);

}  // namespace rivulet::strand
