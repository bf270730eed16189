#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <liquid/tank.h>
#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/liquid/free_surface.h>
#include <rivulet/liquid/pressure_solver.h>

namespace rivulet::liquid {
namespace {

constexpr double kGravity = 9.81;
const PressureOptions kTight{1e-12, 200, 6};

/// Velocity that gravity alone gives in one step.
double falling(const Tank& tank, int axis) {
    return axis == 1 ? -kGravity * tank.dt : 0.0;
}

TEST(FreeSurface, FractionOfTheWayToTheSurface) {
    EXPECT_DOUBLE_EQ(surface_fraction(-1, 3), 0.25);
    EXPECT_DOUBLE_EQ(surface_fraction(-1e-9, 1), kLeastSurfaceFraction);
    EXPECT_DOUBLE_EQ(surface_fraction(-1, 0), 1);
}

TEST(FreeSurface, CapillaryStepOfWater) {
    // √(1000·1e-9/(4π·0.072)) s
    EXPECT_NEAR(capillary_step(1000, 1e-3, 0.072), 1.0513e-3, 1e-7);
}

TEST(Projection, StillTankHasHydrostaticPressure) {
    for (const double height : {1.0, 1.03, 0.97}) {
        Tank tank({20, 24, 12}, 0.1);
        tank.set_phi([&](const Vec3d& x) { return x.y - height; });
        tank.set_velocity([&](const Vec3d&, int axis) { return falling(tank, axis); });
        Projection projection;
        const PressureReport report = projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
        EXPECT_EQ(report.closed_pockets, 0u);
        EXPECT_LT(report.max_divergence, 1e-9);
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            if (!tank.inside(at) || tank.phi[e] >= 0) {
                EXPECT_EQ(tank.pressure[e], 0);
                return;
            }
            EXPECT_NEAR(tank.pressure[e], 1000 * kGravity * (height - tank.centre(at).y), 1e-5);
            for (auto& u : tank.velocity) EXPECT_NEAR(u[e], 0, 1e-9);
        });
    }
}

TEST(Projection, HeavyLiquidUnderLightOneStaysAtRest) {
    Tank tank({8, 16, 8}, 0.1);
    tank.set_phi([](const Vec3d& x) { return x.y - 1.2; });
    tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        tank.density[std::size_t(axis)][e] = tank.face_centre(at, axis).y < 0.6 ? 1400 : 800;
    });
    tank.set_velocity([&](const Vec3d&, int axis) { return falling(tank, axis); });
    Projection projection;
    projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (!tank.inside(at) || tank.phi[e] >= 0) return;
        for (auto& u : tank.velocity) EXPECT_NEAR(u[e], 0, 1e-9);
    });
}

TEST(Projection, ClosedContainerIsAtRestAndItsLowestPressureIsZero) {
    Tank tank({13, 9, 17}, 0.1);
    tank.set_velocity([&](const Vec3d&, int axis) { return falling(tank, axis); });
    Projection projection;
    const PressureReport report = projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
    EXPECT_EQ(report.closed_pockets, 1u);
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (!tank.inside(at)) return;
        EXPECT_NEAR(tank.pressure[e], 1000 * kGravity * 0.1 * (8 - at.y), 1e-4);
        for (auto& u : tank.velocity) EXPECT_NEAR(u[e], 0, 1e-9);
    });
}

void move_right_wall(Tank& tank, double speed) {
    tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        if (axis == 0 && at.x == tank.n.x) tank.boundary.solid_velocity[0][e] = speed;
    });
}

TEST(Projection, SqueezedPocketsOfAFewCellsAreBalanced) {
    Tank tank({3, 4, 4}, 0.1);
    move_right_wall(tank, -0.5);
    Projection projection;
    EXPECT_EQ(projection.project(tank.domain(), {}, tank.velocity, tank.pressure).closed_pockets, 1u);
}

TEST(Projection, SqueezedFullContainerIsRefused) {
    Tank tank({12, 12, 12}, 0.1);
    move_right_wall(tank, -0.5);
    Projection projection;
    try {
        projection.project(tank.domain(), {}, tank.velocity, tank.pressure);
        FAIL() << "squeezed";
    } catch (const StepFailed& e) {
        EXPECT_EQ(e.entity, "liquid");
        EXPECT_NE(e.reason.find("walls move inward"), std::string::npos) << e.reason;
        EXPECT_NEAR(e.residual, 0.5 / 0.1 * 144, 1e-6);
    }
}

