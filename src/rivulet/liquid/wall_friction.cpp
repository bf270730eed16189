#include <rivulet/liquid/wall_friction.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/operators.h>

namespace rivulet::liquid {
double friction_keeps(double speed, double friction, double pressure, double dt, double density,
                      double cell) {
    if (!(speed > 0) || !(pressure > 0)) return 1;
    return std::max(0.0, 1 - friction * pressure * dt / (density * cell * speed));
}

void WallFriction::apply(const PressureDomain& domain, const PressureSystem& system,
                         const grid::Field& pressure, grid::FaceField& velocity) {
    const grid::FaceBoundary& boundary = domain.boundary;
    const grid::Topology& topology = domain.topology;
    const auto rubs = [](const grid::WallRule& r) {
        return r.kind == grid::WallKind::friction && r.friction > 0;
    };
    if (std::none_of(boundary.rules.begin(), boundary.rules.end(), rubs)) return;
    before_ = velocity;
    const bool moving = !boundary.solid_velocity[0].empty();
    parallel_for(topology.size(), [&](std::size_t b) {
        for (int cell = 0; cell < grid::kBlockCells; ++cell) {
            const std::size_t e = b * grid::kBlockCells + std::size_t(cell);
            const Vec3i at{cell % grid::kBlockEdge, cell / grid::kBlockEdge % grid::kBlockEdge,
                           cell / (grid::kBlockEdge * grid::kBlockEdge)};
            for (int a = 0; a < 3; ++a) {
                const std::size_t axis = std::size_t(a);
                Vec3i low = at;
                --low[a];
                const std::int64_t below = topology.index(b, low.x, low.y, low.z);
                if (boundary.open[axis][e] == 0 || below < 0) continue;
                const bool here = system.liquid[e], there = system.liquid[std::size_t(below)];
                if (!here && !there) continue;
                const auto on_wall = [&](std::size_t i) {
                    return pressure[i] - (domain.wall_pull ? (*domain.wall_pull)[i] : 0.0);
                };
                const double p = std::max(here ? on_wall(e) : 0.0, there ? on_wall(std::size_t(below)) : 0.0);
                for (int side = 0; side < 4; ++side) {
                    // The wall lies across axis n; c is the other direction along it.
                    const int n = (a + 1 + side / 2) % 3, c = 3 - a - n;
                    Vec3i to_wall = at;
                    to_wall[n] += side % 2 ? 1 : -1;
                    const std::int64_t w = topology.index(b, to_wall.x, to_wall.y, to_wall.z);
                    if (w < 0 || boundary.open[axis][std::size_t(w)] > 0) continue;
                    const std::uint8_t wall = boundary.wall[axis][std::size_t(w)];
                    if (wall >= boundary.rules.size() || !rubs(boundary.rules[wall])) continue;
                    const double wall_speed = boundary.solid_speed(axis, std::size_t(w));
                    const double slip = before_[axis][e] - wall_speed;
                    double slip_across = grid::component_at_face(topology, before_, b, at, a, c);
                    if (moving)
                        slip_across -=
                            grid::component_at_face(topology, boundary.solid_velocity, b, to_wall, a, c);
                    const double keeps =
                        friction_keeps(std::hypot(slip, slip_across), boundary.rules[wall].friction, p,
                                       domain.dt, domain.density(axis, e), topology.cell);
                    velocity[axis][e] = wall_speed + keeps * (velocity[axis][e] - wall_speed);
                }
            }
        }
    });
}

}  // namespace rivulet::liquid
