#include <gtest/gtest.h>

#include <rivulet/contact/bridge.h>
#include <rivulet/contact/bridge_stretch.h>

namespace rivulet::contact {
namespace {

TEST(BridgeStretch, NewtonianLiquidResistsWithFourTimesItsViscosity) {
    const double viscosity = 0.7, wetted = 3e-5, thickness = 2e-5, speed = 0.01;
    const StretchForce f = stretch_force({0, viscosity, 1}, wetted, thickness, speed);
    EXPECT_DOUBLE_EQ(f.force, 4 * viscosity * (speed / thickness) * wetted);
    EXPECT_DOUBLE_EQ(f.slope, f.force / speed);
}

TEST(BridgeStretch, OnlyWhileOpening) {
    const BridgeRheology cream{18.417, 17.821, 0.22};
    EXPECT_EQ(stretch_force(cream, 1e-5, 1e-5, 0).force, 0);
    EXPECT_EQ(stretch_force(cream, 1e-5, 1e-5, -1).force, 0);
    EXPECT_GE(stretch_force(cream, 1e-5, 1e-5, 1e-12).force, 2 * 18.417e-5);
    EXPECT_EQ(stretch_force(cream, 0, 0, 1).force, 0) << "dry";
}

TEST(BridgeStretch, SlopeByDifferences) {
    const BridgeRheology mud{0.9707, 0.3839, 0.45};
    for (const double speed : {1e-4, 1e-2, 1.0}) {
        const double e = 1e-5 * speed;
        const double up = stretch_force(mud, 1e-4, 5e-5, speed + e).force;
        const double down = stretch_force(mud, 1e-4, 5e-5, speed - e).force;
        const double slope = stretch_force(mud, 1e-4, 5e-5, speed).slope;
        EXPECT_NEAR((up - down) / (2 * e), slope, 1e-6 * slope);
    }
}

TEST(BridgeStretch, FiniteAtContact) {
    const double r = 50e-6;
    const Bridge touching = solve_bridge(bridge_between(r, r, 0.3, 0.3), 0, 0.2 * r * r, 0.03);
    const double wetted = 0.5 * (touching.wetted1 + touching.wetted2);
    // The mean thickness of the wedge: area over wetted length, far above the gap of 0.
    EXPECT_NEAR(touching.mean_thickness * wetted, 0.2 * r * r, 1e-24);
    EXPECT_GT(touching.mean_thickness, 0.05 * r);
    EXPECT_LT(stretch_force({1, 0.4, 0.5}, wetted, touching.mean_thickness, 0.1).force, 1);
}

}  // namespace
}  // namespace rivulet::contact