TEST(Projection, PistonLiftsTheSurfaceByWhatItSweeps) {
    Tank tank({16, 20, 8}, 0.1);
    tank.set_phi([](const Vec3d& x) { return x.y - 1.0; });
    move_right_wall(tank, -0.5);
    Projection projection;
    const PressureReport report = projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
    EXPECT_LT(report.max_divergence, 1e-9);
    double risen = 0;
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (at.y == 10 && tank.inside(at)) risen += tank.velocity[1][e] * 0.01;
    });
    EXPECT_NEAR(risen, 0.5 * 1.0 * 0.8, 1e-9);
}

/// Liquid around a sphere of open fractions, under a wavy surface, stirred at random.
Tank stirred_tank(const Vec3d& drift) {
    Tank tank({20, 20, 20}, 0.1);
    tank.set_phi([](const Vec3d& x) { return x.y - 1.3 - 0.1 * std::sin(4 * x.x); });
    const Random random(1, 2);
    tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        const std::size_t a = std::size_t(axis);
        const double d = (length(tank.face_centre(at, axis) - Vec3d{1.03, 0.71, 0.9}) - 0.4) / 0.1;
        double& open = tank.boundary.open[a][e];
        open = std::min(open, d < -0.49 ? 0.0 : d > 0.49 ? 1.0 : d + 0.5);
        if (open < 1) tank.boundary.wall[a][e] = 0;
        tank.velocity[a][e] = drift[axis] + random.uniform(3 * std::uint64_t(e) + a, -1, 1);
        tank.boundary.solid_velocity[a][e] = drift[axis];
    });
    return tank;
}

TEST(Projection, MovingFrameChangesNothing) {
    Tank still = stirred_tank({}), moving = stirred_tank({3, -2, 5});
    Projection projection;
    projection.project(still.domain(), kTight, still.velocity, still.pressure);
    projection.project(moving.domain(), kTight, moving.velocity, moving.pressure);
    double largest = 0;
    for (double p : still.pressure) largest = std::max(largest, std::abs(p));
    for (std::size_t e = 0; e < still.pressure.size(); ++e)
        EXPECT_NEAR(still.pressure[e], moving.pressure[e], 1e-8 * largest);
}

TEST(Projection, ProjectingTwiceChangesNothing) {
    Tank tank = stirred_tank({});
    Projection projection;
    const PressureReport first = projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
    EXPECT_LT(first.max_divergence, 1e-8);
    const grid::FaceField before = tank.velocity;
    projection.project(tank.domain(), {1e-3, 200, 0}, tank.velocity, tank.pressure);
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t e = 0; e < before[axis].size(); ++e)
            EXPECT_NEAR(before[axis][e], tank.velocity[axis][e], 1e-8);
}

TEST(Projection, AnotherVelocityInTheSameDomainIsLikeANewOne) {
    // The slab flies off its wall and is then pushed into it, and the other way round.
    for (const double first : {1.0, -1.0}) {
        Tank tank({16, 16, 8}, 0.1);
        tank.boundary.rules[0].separate = true;
        tank.set_phi([](const Vec3d& x) { return x.x - 0.55; });
        const auto start = [&](double speed) {
            tank.set_velocity([=](const Vec3d& x, int axis) {
                return axis == 0 ? speed : 0.2 * std::sin(5 * x.x + 3 * axis);
            });
        };
        Projection projection, fresh;
        start(first);
        projection.project(tank.domain(), {1e-4}, tank.velocity, tank.pressure);
        start(-first);
        const PressureReport again =
            projection.project_again(tank.domain(), kTight, tank.velocity, tank.pressure);
        const grid::FaceField velocity = tank.velocity;
        const grid::Field pressure = tank.pressure;
        start(-first);
        const PressureReport report = fresh.project(tank.domain(), kTight, tank.velocity, tank.pressure);
        EXPECT_EQ(again.released, report.released);
        EXPECT_EQ(again.cells, report.cells);
        const double most = *std::max_element(pressure.begin(), pressure.end());
        for (std::size_t e = 0; e < pressure.size(); ++e)
            EXPECT_NEAR(pressure[e], tank.pressure[e], 1e-6 * most);
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t e = 0; e < pressure.size(); ++e)
                EXPECT_NEAR(velocity[axis][e], tank.velocity[axis][e], 1e-6);
    }
}

