#include <gtest/gtest.h>

#include "strand/strand_samples.h"

#include <rivulet/strand/air_drag.h>
#include <rivulet/strand/commit.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand {
namespace {

TEST(AirDrag, CoefficientHasKnownValues) {
    EXPECT_NEAR(cylinder_drag_coefficient(1), 11, 1e-12);
    EXPECT_NEAR(cylinder_drag_coefficient(1000), 1.1, 1e-12);
    EXPECT_TRUE(std::isfinite(cylinder_drag_coefficient(0)));
}

TEST(AirDrag, ForceAcrossIsHalfDensityDiameterSpeedSquaredTimesCoefficient) {
    const Air air;
    const double d = 1e-3, u = 15;  // Re 1000
    EXPECT_NEAR(resistance_across(air, d, u) * u, 0.5 * 1.2 * d * u * u * 1.1, 1e-12);
}

TEST(AirDrag, ResistanceAlongIsTheGivenPart) {
    const Air air;
    const Vec3d t = normalized(Vec3d{1, 2, 3}), n = any_perpendicular(t);
    const Mat3d r = resistance(air, 1e-3, t, 2.0 * n + 5.0 * t);
    EXPECT_NEAR(length(r * n - resistance_across(air, 1e-3, 2) * n), 0, 1e-15);
    EXPECT_NEAR(length(r * t - 0.5 * resistance_across(air, 1e-3, 2) * t), 0, 1e-15);
}

// However strong the wind and long the step, an implicit drag carries a free strand to the wind's velocity
// and not beyond.
TEST(AirDrag, CarriesAFreeStrandToTheWind) {
    MakeOptions options;
    options.root = EndKind::free;
    StrandState state = make_strands(samples::curls(1), options);
    const std::vector<StrandMaterial> material{samples::rubber()};
    const std::vector<Vec3d> wind{{12, 0, -3}};
    Solver solver;
    Motion motion;
    for (int k = 0; k < 4000; ++k) {
        std::vector<Vec3d> force(state.vertex_count());
        std::vector<Mat3d> slope(state.vertex_count());
        add_air_drag(state, {}, wind, force, slope);
        Loads loads;
        loads.force = force;
        loads.force_slope = slope;
        solver.solve(state, material, loads, 0.5, motion);
        commit(state, motion, 0.5);
    }
    for (const Vec3d& v : state.velocity) EXPECT_LT(length(v - wind[0]), 0.05);
}

TEST(AirDrag, TotalDoesNotDependOnHowFinelyAStrandIsCut) {
    const auto total = [](std::size_t segments) {
        const StrandState s = make_strands(samples::straight(segments, 0.3, 5e-5));
        std::vector<Vec3d> force(s.vertex_count());
        std::vector<Mat3d> slope(s.vertex_count());
        const std::vector<Vec3d> wind{{1, 2, 0}};
        add_air_drag(s, {}, wind, force, slope);
        Vec3d sum;
        for (const Vec3d& f : force) sum += f;
        return sum;
    };
    EXPECT_NEAR(length(total(7) - total(70)), 0, 1e-12 * length(total(7)));
}

}  // namespace
}  // namespace rivulet::strand
