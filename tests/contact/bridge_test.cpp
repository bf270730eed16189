#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/contact/bridge.h>
#include <rivulet/contact/bridge_life.h>

namespace rivulet::contact {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double radians(double degrees) {
    return degrees * kPi / 180;
}
Bridge equal(double angle, double gap, double area) {
    return solve_bridge(bridge_between(1, 1, angle, angle), gap, area, 1);
}
double force(const BridgeSolids& solids, double gap, double area) {
    const Bridge bridge = solve_bridge(solids, gap, area, 1);
    EXPECT_EQ(bridge.state, BridgeState::bridged) << "gap " << gap << " area " << area;
    return bridge.force;
}

TEST(Bridge, KnownForcesBetweenEqualCylinders) {
    EXPECT_NEAR(equal(0, 0.4, 0.5).force, 3.507226, 5e-7);
    EXPECT_NEAR(equal(0.35, 0.4, 0.5).force, 3.319236, 5e-7);
    const double angle = radians(70);
    EXPECT_NEAR(equal(angle, 0, 1).force, -0.818, 5e-4);
    EXPECT_NEAR(equal(angle, 0.1, 1).force, -0.5064, 5e-5);
    EXPECT_NEAR(equal(angle, 0.3, 1).force, 0.19907, 5e-6);
}

TEST(Bridge, PairsRestAtAGap) {
    const double angle = radians(70);
    for (const auto& [area, rest] : {std::pair{0.5, 0.098}, {1.0, 0.24528}, {2.0, 0.497}}) {
        double low = 0, high = 1;
        for (int i = 0; i < 60; ++i)
            (equal(angle, 0.5 * (low + high), area).force < 0 ? low : high) = 0.5 * (low + high);
        EXPECT_NEAR(low, rest, area == 1 ? 5e-6 : 5e-4);
        if (area == 1) {
            EXPECT_NEAR(equal(angle, low, area).slope, 3.622, 5e-4);
        }
    }
}

TEST(Bridge, AreaAboveWhichPairsRepelAtContact) {
    const double known[][3] = {
        {40, 2.576, 5e-4}, {50, 1.485, 5e-4}, {60, 0.6849, 5e-5}, {70, 0.21598, 5e-6}, {80, 0.0280, 5e-5}};
    for (const auto& [degrees, area, tolerance] : known) {
        double low = 1e-3, high = 20;
        for (int i = 0; i < 60; ++i) {
            const double middle = std::sqrt(low * high);
            (equal(radians(degrees), 0, middle).force > 0 ? low : high) = middle;
        }
        EXPECT_NEAR(low, area, tolerance) << degrees;
    }
}

TEST(Bridge, KnownForcesToAFlatWall) {
    EXPECT_NEAR(force(bridge_to_wall(1, 0, 0, 0), 0.2, 0.5), 5.84374, 5e-6);
    EXPECT_NEAR(force(bridge_to_wall(1, 0, 0.35, 0), 0.2, 0.5), 5.64787, 5e-6);
    EXPECT_NEAR(force(bridge_to_wall(1, 0, 0.35, 0.35), 0.2, 0.5), 5.43934, 5e-6);
}

TEST(Bridge, WorkOfOpening) {
    const double known[][3] = {
        {0.1, 1.6107, 3.217}, {0.5, 2.3198, 2.884}, {1, 2.6175, 2.681}, {2, 2.8409, 2.436}};
    for (const auto& [area, work, at_break] : known) {
        const double reach = break_gap(0, area);
        const Bridge open = equal(0, reach, area), closed = equal(0, 0, area);
        EXPECT_NEAR(open.force, at_break, 5e-4);
        EXPECT_NEAR(open.energy - closed.energy, work, 2e-4) << area;
        const int pieces = 400;
        double integral = closed.force + open.force;
        for (int i = 1; i < pieces; ++i)
            integral += (i % 2 ? 4 : 2) * equal(0, reach * i / pieces, area).force;
        EXPECT_NEAR(integral * reach / (3 * pieces), open.energy - closed.energy, 1e-6) << area;
    }
}

TEST(Bridge, CircleInsideMeetsTheFormulas) {
    // R = (d + r (1 - cos a))/cos(a + θ), y = r sin a - R (1 - sin(a + θ)), F = 2 (1 + y/R).
    const double angle = 0.35, half_gap = 0.2;
    const Bridge bridge = equal(angle, 2 * half_gap, 0.5);
    const double a = 0.5 * bridge.wetted1, radius = (half_gap + 1 - std::cos(a)) / std::cos(a + angle);
    EXPECT_NEAR(bridge.wetted1, bridge.wetted2, 1e-14);
    EXPECT_NEAR(bridge.curvature, 1 / radius, 1e-13);
    EXPECT_NEAR(bridge.neck, 2 * (std::sin(a) - radius * (1 - std::sin(a + angle))), 1e-13);
    EXPECT_NEAR(bridge.force, 2 + bridge.neck / radius, 1e-13);
    EXPECT_NEAR(bridge.mean_thickness, 0.5 / bridge.wetted1, 1e-14);
}

/// Pairs of every kind, anywhere in reach.
struct Sample {
    BridgeSolids solids;
    double gap, area;
};
Sample sample(std::uint64_t i) {
    const Random random(7, i);
    const double curvature[] = {1, 0.5, 2.5, 0.05, 0, -0.02, -0.1};
    Sample s;
    s.solids = {1, curvature[i % 7], random.uniform(0, 0, 0.98 * kPi), 0};
    s.solids.angle2 = i % 3 == 0 ? s.solids.angle1 : random.uniform(1, 0, 0.98 * kPi);
    if (i % 11 == 0) s.solids.angle1 = s.solids.angle2 = 0;
    s.area = std::exp(random.uniform(2, std::log(1e-6), std::log(100.0)));
    const double mean = 0.5 * (s.solids.angle1 + s.solids.angle2);
    s.gap = random.uniform(3) * break_gap(mean, s.area);
    return s;
}

TEST(Bridge, ForceIsTheDerivativeOfTheEnergyAndSlopeThatOfTheForce) {
    int bridged = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Sample s = sample(i);
        const double step = 2e-4 * s.gap;
        Bridge at[5];
        bool all = true;
        for (int j = 0; j < 5; ++j) {
            at[j] = solve_bridge(s.solids, s.gap + (j - 2) * step, s.area, 1);
            all = all && at[j].state == BridgeState::bridged;
        }
        if (!all) continue;
        ++bridged;
        const auto slope = [&](double Bridge::*x) {
            return (8 * (at[3].*x - at[1].*x) - (at[4].*x - at[0].*x)) / (12 * step);
        };
        // Differences of numbers of this size, rounded, over the step.
        const double noise = 1e-14 / step;
        const double force_size = std::abs(at[2].force) + 1, energy_size = std::abs(at[2].energy) + s.gap;
        EXPECT_NEAR(slope(&Bridge::energy), at[2].force, 1e-8 * force_size + noise * energy_size) << i;
        EXPECT_NEAR(slope(&Bridge::force), at[2].slope,
                    1e-8 * (std::abs(at[2].slope) + force_size / s.gap) + noise * force_size)
            << i;
    }
    EXPECT_GT(bridged, 2000);
}

