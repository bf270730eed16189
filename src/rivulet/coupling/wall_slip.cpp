#include <rivulet/coupling/wall_slip.h>

#include <limits>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/tile.h>

namespace rivulet::coupling {
namespace {

constexpr std::size_t kCells = grid::kBlockCells;
using Tile = grid::Tile<1, 1>;

bool slides(const grid::FaceBoundary& faces, std::size_t axis, std::size_t e) {
    const std::uint8_t wall = faces.wall[axis][e];
    return faces.open[axis][e] == 0 && wall < faces.rules.size() &&
           faces.rules[wall].kind != grid::WallKind::no_slip;
}

/// Faces carried farther into the wall than this (known is 1 + layer) are out of reach of kernels outside it.
constexpr std::uint8_t kDeepest = 1 + 2;

/// Calls body(axis, e) for the faces of block b that slide and have a velocity.
template <class F>
void for_sliding_faces(const grid::FaceBoundary& faces, const grid::FaceFlags& known, std::size_t b,
                       F&& body) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t e = b * kCells; e < (b + 1) * kCells; ++e)
            if (known[axis][e] && known[axis][e] <= kDeepest && slides(faces, axis, e)) body(axis, e);
}

/// Component c at the lower face across `axis` of cell `at`: the mean of the four faces around it.
double component_at(const Tile& component, Vec3i at, int axis, int c) {
    double sum = 0;
    for (int side = 0; side < 4; ++side) {
        Vec3i p = at;
        p[axis] -= side & 1;
        p[c] += side >> 1;
        sum += component(p.x, p.y, p.z);
    }
    return sum / 4;
}

/// A block near a wall and one layer of cells around it.
class NearWall {
 public:
    NearWall(const grid::Topology& topology, const SolidBoundary& boundary, const grid::FaceField& velocity,
             std::size_t b)
        : moving_(!boundary.faces.solid_velocity[0].empty()) {
        // NOTE: not a number where there is no grid: no normal is found there.
        distance_.gather(topology, boundary.distance.data(), b, std::numeric_limits<double>::quiet_NaN());
        for (std::size_t a = 0; a < 3; ++a) {
            carried_[a].gather(topology, velocity[a].data(), b);
            if (moving_) solid_[a].gather(topology, boundary.faces.solid_velocity[a].data(), b);
        }
    }

    double constrained(const Vec3i& at, int axis) const {
        const std::size_t a = std::size_t(axis);
        const double carried = carried_[a](at.x, at.y, at.z),
                     solid = moving_ ? solid_[a](at.x, at.y, at.z) : 0.0;
        const Vec3d n = normal_at(at, axis);
        if (n == Vec3d{}) return solid;
        Vec3d slip;
        slip[axis] = carried - solid;
        for (int o = 1; o < 3; ++o) {
            const int other = (axis + o) % 3;
            slip[other] = component_at(carried_[std::size_t(other)], at, axis, other);
            if (moving_) slip[other] -= component_at(solid_[std::size_t(other)], at, axis, other);
        }
        return carried - n[axis] * dot(slip, n);
    }

 private:
    /// Direction of growing distance at a lower face; zero where it cannot be told.
    Vec3d normal_at(const Vec3i& at, int axis) const {
        Vec3i below = at;
        --below[axis];
        const Vec3d slope = slope_at(at) + slope_at(below);
        const double size = length(slope);
        return size > 0 ? slope / size : Vec3d{};
    }
    Vec3d slope_at(const Vec3i& p) const {
        const auto across = [&](int dx, int dy, int dz) { return distance_(p.x + dx, p.y + dy, p.z + dz); };
        return {across(1, 0, 0) - across(-1, 0, 0), across(0, 1, 0) - across(0, -1, 0),
                across(0, 0, 1) - across(0, 0, -1)};
    }

    bool moving_;
    grid::Tile<2, 1> distance_;
    Tile carried_[3], solid_[3];
};

}  // namespace

void forget_sliding_faces(const SolidBoundary& boundary, grid::FaceFlags& known) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        parallel_chunks(known[axis].size() / kCells, 256,
                        [&](std::size_t begin, std::size_t end, std::size_t) {
                            for (std::size_t b = begin; b < end; ++b) {
                                bool closed = false;
                                for (std::size_t e = b * kCells; e < (b + 1) * kCells; ++e)
                                    closed |= boundary.faces.open[axis][e] == 0;
                                for (std::size_t e = b * kCells; closed && e < (b + 1) * kCells; ++e)
                                    if (slides(boundary.faces, axis, e)) known[axis][e] = 0;
                            }
                        });
}

void constrain_sliding_faces(const grid::Topology& topology, const SolidBoundary& boundary,
                             const grid::FaceFlags& known, grid::FaceField& work, grid::FaceField& velocity) {
    for (grid::Field& f : work) f.resize(topology.cells());
    const auto for_blocks_at_walls = [&](auto&& body) {
        parallel_chunks(topology.size(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t b = begin; b < end; ++b)
                if (closer_to_solids(boundary, b, topology.cell)) body(b);
        });
    };
    for_blocks_at_walls([&](std::size_t b) {
        bool any = false;
        for_sliding_faces(boundary.faces, known, b, [&](std::size_t, std::size_t) { any = true; });
        if (!any) return;
        const NearWall wall(topology, boundary, velocity, b);
        for_sliding_faces(boundary.faces, known, b, [&](std::size_t axis, std::size_t e) {
            const int c = int(e % kCells), edge = grid::kBlockEdge;
            work[axis][e] = wall.constrained({c % edge, c / edge % edge, c / (edge * edge)}, int(axis));
        });
    });
    for_blocks_at_walls([&](std::size_t b) {
        for_sliding_faces(boundary.faces, known, b,
                          [&](std::size_t axis, std::size_t e) { velocity[axis][e] = work[axis][e]; });
    });
}

}  // namespace rivulet::coupling
