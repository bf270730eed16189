#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/commit.h>
#include <rivulet/strand/groom.h>
#include <rivulet/strand/make.h>
#include <rivulet/strand/resample.h>
#include <rivulet/strand/root_sampling.h>
#include <rivulet/strand/sag_free.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand {
namespace {

const Vec3d kGravity{0, -9.81, 0};

/// Leaning, curled, noisy hair of 4 to 6 cm on a ball.
Curves curly_hair(std::size_t count) {
    GroomStyle style;
    style.length = 0.05;
    style.length_spread = 0.2;
    style.segment = 2.5e-3;
    style.radius_root = 45e-6;
    style.radius_tip = 30e-6;
    style.lean = 0.4;
    style.curl_radius = 3e-3;
    style.curl_pitch = 0.02;
    style.noise_amplitude = 1e-3;
    style.seed = 5;
    return grow(ball_roots({.count = count, .radius = 0.05}), style);
}

/// Largest way any vertex has moved after `seconds`, over the length of its strand.
double moved(StrandState state, const std::vector<StrandMaterial>& materials, double seconds, double dt) {
    const std::vector<Vec3d> before = state.position;
    Solver solver;
    Loads loads;
    loads.gravity = kGravity;
    Motion motion;
    for (double t = 0; t < seconds - 0.5 * dt; t += dt) {
        solver.solve(state, materials, loads, dt, motion);
        commit(state, motion, dt);
    }
    double most = 0;
    for (std::size_t s = 0; s < state.strand_count(); ++s) {
        const std::span<const Vec3d> all(before);
        const double whole = polyline_length(all.subspan(state.begin(s), state.end(s) - state.begin(s)));
        for (std::size_t v = state.begin(s); v < state.end(s); ++v)
            most = std::max(most, length(state.position[v] - before[v]) / whole);
    }
    return most;
}

TEST(SagFree, CurlyHairStaysAsAuthored) {
    StrandState state = make_strands(curly_hair(24));
    const std::vector<StrandMaterial> hair(1);
    EXPECT_GT(moved(state, hair, 0.25, 5e-3), 0.05);  // as groomed it sags
    const SagFreeReport report = make_sag_free(state, 0, 24, hair, kGravity);
    EXPECT_EQ(report.not_found, 0u);
    EXPECT_EQ(report.unstable, 0u);
    EXPECT_EQ(report.balanced, 24u);
    EXPECT_LT(report.residual, 1e-8);
    EXPECT_LT(moved(state, hair, 2, 5e-3), 0.01);
    for (Vec3d& v : state.velocity) v = {2e-3, 0, 1e-3};  // a touch: the balance is a stable one
    EXPECT_LT(moved(state, hair, 2, 5e-3), 0.01);
}

TEST(SagFree, HoldsForFlatSectionsAndStiffBends) {
    MakeOptions options;
    options.aspect = 0.4;
    options.director = {0, 0, 1};
    StrandState state = make_strands(curly_hair(12), options);
    const std::vector<StrandMaterial> hair(1);
    const SagFreeReport report = make_sag_free(state, 0, 12, hair, kGravity);
    EXPECT_EQ(report.balanced, 12u);
    EXPECT_LT(report.residual, 1e-8);
    EXPECT_LT(moved(state, hair, 0.5, 5e-3), 0.01);
}

TEST(SagFree, AHorizontalCantileverIsBentUpAsABeam) {
    // Small loads: natural curvature * EI = −moment, w (L−s)² / 2 at distance s from the clamp.
    Curves c;
    std::vector<Vec3d> p;
    for (int i = 0; i <= 100; ++i) p.push_back({0.05 * i / 100.0, 0, 0});
    c.add_strand(p, std::vector<double>(p.size(), 200e-6));
    StrandState state = make_strands(c);
    const std::vector<StrandMaterial> hair(1);
    ASSERT_EQ(make_sag_free(state, 0, 1, hair, kGravity).balanced, 1u);
    const double r = 200e-6, area = M_PI * r * r, weight = 1320 * 9.81 * area;
    const double stiffness = 3.4e9 * 0.25 * area * r * r;
    for (const std::size_t i : {std::size_t{2}, std::size_t{40}, std::size_t{80}}) {
        const double beyond = 0.05 - p[i].x;
        const double expected = 0.5 * weight * beyond * beyond / stiffness;
        const double k = std::hypot(state.natural_curvature[i].x, state.natural_curvature[i].y) / 5e-4;
        EXPECT_NEAR(k, expected, 0.01 * expected) << i;
    }
}

TEST(SagFree, SaysWhichCannotStand) {
    // An upright column of twice Greenhill's height, and a strand whose root is not clamped.
    Curves c;
    const double r = 50e-6, per_weight = 3.4e9 * 0.25 * r * r / (1320 * 9.81);
    const double tall = 2 * std::cbrt(7.8373 * per_weight);
    std::vector<Vec3d> p;
    for (int i = 0; i <= 40; ++i) p.push_back({0, tall * i / 40, 0});
    c.add_strand(p, std::vector<double>(p.size(), r));
    for (Vec3d& x : p) x = {1, 0.3 * x.y, 0};
    c.add_strand(p, std::vector<double>(p.size(), r));
    c.add_strand(p, std::vector<double>(p.size(), r));
    StrandState state = make_strands(c);
    state.root_target.kind[2] = std::uint8_t(EndKind::pin);
    const std::vector<double> before = state.rest_length;
    const SagFreeReport report = make_sag_free(state, 0, 3, std::vector<StrandMaterial>(1), kGravity);
    EXPECT_EQ(report.balanced, 2u);
    EXPECT_EQ(report.unstable_strands, std::vector<std::uint32_t>{0});
    EXPECT_EQ(report.not_found_strands, std::vector<std::uint32_t>{2});
    EXPECT_EQ(state.rest_length.back(), before.back());
}

TEST(SagFree, IsTheSameForAnyThreadCount) {
    const std::vector<StrandMaterial> hair(1);
    const auto natural = [&](int threads) {
        StrandState state = make_strands(curly_hair(200));
        with_threads(threads, [&] { return make_sag_free(state, 0, 200, hair, kGravity); });
        return state.natural_curvature;
    };
    EXPECT_EQ(natural(1), natural(2));
}

}  // namespace
}  // namespace rivulet::strand