TEST(Bridge, SwappingTheSolidsChangesNothing) {
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Sample s = sample(i);
        if (!(s.solids.curvature2 > 0)) continue;
        const BridgeSolids swapped{s.solids.curvature2, s.solids.curvature1, s.solids.angle2,
                                   s.solids.angle1};
        const Bridge a = solve_bridge(s.solids, s.gap, s.area, 1),
                     b = solve_bridge(swapped, s.gap, s.area, 1);
        ASSERT_EQ(a.state, b.state) << i;
        EXPECT_NEAR(a.force, b.force, 1e-9 * (1 + std::abs(a.force))) << i;
        EXPECT_NEAR(a.wetted1, b.wetted2, 1e-9 * a.wetted1) << i;
        EXPECT_NEAR(a.energy, b.energy, 1e-9 * (a.wetted1 + a.wetted2)) << i;
        EXPECT_NEAR(a.slope, b.slope, 1e-7 * (std::abs(a.slope) + 1 / s.gap)) << i;
    }
}

TEST(Bridge, UnitsScale) {
    const double r = 45e-6, tension = 0.072;
    const Bridge one = solve_bridge(bridge_between(1, 1.5, 0.3, 0.9), 0.3, 0.7, 1);
    const Bridge hair = solve_bridge(bridge_between(r, 1.5 * r, 0.3, 0.9), 0.3 * r, 0.7 * r * r, tension);
    EXPECT_NEAR(hair.force, tension * one.force, 1e-12 * tension);
    EXPECT_NEAR(hair.slope, tension / r * one.slope, 1e-11 * tension / r);
    EXPECT_NEAR(hair.energy, tension * r * one.energy, 1e-12 * tension * r);
    EXPECT_NEAR(hair.mean_thickness, r * one.mean_thickness, 1e-12 * r);
}