TEST(Projection, SameBitsForAnyThreadCount) {
    Tank one = stirred_tank({}), three = stirred_tank({});
    for (Tank* tank : {&one, &three}) tank->boundary.rules[0].separate = true;
    with_threads(1, [&] { Projection().project(one.domain(), {}, one.velocity, one.pressure); });
    with_threads(3, [&] { Projection().project(three.domain(), {}, three.velocity, three.pressure); });
    EXPECT_EQ(one.pressure, three.pressure);
    EXPECT_EQ(one.velocity, three.velocity);
}

TEST(Projection, LiquidLeavesAWallOnlyWhenItMay) {
    for (const bool separate : {false, true}) {
        Tank tank({16, 16, 8}, 0.1);
        tank.boundary.rules[0].separate = separate;
        // A slab of liquid against the left wall that flies away from it.
        tank.set_phi([](const Vec3d& x) { return x.x - 0.55; });
        tank.set_velocity([](const Vec3d&, int axis) { return axis == 0 ? 1.0 : 0.0; });
        Projection projection;
        const PressureReport report = projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
        double lowest = 0, fastest = 0;
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            if (!tank.inside(at)) return;
            lowest = std::min(lowest, tank.pressure[e]);
            if (at.x == 3) fastest = std::max(fastest, tank.velocity[0][e]);
        });
        EXPECT_EQ(report.released > 0, separate);
        if (separate) {
            EXPECT_GT(lowest, -1e-2);
            EXPECT_NEAR(fastest, 1, 1e-6);
        } else {
            EXPECT_LT(lowest, -1000);
            EXPECT_NEAR(fastest, 0, 1e-6);
        }
    }
}

TEST(Projection, AdhesionHoldsLiquidOnTheWall) {
    Tank tank({16, 16, 8}, 0.1);
    tank.boundary.rules[0] = {grid::WallKind::slip, 0, true, 1e9};
    tank.set_phi([](const Vec3d& x) { return x.x - 0.55; });
    tank.set_velocity([](const Vec3d&, int axis) { return axis == 0 ? 1.0 : 0.0; });
    Projection projection;
    EXPECT_EQ(projection.project(tank.domain(), kTight, tank.velocity, tank.pressure).released, 0u);
}

TEST(Projection, PeriodicAxesKeepAUniformStream) {
    for (const int period : {12, 16}) {
        Tank tank({period, 8, period}, 0.1, {period, 0, period});
        const double k = 2 * std::acos(-1.0) / (0.1 * period);
        // A stream plus the gradient of cos(kx): the gradient must go, the stream must stay.
        tank.set_velocity([&](const Vec3d& x, int axis) {
            return axis == 0 ? 1 - std::sin(k * x.x) : axis == 2 ? 2.0 : 0.0;
        });
        Projection projection;
        const PressureReport report = projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
        EXPECT_EQ(report.closed_pockets, 1u);
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            if (at.y < 0 || at.y >= 8) return;
            EXPECT_NEAR(tank.velocity[0][e], 1, 1e-9);
            EXPECT_NEAR(tank.velocity[2][e], 2, 1e-9);
        });
    }
}

TEST(Projection, LiquidAtTheEdgeOfTheGridIsRefused) {
    Tank tank({8, 8, 8}, 0.1);
    tank.boundary.clear(tank.topology.cells());
    Projection projection;
    EXPECT_THROW(projection.project(tank.domain(), {}, tank.velocity, tank.pressure), StepFailed);
}

TEST(Projection, NoLiquidNoWork) {
    Tank tank({8, 8, 8}, 0.1);
    tank.set_phi([](const Vec3d&) { return 1.0; });
    Projection projection;
    const PressureReport report = projection.project(tank.domain(), {}, tank.velocity, tank.pressure);
    EXPECT_EQ(report.cells, 0u);
    EXPECT_EQ(report.iterations, 0);
}

}  // namespace
}  // namespace rivulet::liquid
