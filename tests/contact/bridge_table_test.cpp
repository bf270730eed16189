#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/contact/bridge_life.h>
#include <rivulet/contact/bridge_range.h>
#include <rivulet/contact/bridge_table.h>

namespace rivulet::contact {
namespace {

constexpr double kPi = std::numbers::pi;

struct Errors {
    double force = 0, slope = 0, wetted = 0;
    int compared = 0;
};
/// Force over the surface tension; slope over its own size and that of the force over the reach.
Errors compare(const BridgeSolids& solids, int count, std::uint64_t seed) {
    const BridgeTable table(solids);
    const Random random(seed, 1);
    const double from = std::log(table.least_area()), to = std::log(table.greatest_area()), tension = 0.07;
    Errors errors;
    for (int i = 0; i < count; ++i) {
        const auto k = std::uint64_t(i);
        const double area = std::exp(random.uniform(2 * k, from, to)), reach = table.reach(area);
        const double gap = random.uniform(2 * k + 1) * reach;
        const Bridge exact = solve_bridge(solids, gap, area, tension);
        if (exact.state != BridgeState::bridged) continue;
        const BridgePull pull = table.at(gap, area, tension);
        const double scale = std::abs(exact.slope) + (tension + std::abs(exact.force)) / reach;
        errors.force = std::max(errors.force, std::abs(pull.force - exact.force) / tension);
        errors.slope = std::max(errors.slope, std::abs(pull.slope - exact.slope) / scale);
        const double wetted = 0.5 * (exact.wetted1 + exact.wetted2);
        errors.wetted =
            std::max(errors.wetted, std::abs(pull.wetted - wetted) / (wetted + 0.1 * std::sqrt(area)));
        ++errors.compared;
    }
    return errors;
}

TEST(BridgeTable, HoldsTheExactLaw) {
    const double r = 45e-6;
    const BridgeSolids pairs[] = {bridge_between(r, r, 0, 0),        bridge_between(r, r, 1.2217, 1.2217),
                                  bridge_between(r, 3 * r, 0, 1),    bridge_between(r, r, 2.2, 2.2),
                                  bridge_to_wall(r, 0, 0, 0),        bridge_to_wall(r, 0, 0.3, 1.2),
                                  bridge_to_wall(r, -800, 0.5, 0.5), bridge_to_wall(r, 1e3, 1.9, 0.5)};
    for (const BridgeSolids& solids : pairs) {
        const Errors e = compare(solids, 4000, 3);
        EXPECT_LT(e.force, 1e-4) << solids.angle1 << ' ' << solids.angle2;
        EXPECT_LT(e.slope, 1e-4) << solids.angle1 << ' ' << solids.angle2;
        EXPECT_LT(e.wetted, 5e-3) << solids.angle1 << ' ' << solids.angle2;
        EXPECT_GT(e.compared, 3000);
    }
}

TEST(BridgeTable, HoldsTheExactLawOfAnyPair) {
    for (std::uint64_t i = 0; i < 6; ++i) {
        const Random random(17, i);
        const double second[] = {random.uniform(0, 0.1, 1), random.uniform(1, 1, 10),
                                 random.uniform(2, -0.1, 0.1)};
        const BridgeSolids solids{1, second[i % 3], random.uniform(3, 0, 2.9), random.uniform(4, 0, 2.9)};
        const Errors e = compare(solids, 1000, i);
        EXPECT_LT(e.force, 1e-4) << i;
        EXPECT_LT(e.slope, 1e-4) << i;
    }
}

TEST(BridgeTable, SlopeIsThatOfItsForce) {
    const BridgeTable table(bridge_between(1, 1, 0.3, 0.3));
    for (const double area : {1e-7, 1e-4, 0.02, 1.0, 30.0, 500.0})
        for (double v = 0.013; v < 1.1; v += 0.0371) {
            const double gap = v * table.reach(area), e = 1e-7 * table.reach(area);
            const auto force = [&](double g) { return faded(table.at(g, area, 1), g).force; };
            const double slope = faded(table.at(gap, area, 1), gap).slope;
            EXPECT_NEAR((force(gap + e) - force(gap - e)) / (2 * e), slope,
                        1e-5 * (std::abs(slope) + 1 / gap))
                << area << ' ' << v;
        }
}

TEST(BridgeTable, ReachIsTheBreakGapUnlessTheLiquidLeavesBefore) {
    const BridgeTable wetting(bridge_between(1, 1, 0.3, 0.3)), beads(bridge_between(1, 1, 2.8, 2.8));
    for (const double area : {1e-6, 1e-4, 0.3, 20.0})
        EXPECT_NEAR(wetting.reach(area), break_gap(0.3, area), 1e-9 * std::sqrt(area));
    // A lens that touches both solids in one point: turn t = 2·2.8 - π, area (t - sin t)/(4 sin²(t/2)) gap².
    const double t = 5.6 - kPi, s = std::sin(0.5 * t);
    EXPECT_NEAR(beads.reach(0.3), std::sqrt(0.3 * 4 * s * s / (t - std::sin(t))), 1e-8);
    EXPECT_EQ(wetting.reach(0), 0);
}

TEST(BridgeTable, ContinuousAtItsBorders) {
    const BridgeTable table(bridge_between(1, 1, 0, 0));
    const auto near = [&](double gap, double area) {
        const double e = 1e-9;
        const double one = table.at(gap * (1 - e), area * (1 - e), 1).force;
        const double two = table.at(gap * (1 + e), area * (1 + e), 1).force;
        EXPECT_NEAR(one, two, 1e-6 * (1 + std::abs(one))) << gap << ' ' << area;
    };
    near(1e-3, table.least_area());
    near(4, table.greatest_area());
    near(0.3, 2 * kPi);
    near(0, 2 * kPi);
    // Drowned at contact: no force there, and none that jumps where the bridge begins.
    const BridgeRange range = bridge_range(bridge_between(1, 1, 0, 0), 30);
    EXPECT_NEAR(kPi * std::pow(0.5 * range.from + 2, 2) - 2 * kPi, 30, 1e-6);
    EXPECT_NEAR(table.at(range.from, 30, 1).force, 0, 1e-4);
    EXPECT_EQ(table.at(0, 30, 1).force, 0);
    // Overlap is contact; no liquid is no bridge.
    EXPECT_EQ(table.at(-0.1, 1, 1).force, table.at(0, 1, 1).force);
    EXPECT_EQ(table.at(-0.1, 1, 1).slope, 0);
    EXPECT_EQ(table.at(0.1, 0, 1).force, 0);
    EXPECT_EQ(table.at(0.1, -1, 1).reach, 0);
}

TEST(BridgeTable, IsSmall) {
    EXPECT_LT(BridgeTable(bridge_between(1, 1, 0.3, 0.3)).bytes(), std::size_t(512 * 1024));
}

}  // namespace
}  // namespace rivulet::contact