TEST(Bridge, UnlikeRadiiBecomeAlikeAndAHugeCylinderBecomesAWall) {
    for (const double area : {1e-4, 0.05, 0.5, 3.0})
        for (const double angle : {0.0, 0.8, 1.9}) {
            const double gap = 0.4 * std::sqrt(area);
            const double like = force(bridge_between(1, 1, angle, angle), gap, area);
            const double nearly = force(bridge_between(1, 1 + 1e-7, angle, angle), gap, area);
            EXPECT_NEAR(like, nearly, 1e-5 * std::abs(like));
            for (const double sign : {-1.0, 1.0})
                for (const double curvature : {1e-12, 1e-8, 1e-5}) {
                    const Bridge flat = solve_bridge(bridge_to_wall(1, 0, angle, 0.3), gap, area, 1);
                    const Bridge round =
                        solve_bridge(bridge_to_wall(1, sign * curvature, angle, 0.3), gap, area, 1);
                    EXPECT_NEAR(flat.force, round.force, (10 * curvature + 1e-10) * (1 + flat.force));
                    EXPECT_NEAR(flat.slope, round.slope,
                                (50 * curvature + 1e-8) * (1 + std::abs(flat.slope)));
                }
        }
}

TEST(Bridge, SmoothThroughAFlatMeniscus) {
    // Equal cylinders at 50°: the meniscus is flat where the wetted angle is 40°.
    const double angle = radians(50), gap = 0.2, a = 0.5 * kPi - angle;
    const double area =
        4 * ((0.5 * gap + 1 - std::cos(a)) * std::sin(a) - 0.5 * (a - std::sin(a) * std::cos(a)));
    const Bridge flat = equal(angle, gap, area);
    EXPECT_NEAR(flat.curvature, 0, 1e-13);
    EXPECT_NEAR(flat.force, 2, 1e-13);
    EXPECT_NEAR(flat.energy, 4 * (0.5 * gap + 1 - std::cos(a)) - 4 * std::cos(angle) * a, 1e-13);
    for (const double step : {1e-12, 1e-9, 1e-6, 1e-3}) {
        const Bridge more = equal(angle, gap, area + step), less = equal(angle, gap, area - step);
        EXPECT_LT(more.curvature, 0);
        EXPECT_GT(less.curvature, 0);
        EXPECT_NEAR(more.force + less.force, 4, 1e-12 + 100 * step * step);
        EXPECT_NEAR(more.slope, flat.slope, 100 * step + 1e-11);
    }
    // Both the wall and the meniscus flat.
    const double height = 0.2 + 1 - std::cos(kPi - 2.0);
    const BridgeSolids wall = bridge_to_wall(1, 0, 1.0, 1.0);
    const double foot = std::sin(kPi - 2.0) - height * std::tan(0.5 * (1.0 - (kPi - 1.0)));
    const double b = kPi - 2.0;
    const double flat_area = (std::sin(b) + foot) * height - (b - std::sin(b) * std::cos(b));
    for (const double curvature : {0.0, 1e-8, -1e-8}) {
        const Bridge upright = solve_bridge({1, curvature, 1.0, 1.0}, 0.2, flat_area, 1);
        EXPECT_NEAR(upright.curvature, 0, 1e-7);
        EXPECT_NEAR(upright.force, force(wall, 0.2, flat_area), 1e-6);
        EXPECT_NEAR(upright.wetted2, 2 * foot, 1e-6);
    }
}

