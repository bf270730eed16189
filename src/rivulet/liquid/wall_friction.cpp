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

bool rubs(const grid::WallRule& rule) {
    return rule.kind == grid::WallKind::friction && rule.friction > 0;
}

/// Friction on the faces of one block.
class BlockFriction {
 public:
    BlockFriction(const WallLoad& load, const grid::FaceField& before, std::size_t block)
        : load_(load), before_(before), near_(load.domain.topology, block), block_(block) {}

    /// What is left of a face's velocity.
    double rubbed(int cell, int a, double velocity) const {
        const grid::FaceBoundary& boundary = load_.domain.boundary;
        const std::size_t e = block_ * grid::kBlockCells + std::size_t(cell), axis = std::size_t(a);
        const Vec3i at = place_in_block(cell);
        const std::int64_t below = index(lower(at, a));
        if (boundary.open[axis][e] == 0 || below < 0) return velocity;
        if (!load_.system.liquid[e] && !load_.system.liquid[std::size_t(below)]) return velocity;
        for (int side = 0; side < 4; ++side) velocity = rubbed_by(cell, at, a, side, velocity);
        return velocity;
    }

 private:
    std::int64_t index(const Vec3i& q) const { return load_.domain.topology.index(block_, q.x, q.y, q.z); }
    static Vec3i lower(Vec3i q, int axis) {
        --q[axis];
        return q;
    }

    double rubbed_by(int cell, const Vec3i& at, int a, int side, double velocity) const {
        const grid::FaceBoundary& boundary = load_.domain.boundary;
        const grid::Topology& topology = load_.domain.topology;
        const std::size_t e = block_ * grid::kBlockCells + std::size_t(cell), axis = std::size_t(a);
        // The wall lies across axis n; c is the other direction along it.
        const int n = (a + 1 + side / 2) % 3, c = 3 - a - n, step = side % 2 ? 1 : -1;
        Vec3i to_wall = at, beside = at;
        to_wall[n] += step;
        std::int64_t w = index(to_wall);
        double part = 1;
        if (w >= 0 && boundary.open[axis][std::size_t(w)] > 0) {
            part = 1 - load_.free_part(std::size_t(w), index(lower(to_wall, a)));
            if (part == 0) return velocity;
            beside = to_wall;
            to_wall[n] += step;
            w = index(to_wall);
        }
        if (w < 0 || boundary.open[axis][std::size_t(w)] > 0) return velocity;
        const std::uint8_t wall = boundary.wall[axis][std::size_t(w)];
        if (wall >= boundary.rules.size() || !rubs(boundary.rules[wall])) return velocity;
        double p = 0;
        if (!presses(cell, beside, a, n, step, p)) return velocity;
        const double wall_speed = boundary.solid_speed(axis, std::size_t(w));
        const double slip = before_[axis][e] - wall_speed;
        double slip_across = grid::component_at_face(topology, before_, block_, at, a, c);
        if (!boundary.solid_velocity[0].empty())
            slip_across -= grid::component_at_face(topology, boundary.solid_velocity, block_, to_wall, a, c);
        const double keeps =
            friction_keeps(std::hypot(slip, slip_across), part * boundary.rules[wall].friction, p,
                           load_.domain.dt, load_.domain.flow.inertia(axis, e), topology.cell);
        return wall_speed + keeps * (velocity - wall_speed);
    }

    /// Mean of what presses on the wall in the cells on both sides of a face; false: no liquid does.
    bool presses(int cell, const Vec3i& beside, int a, int n, int step, double& p) const {
        const grid::Field* distance = load_.solid_distance;
        const double lean =
            distance ? std::abs(slope_at(near_, cell, *distance)[n]) / (2 * load_.domain.topology.cell) : 1;
        int count = 0;
        for (Vec3i q : {beside, lower(beside, a)}) {
            const std::int64_t liquid = index(q);
            q[n] -= step;
            if (liquid < 0 || !load_.system.liquid[std::size_t(liquid)]) continue;
            p += load_.at_wall(std::size_t(liquid), index(q), lean), ++count;
        }
        if (count > 0) p /= count;
        return count > 0;
    }

    const WallLoad& load_;
    const grid::FaceField& before_;
    CellNeighbours near_;
    std::size_t block_;
};

}  // namespace

void WallFriction::apply(const PressureDomain& domain, const PressureSystem& system,
                         const grid::Field& pressure, const grid::Field* solid_distance,
                         grid::FaceField& velocity) {
    const auto& rules = domain.boundary.rules;
    if (std::none_of(rules.begin(), rules.end(), rubs)) return;
    before_ = velocity;
    const WallLoad load{domain, system, pressure, solid_distance};
    parallel_for(domain.topology.size(), [&](std::size_t b) {
        const BlockFriction block(load, before_, b);
        for (int cell = 0; cell < grid::kBlockCells; ++cell)
            for (int axis = 0; axis < 3; ++axis) {
                double& u = velocity[std::size_t(axis)][b * grid::kBlockCells + std::size_t(cell)];
                u = block.rubbed(cell, axis, u);
            }
    });
}

}  // namespace rivulet::liquid
