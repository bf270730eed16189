#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <rivulet/contact/bridge_curve.h>
#include <rivulet/contact/penalty.h>

namespace rivulet::contact {
namespace {

PenaltyPair pair_with(double pull) {
    return {2, 3, 5, pull};
}

TEST(Penalty, ForceIsTheSlopeOfTheEnergyAndHasItsOwn) {
    for (const double pull : {0.0, 0.7, 6.0, -0.4})
        for (double d = 0.01; d < 4; d += 0.0137) {
            const PenaltyPair p = pair_with(pull);
            const double h = 1e-5;
            // NOTE: the slope jumps at 2r; force and energy do not.
            if (std::abs(d - p.touch) < 2 * h || std::abs(d - p.rest) < 2 * h || d + h > p.join()) continue;
            const PenaltyForce at = penalty_near(p, d), low = penalty_near(p, d - h),
                               high = penalty_near(p, d + h);
            EXPECT_NEAR(at.force, (high.energy - low.energy) / (2 * h), 1e-7) << d << " " << pull;
            EXPECT_NEAR(at.slope, (high.force - low.force) / (2 * h), 1e-7) << d << " " << pull;
        }
}

/// Eq. 10 and 11 as they are printed, with d_min = 2r.
double printed(const PenaltyPair& p, double d) {
    const double k = p.stiffness, d0 = p.rest, b = 2 * d0 - p.touch, least = p.touch;
    if (d < p.touch) return k * (d - d0);
    const double interpolated = ((d - least) * p.join_pull + k * ((d + b - d0) * d0 - d * b)) / (d0 - least);
    return (d - d0) / (b - d0) * (d < d0 ? interpolated : p.join_pull);
}

TEST(Penalty, IsEquationTenBelowTheJoin) {
    for (const double pull : {0.0, 0.7, 6.0})
        for (double d = 0; d < 4; d += 0.0137)
            EXPECT_NEAR(penalty_near(pair_with(pull), d).force, printed(pair_with(pull), d), 1e-12) << d;
}

TEST(Penalty, IsContinuousAndRestsAtItsRest) {
    for (const double pull : {0.0, 0.7, 6.0}) {
        const PenaltyPair p = pair_with(pull);
        for (const double d : {p.touch, p.rest}) {
            const PenaltyForce below = penalty_near(p, d - 1e-9), above = penalty_near(p, d + 1e-9);
            EXPECT_NEAR(below.force, above.force, 1e-6);
            EXPECT_NEAR(below.energy, above.energy, 1e-6);
        }
        EXPECT_NEAR(penalty_near(p, p.rest - 1e-9).slope, penalty_near(p, p.rest + 1e-9).slope, 1e-6);
        EXPECT_EQ(penalty_near(p, p.rest).force, 0);
        EXPECT_DOUBLE_EQ(penalty_near(p, p.join()).force, pull);
        EXPECT_DOUBLE_EQ(penalty_near(p, p.touch).force, -5);
    }
}

/// Dry: nothing pulls, and what pushes does so only below the rest distance.
TEST(Penalty, DryStrandsOnlyRepel) {
    const PenaltyPair dry = pair_with(0);
    for (double d = 0.1; d < 4; d += 0.01) {
        const PenaltyForce f = penalty_near(dry, d);
        if (d < dry.rest)
            EXPECT_LT(f.force, 0) << d;
        else
            EXPECT_EQ(f.force, 0) << d;
    }
}

TEST(Penalty, TheSecantIsThatOfASpringFromTheRest) {
    for (const double pull : {0.0, 0.7, 6.0})
        for (double d = 0.05; d < 4; d += 0.0137) {
            const PenaltyPair p = pair_with(pull);
            const PenaltyForce f = penalty_near(p, d);
            const double s = penalty_secant(p, d, f);
            EXPECT_GE(s, 0);
            EXPECT_NEAR(s * (d - p.rest), f.force, 1e-12) << d;
        }
    // At the rest itself it is the limit; a bridge that pushes there is left to the start of the step.
    EXPECT_DOUBLE_EQ(penalty_secant(pair_with(0.7), 3, penalty_near(pair_with(0.7), 3)), 0.7);
    EXPECT_EQ(penalty_secant(pair_with(-0.4), 3.5, penalty_near(pair_with(-0.4), 3.5)), 0);
}

/// Fig. 7: with the exact bridge beyond B the force goes on without a jump and the energy has one minimum, at
/// d₀.
TEST(Penalty, JoinsTheBridge) {
    const double radius = 50e-6, angle = 40 * std::numbers::pi / 180;
    const BridgeTable table(bridge_between(1, 1, angle, angle));
    const BridgeCurve curve{&table, radius, 9 * radius * radius, 0.072};
    PenaltyPair p{2 * radius, 3 * radius, 2e4, 0};
    p.join_pull = curve.at(p.join() - p.touch).force;
    ASSERT_GT(p.join_pull, 0);
    ASSERT_GT(curve.reach(), p.join() - p.touch);
    EXPECT_NEAR(penalty_near(p, p.join()).force, curve.at(p.join() - p.touch).force, 1e-12 * 0.072);
    EXPECT_EQ(curve.at(curve.reach()).force, 0);
    // The curve's slope is that of its force.
    for (double gap = 0.1 * radius; gap < curve.reach(); gap += 0.071 * radius) {
        const double h = 1e-4 * radius;
        EXPECT_NEAR(curve.at(gap).slope, (curve.at(gap + h).force - curve.at(gap - h).force) / (2 * h),
                    2e-3 * 0.072 / radius)
            << gap / radius;
    }
    EXPECT_EQ(BridgeCurve{}.at(radius).force, 0);
    EXPECT_EQ(BridgeCurve{}.reach(), 0);
}

}  // namespace
}  // namespace rivulet::contact
