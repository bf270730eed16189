#include <gtest/gtest.h>

#include <cmath>

#include <liquid/tank.h>
#include <rivulet/liquid/viscous_projection.h>

/// Liquids of very different viscosity side by side: what the solves cost must not grow with the jump.
namespace rivulet::liquid {
namespace {

constexpr double kRadius = 0.045, kCell = 0.004, kLevel = 0.052, kGravity = 9.81;
const Vec3d kMiddle{0.0481, 0.0493, 0.0487};

/// A round bowl half full of two liquids, `left` and `right` of its middle [Pa·s]; its wall cuts the cells at
/// every angle.
struct Bowl {
    Tank tank{{24, 24, 24}, kCell};
    grid::Field viscosity, distance;

    Bowl(double left, double right, grid::WallKind wall) {
        tank.dt = 0.005;
        viscosity.resize(tank.topology.cells());
        distance.resize(tank.topology.cells());
        const auto to_wall = [](const Vec3d& x) { return kRadius - length(x - kMiddle); };
        tank.set_phi([](const Vec3d& x) { return x.y - kLevel; });
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            const Vec3d x = tank.centre(at);
            distance[e] = to_wall(x);
            viscosity[e] = x.x < kMiddle.x ? left : right;
        });
        tank.boundary.rules[0].kind = wall;
        tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            constexpr int kSamples = 8;
            int open = 0;
            for (int i = 0; i < kSamples * kSamples; ++i) {
                Vec3d x = tank.face_centre(at, axis);
                x[(axis + 1) % 3] += ((i % kSamples + 0.5) / kSamples - 0.5) * kCell;
                x[(axis + 2) % 3] += ((i / kSamples + 0.5) / kSamples - 0.5) * kCell;
                open += to_wall(x) > 0;
            }
            const std::size_t a = std::size_t(axis);
            tank.boundary.open[a][e] = double(open) / (kSamples * kSamples);
            tank.boundary.wall[a][e] = open < kSamples * kSamples ? 0 : grid::FaceBoundary::kNoWall;
        });
        // Both liquids fall and stir.
        tank.set_velocity([](const Vec3d& x, int axis) {
            const Vec3d stir = cross(Vec3d{2, 3, 5}, x - kMiddle);
            return stir[axis] + 0.2 * std::sin(70 * x[(axis + 1) % 3]) - (axis == 1 ? kGravity * 0.005 : 0.0);
        });
    }
    /// All iterations of a step.
    ViscosityReport project(const ViscosityOptions& options = {}) {
        const PressureDomain flow = tank.domain();
        Projection pressure;
        ViscousProjection viscous;
        pressure.assemble(flow);
        const ViscousDomain domain{flow, pressure.system().liquid, viscosity, &distance};
        const ViscosityReport alone = viscous.diffuse(domain, options, tank.velocity);
        ViscosityReport report;
        const PressureReport last =
            viscous.project(domain, {}, options, pressure, tank.velocity, tank.pressure, report);
        EXPECT_LT(last.max_divergence * tank.dt, 1e-5);
        report.viscous_iterations += alone.viscous_iterations;
        return report;
    }
};

class TwoThicknesses : public testing::TestWithParam<grid::WallKind> {};
INSTANTIATE_TEST_SUITE_P(Walls, TwoThicknesses,
                         testing::Values(grid::WallKind::slip, grid::WallKind::no_slip));

TEST_P(TwoThicknesses, NeedHardlyMoreIterationsThanTheThickOneAlone) {
    for (const double thick : {10.0, 1000.0}) {
        Bowl half(thick, thick, GetParam());  // air where the thin one will be
        half.tank.set_phi([](const Vec3d& x) { return std::max(x.y - kLevel, kMiddle.x - x.x); });
        const ViscosityReport alone = half.project();
        for (const double jump : {1e2, 1e4, 1e6}) {
            const ViscosityReport both = Bowl(thick / jump, thick, GetParam()).project();
            EXPECT_LE(both.coupled_iterations, 20) << thick << " Pa s over " << jump;
            EXPECT_LE(both.viscous_iterations, 1.5 * alone.viscous_iterations)
                << thick << " Pa s over " << jump;
        }
    }
}

/// Blocks of thin liquid are left out of the multigrid: the same solution as with the diagonal everywhere.
TEST_P(TwoThicknesses, MultigridOfTheThickPartFindsWhatTheDiagonalFinds) {
    ViscosityOptions diagonal{1e-11, 1e-9, 20000, 200, 0.5}, multigrid = diagonal;
    diagonal.multigrid_from = 1e300;
    multigrid.multigrid_from = 0;
    Bowl one(1e-3, 10, GetParam()), other(1e-3, 10, GetParam());
    const int slow = one.project(diagonal).viscous_iterations;
    EXPECT_LT(2 * other.project(multigrid).viscous_iterations, slow);
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t f = 0; f < one.viscosity.size(); ++f)
            EXPECT_NEAR(one.tank.velocity[axis][f], other.tank.velocity[axis][f], 1e-6);
}

}  // namespace
}  // namespace rivulet::liquid
