#include <rivulet/coupling/wall_slip.h>

#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/operators.h>

namespace rivulet::coupling {
namespace {

bool slides(const grid::FaceBoundary& faces, std::size_t axis, std::size_t e) {
    const std::uint8_t wall = faces.wall[axis][e];
    return faces.open[axis][e] == 0 && wall < faces.rules.size() &&
           faces.rules[wall].kind != grid::WallKind::no_slip;
}

/// Direction of growing distance at a lower face; zero where it cannot be told.
Vec3d normal_at(const grid::Topology& topology, const grid::Field& distance, std::size_t b, const Vec3i& at,
                int axis) {
    Vec3i below = at;
    below[axis] -= 1;
    const Vec3d slope =
        distance_slope(topology, distance, b, at) + distance_slope(topology, distance, b, below);
    const double size = length(slope);
    return size > 0 ? slope / size : Vec3d{};
}

}  // namespace

void WallSlip::forget(const SolidBoundary& boundary, grid::FaceFlags& known) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
        parallel_chunks(known[axis].size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t e = begin; e < end; ++e)
                if (slides(boundary.faces, axis, e)) known[axis][e] = 0;
        });
}

void WallSlip::constrain(const grid::Topology& topology, const SolidBoundary& boundary,
                         grid::FaceField& velocity) {
    const grid::FaceBoundary& faces = boundary.faces;
    const double band = 3 * topology.cell;
    carried_ = velocity;
    parallel_chunks(topology.size(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b)
            for (int c = 0; c < grid::kBlockCells; ++c) {
                const int edge = grid::kBlockEdge;
                const Vec3i at{c % edge, c / edge % edge, c / (edge * edge)};
                const std::size_t e =
                    b * grid::kBlockCells + std::size_t(grid::cell_in_block(at.x, at.y, at.z));
                if (boundary.distance[e] < -band || boundary.distance[e] >= band) continue;
                for (int a = 0; a < 3; ++a) {
                    const std::size_t axis = std::size_t(a);
                    if (!slides(faces, axis, e)) continue;
                    const Vec3d n = normal_at(topology, boundary.distance, b, at, a);
                    Vec3d slip;
                    slip[a] = carried_[axis][e] - faces.solid_velocity[axis][e];
                    for (int o = 1; o < 3; ++o) {
                        const int other = (a + o) % 3;
                        slip[other] =
                            grid::component_at_face(topology, carried_, b, at, a, other) -
                            grid::component_at_face(topology, faces.solid_velocity, b, at, a, other);
                    }
                    velocity[axis][e] = n == Vec3d{} ? faces.solid_velocity[axis][e]
                                                     : carried_[axis][e] - n[a] * dot(slip, n);
                }
            }
    });
}

}  // namespace rivulet::coupling