TEST(Bridge, SaysWhenThereIsNone) {
    EXPECT_EQ(equal(0, 0.1, 0).state, BridgeState::parted);
    EXPECT_EQ(equal(0, 1, 0.1).state, BridgeState::parted);
    EXPECT_EQ(equal(0, 1, 0.17).state, BridgeState::bridged);
    // At contact and complete wetting the drop swallows both at 2π.
    EXPECT_EQ(equal(0, 0, 2 * kPi * (1 - 1e-6)).state, BridgeState::bridged);
    EXPECT_EQ(equal(0, 0, 2 * kPi * (1 + 1e-6)).state, BridgeState::engulfed);
    EXPECT_NEAR(equal(0, 0, 2 * kPi * (1 - 1e-6)).force, 0, 1e-2);
    // Liquid that does not wet leaves the solids when it is a lens of this turn: (t - sin t)/(4 sin²(t/2)).
    EXPECT_EQ(equal(3.1, 1, 0.74).state, BridgeState::parted);
    EXPECT_EQ(equal(3.1, 1, 0.75).state, BridgeState::bridged);
    const Bridge none = equal(0, 1, 0.1);
    EXPECT_EQ(none.force, 0);
    EXPECT_EQ(none.slope, 0);
}

TEST(Bridge, ReachesItsBreakGapWhenTheLiquidWets) {
    for (const double angle : {0.0, 0.35, 0.8, 1.2, 1.5})
        for (double area = 1e-8; area < 200; area *= 3) {
            EXPECT_NE(equal(angle, break_gap(angle, area), area).state, BridgeState::parted)
                << angle << ' ' << area;
            EXPECT_NE(solve_bridge(bridge_to_wall(1, 0, angle, angle), break_gap(angle, area), area, 1).state,
                      BridgeState::parted)
                << angle << ' ' << area;
        }
}

TEST(Bridge, TinyBridgesAtContactPullLikeTheirWedge) {
    // A thin wedge between cylinders: F -> 2 cos θ · 2/a as the wetted angle a -> 0.
    for (const double area : {1e-4, 1e-8, 1e-12, 1e-18}) {
        const Bridge bridge = equal(0.4, 0, area);
        ASSERT_EQ(bridge.state, BridgeState::bridged);
        const double a = 0.5 * bridge.wetted1;
        EXPECT_NEAR(bridge.force * a / (4 * std::cos(0.4)), 1, 3 * a);
    }
}

TEST(BridgeLife, FadesSmoothlyOverTheLastTenth) {
    const double reach = 0.3;
    EXPECT_EQ(bridge_fade(0, reach).factor, 1);
    EXPECT_EQ(bridge_fade(0.9 * reach, reach).factor, 1);
    EXPECT_NEAR(bridge_fade(0.95 * reach, reach).factor, 0.5, 1e-14);
    EXPECT_EQ(bridge_fade(reach, reach).factor, 0);
    for (double gap = 0.25; gap < 0.31; gap += 0.0007) {
        const double e = 1e-6;
        EXPECT_NEAR((bridge_fade(gap + e, reach).factor - bridge_fade(gap - e, reach).factor) / (2 * e),
                    bridge_fade(gap, reach).slope, 3e-3);
    }
    EXPECT_EQ(bridge_fade(0.1, 0).factor, 0);
}

TEST(BridgeLife, FormsWhereFilmsTouchAndLivesToItsReach) {
    EXPECT_DOUBLE_EQ(break_gap(0, 4), 2);
    EXPECT_DOUBLE_EQ(break_gap(1, 4), 3);
    EXPECT_FALSE(bridge_lives(false, 0.5, 0.1, 0.2, 1));
    EXPECT_TRUE(bridge_lives(false, 0.25, 0.1, 0.2, 1));
    EXPECT_TRUE(bridge_lives(true, 0.9, 0.1, 0.2, 1));
    EXPECT_FALSE(bridge_lives(true, 1.1, 0.1, 0.2, 1));
    EXPECT_FALSE(bridge_lives(false, 0.25, 0.1, 0.2, 0.2))
        << "films touch but too little liquid is theirs to share";
    EXPECT_FALSE(bridge_lives(true, 0, 0, 0, 0)) << "dry";
}

}  // namespace
}  // namespace rivulet::contact
