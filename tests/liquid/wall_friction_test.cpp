#include <gtest/gtest.h>

#include <cmath>

#include <liquid/tank.h>
#include <rivulet/liquid/pressure_solver.h>
#include <rivulet/liquid/wall_friction.h>

namespace rivulet::liquid {
namespace {

TEST(WallFriction, TakesAnImpulseOrStops) {
    EXPECT_DOUBLE_EQ(friction_keeps(2, 0.5, 1000, 0.01, 1000, 0.05),
                     1 - 0.5 * 1000 * 0.01 / (1000 * 0.05 * 2));
    EXPECT_EQ(friction_keeps(0.01, 0.5, 1000, 0.01, 1000, 0.05), 0);
    EXPECT_EQ(friction_keeps(1, 0.5, -3, 0.01, 1000, 0.05), 1);
    EXPECT_EQ(friction_keeps(0, 0.5, 3, 0.01, 1000, 0.05), 1);
}

/// Liquid 0.6 m deep that slides over the floor of a tank, periodic along x and z.
TEST(WallFriction, SlowsTheLowestLayerOnly) {
    const double friction = 0.4;
    Tank tank({8, 12, 8}, 0.1, {8, 0, 8});
    tank.boundary.rules[0] = {grid::WallKind::friction, friction, false, 0};
    tank.set_phi([](const Vec3d& x) { return x.y - 0.6; });
    tank.set_velocity([&](const Vec3d&, int axis) {
        return axis == 0 ? 3.0 : axis == 1 ? -9.81 * tank.dt : 4.0;
    });
    Projection projection;
    projection.project(tank.domain(), {1e-12, 200, 0}, tank.velocity, tank.pressure);
    WallFriction().apply(tank.domain(), projection.system(), tank.pressure, nullptr, tank.velocity);
    // Speed 5 m/s, pressure ρg·0.6 m at the floor.
    const double keeps = 1 - friction * 9.81 * 0.6 * tank.dt / (0.1 * 5);
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (at.y < 0 || at.y >= 6) return;
        EXPECT_NEAR(tank.velocity[0][e], at.y == 0 ? 3 * keeps : 3.0, 1e-8);
        EXPECT_NEAR(tank.velocity[2][e], at.y == 0 ? 4 * keeps : 4.0, 1e-8);
    });
}

TEST(WallFriction, MovingFloorDragsLiquidAlong) {
    Tank tank({8, 12, 8}, 0.1, {8, 0, 8});
    tank.boundary.rules[0] = {grid::WallKind::friction, 1e6, false, 0};
    tank.set_phi([](const Vec3d& x) { return x.y - 0.6; });
    tank.set_velocity([&](const Vec3d&, int axis) { return axis == 1 ? -9.81 * tank.dt : 0.0; });
    tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        if (axis == 0 && at.y < 0) tank.boundary.solid_velocity[0][e] = 0.7;
    });
    Projection projection;
    projection.project(tank.domain(), {1e-12, 200, 0}, tank.velocity, tank.pressure);
    WallFriction().apply(tank.domain(), projection.system(), tank.pressure, nullptr, tank.velocity);
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (at.y >= 0 && at.y < 6) {
            EXPECT_NEAR(tank.velocity[0][e], at.y == 0 ? 0.7 : 0.0, 1e-9);
        }
    });
}

}  // namespace
}  // namespace rivulet::liquid
