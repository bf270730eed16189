#include <rivulet/liquid/wall_friction.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/operators.h>
#include <rivulet/liquid/cell_stress.h>

namespace rivulet::liquid {
double friction_keeps(double speed, double friction, double pressure, double dt, double density,
                      double cell) {
    if (!(speed > 0) || !(pressure > 0)) return 1;
    return std::max(0.0, 1 - friction * pressure * dt / (density * cell * speed));
}

namespace {

/// Walls of which an axis crosses less than this are not continued to any further along it.
constexpr double kSteepest = 0.3;

/// What presses on walls, at cells beside them.
struct WallLoad {
    const PressureDomain& domain;
    const PressureSystem& system;
    const grid::Field& pressure;
    const grid::Field* solid_distance;

    double at_centre(std::size_t i) const {
        return pressure[i] - (domain.wall_pull ? (*domain.wall_pull)[i] : 0.0);
    }
    /// Part of the volume around a face, between cells `here` and `below`, that is not in solids.
    double free_part(std::size_t here, std::int64_t below) const {
        if (!solid_distance || below < 0) return 1;
        const double distance = 0.5 * ((*solid_distance)[here] + (*solid_distance)[std::size_t(below)]);
        return std::clamp(0.5 + distance / domain.topology.cell, 0.0, 1.0);
    }
    /// At the wall across an axis along which its normal has `part`, continued from the cell and the one on
    /// its other side [Pa].
    double at_wall(std::size_t i, std::int64_t behind, double part) const {
        const double p = at_centre(i);
        if (!system.liquid[i] || !(p > 0) || behind < 0) return system.liquid[i] ? p : 0;
        const std::size_t o = std::size_t(behind);
        const double depth = -domain.liquid_distance[i], height = domain.liquid_distance[o];
        const double rise = system.liquid[o]     ? p - at_centre(o)
                            : depth + height > 0 ? p * (depth + height) / std::max(depth, 0.1 * height)
                                                 : 0;
        const double cells =
            solid_distance ? std::clamp((*solid_distance)[i] / domain.topology.cell, 0.0, 1.0) : 0.5;
        return p + std::clamp(rise * cells / std::max(part, kSteepest), -p, p);
    }
};

}  // namespace

void WallFriction::apply(const PressureDomain& domain, const PressureSystem& system,
                         const grid::Field& pressure, const grid::Field* solid_distance,
                         grid::FaceField& velocity) {
    const grid::FaceBoundary& boundary = domain.boundary;
    const grid::Topology& topology = domain.topology;
    const auto rubs = [](const grid::WallRule& r) {
        return r.kind == grid::WallKind::friction && r.friction > 0;
    };
    if (std::none_of(boundary.rules.begin(), boundary.rules.end(), rubs)) return;
    before_ = velocity;
    const WallLoad load{domain, system, pressure, solid_distance};
    const bool moving = !boundary.solid_velocity[0].empty();
    parallel_for(topology.size(), [&](std::size_t b) {
        const CellNeighbours near(topology, b);
        for (int cell = 0; cell < grid::kBlockCells; ++cell) {
            const std::size_t e = b * grid::kBlockCells + std::size_t(cell);
            const Vec3i at = place_in_block(cell);
            for (int a = 0; a < 3; ++a) {
                const std::size_t axis = std::size_t(a);
                const auto index = [&](const Vec3i& q) { return topology.index(b, q.x, q.y, q.z); };
                const auto lower = [&](Vec3i q) {
                    --q[a];
                    return q;
                };
                const std::int64_t below = index(lower(at));
                if (boundary.open[axis][e] == 0 || below < 0) continue;
                if (!system.liquid[e] && !system.liquid[std::size_t(below)]) continue;
                for (int side = 0; side < 4; ++side) {
                    // The wall lies across axis n; c is the other direction along it.
                    const int n = (a + 1 + side / 2) % 3, c = 3 - a - n, step = side % 2 ? 1 : -1;
                    Vec3i to_wall = at, rubbed = at;
                    to_wall[n] += step;
                    std::int64_t w = index(to_wall);
                    double part = 1;
                    if (w >= 0 && boundary.open[axis][std::size_t(w)] > 0) {
                        part = 1 - load.free_part(std::size_t(w), index(lower(to_wall)));
                        if (part == 0) continue;
                        rubbed = to_wall;
                        to_wall[n] += step;
                        w = index(to_wall);
                    }
                    if (w < 0 || boundary.open[axis][std::size_t(w)] > 0) continue;
                    const std::uint8_t wall = boundary.wall[axis][std::size_t(w)];
                    if (wall >= boundary.rules.size() || !rubs(boundary.rules[wall])) continue;
                    const double lean = solid_distance ? std::abs(slope_at(near, cell, *solid_distance)[n]) /
                                                             (2 * topology.cell)
                                                       : 1;
                    double p = 0;
                    int count = 0;
                    for (Vec3i q : {rubbed, lower(rubbed)}) {
                        const std::int64_t beside = index(q);
                        q[n] -= step;
                        if (beside < 0 || !system.liquid[std::size_t(beside)]) continue;
                        p += load.at_wall(std::size_t(beside), index(q), lean), ++count;
                    }
                    if (count == 0) continue;
                    p /= count;
                    const double wall_speed = boundary.solid_speed(axis, std::size_t(w));
                    const double slip = before_[axis][e] - wall_speed;
                    double slip_across = grid::component_at_face(topology, before_, b, at, a, c);
                    if (moving)
                        slip_across -=
                            grid::component_at_face(topology, boundary.solid_velocity, b, to_wall, a, c);
                    const double keeps =
                        friction_keeps(std::hypot(slip, slip_across), part * boundary.rules[wall].friction, p,
                                       domain.dt, domain.flow.inertia(axis, e), topology.cell);
                    velocity[axis][e] = wall_speed + keeps * (velocity[axis][e] - wall_speed);
                }
            }
        }
    });
}

}  // namespace rivulet::liquid
