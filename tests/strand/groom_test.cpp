#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/strand/groom.h>
#include <rivulet/strand/mend.h>
#include <rivulet/strand/resample.h>
#include <rivulet/strand/root_sampling.h>

namespace rivulet::strand {
namespace {

RootSurface unit_square() {
    return {{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}},
            {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}},
            {{0, 1, 2}, {0, 2, 3}}};
}

double least_spacing(const std::vector<Vec3d>& p) {
    double least = 1e30;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) least = std::min(least, length(p[i] - p[j]));
    return least;
}

TEST(RootSampling, ScattersEvenly) {
    const Roots roots = scatter_roots(unit_square(), {.count = 400, .seed = 3});
    ASSERT_EQ(roots.size(), 400u);
    // The densest packing of 400 discs in the square is 0.0537 apart; random points come within 0.001.
    EXPECT_GT(least_spacing(roots.position), 0.6 * 0.0537);
    int quarter[4] = {};
    for (const Vec3d& p : roots.position) ++quarter[(p.x > 0.5 ? 1 : 0) + (p.z > 0.5 ? 2 : 0)];
    for (const int n : quarter) EXPECT_NEAR(n, 100, 8);
}

TEST(RootSampling, DensityCountsAcceptedSurfaceOnly) {
    ScatterOptions options;
    options.density = 500;
    options.accept = [](Vec3d& p, Vec3d&) { return p.x < 0.25; };
    const Roots roots = scatter_roots(unit_square(), options);
    EXPECT_NEAR(double(roots.size()), 125, 6);
    for (const Vec3d& p : roots.position) EXPECT_LT(p.x, 0.25);
}

TEST(RootSampling, DependsOnSeedAloneNotOnThreads) {
    const auto scatter = [](std::uint64_t seed, int threads) {
        return with_threads(
            threads, [&] { return scatter_roots(unit_square(), {.count = 300, .seed = seed}).position; });
    };
    EXPECT_EQ(scatter(1, 1), scatter(1, 2));
    EXPECT_NE(scatter(1, 1), scatter(2, 1));
}

TEST(RootSampling, PatternsLieOnTheirSurfaces) {
    const Roots ball = ball_roots({.count = 200, .center = {1, 2, 3}, .radius = 0.5});
    Vec3d sum;
    for (std::size_t i = 0; i < ball.size(); ++i) {
        EXPECT_NEAR(length(ball.position[i] - Vec3d{1, 2, 3}), 0.5, 1e-12);
        sum += ball.normal[i];
    }
    EXPECT_LT(length(sum) / 200, 0.01);
    EXPECT_GT(least_spacing(ball.position), 0.05);
    const Roots roller = roller_roots({.count = 100, .from = {0, 0, 0}, .to = {0.3, 0, 0}, .radius = 0.1});
    for (std::size_t i = 0; i < roller.size(); ++i) {
        EXPECT_NEAR(std::hypot(roller.position[i].y, roller.position[i].z), 0.1, 1e-12);
        EXPECT_NEAR(roller.normal[i].x, 0, 1e-12);
    }
    BrushGroom brush{.count = 150, .round = true, .size = {0.02, 0.02}, .splay = 0.3};
    const Roots disc = brush_roots(brush);
    for (std::size_t i = 0; i < disc.size(); ++i) {
        EXPECT_LE(length(disc.position[i]), 0.01 + 1e-12);
        const double tilt = std::acos(std::min(1.0, dot(disc.normal[i], brush.direction)));
        EXPECT_NEAR(tilt, 0.3 * length(disc.position[i]) / 0.01, 1e-6);
    }
    brush.round = false;
    brush.size = {0.04, 0.01};
    for (const Vec3d& p : brush_roots(brush).position) {
        EXPECT_LE(std::abs(p.x), 0.02);
        EXPECT_LE(std::abs(p.z), 0.005);
    }
    const Roots rows = rows_of_roots({.columns = 3, .rows = 2});
    EXPECT_EQ(rows.size(), 6u);
    EXPECT_NEAR(rows.position[5].x, 0.02, 1e-15);
}

Roots one_root() {
    return {{{0, 0, 0}}, {{0, 1, 0}}, {{0.5, 0.5}}};
}

TEST(Groom, StraightStrandHasItsLengthAndTaper) {
    GroomStyle style;
    style.length = 0.1;
    style.segment = 0.01;
    const Curves c = grow(one_root(), style);
    ASSERT_EQ(c.vertex_count(), 11u);
    EXPECT_NEAR(c.position.back().y, 0.1, 1e-12);
    EXPECT_NEAR(polyline_length(c.positions(0)), 0.1, 1e-12);
    EXPECT_DOUBLE_EQ(c.radius.front(), style.radius_root);
    EXPECT_DOUBLE_EQ(c.radius.back(), style.radius_tip);
}

TEST(Groom, LeansTowardsItsDirection) {
    GroomStyle style;
    style.lean = 0.5;
    style.lean_direction = {0, 3, 1};
    const Curves c = grow(one_root(), style);
    const Vec3d d = normalized(c.position[1] - c.position[0]);
    EXPECT_NEAR(std::acos(d.y), 0.5, 1e-9);
    EXPECT_GT(d.z, 0);
    EXPECT_NEAR(d.x, 0, 1e-12);
}

TEST(Groom, CurlIsAHelixOfTheGivenRadiusAndPitch) {
    GroomStyle style;
    style.length = 0.4;
    style.segment = 0.001;
    style.curl_radius = 0.004;
    style.curl_pitch = 0.03;
    const Curves c = grow(one_root(), style);
    EXPECT_NEAR(polyline_length(c.positions(0)), 0.4, 2e-3);
    EXPECT_EQ(c.position[0], (Vec3d{0, 0, 0}));
    EXPECT_NEAR(normalized(c.position[1] - c.position[0]).y, 1, 1e-2);  // leaves the root along the normal
    for (std::size_t i = c.vertex_count() / 4; i < c.vertex_count(); ++i)
        EXPECT_NEAR(std::hypot(c.position[i].x, c.position[i].z), 0.004, 4e-5);
    // Rise per length of a helix: pitch / sqrt(pitch² + (2 pi r)²).
    const double rise = 0.03 / std::hypot(0.03, 2 * std::numbers::pi * 0.004);
    const std::size_t n = c.vertex_count();
    EXPECT_NEAR((c.position[n - 1].y - c.position[n / 2].y) / (0.4 * double(n - 1 - n / 2) / double(n - 1)),
                rise, 0.01 * rise);
}

TEST(Groom, FallsAndStaysOutside) {
    GroomStyle style;
    style.length = 0.3;
    style.fall_length = 0.03;
    const auto sphere = [](const Vec3d& p) {
        const Vec3d from_centre = p - Vec3d{0, -0.1, 0};
        return Clearance{length(from_centre) - 0.1, normalized_or(from_centre, {0, 1, 0})};
    };
    Roots roots = one_root();
    roots.normal[0] = normalized(Vec3d{0.2, 1, 0});
    roots.position[0] = Vec3d{0, -0.1, 0} + roots.normal[0] * 0.1;
    const Curves c = grow(roots, style, sphere);
    for (const Vec3d& p : c.position) EXPECT_GT(sphere(p).distance, -1e-4);
    const std::size_t n = c.vertex_count();
    EXPECT_LT(normalized(c.position[n - 1] - c.position[n - 2]).y, -0.95);
}

TEST(Groom, ClumpsTipsTogetherAndKeepsRoots) {
    const Roots roots = scatter_roots(unit_square(), {.count = 100, .seed = 1});
    GroomStyle style;
    style.length = 0.5;
    style.segment = 0.05;
    const Curves loose = grow(roots, style);
    style.clump_count = 5;
    style.clump_strength = 1;
    const Curves tight = grow(roots, style);
    std::vector<Vec3d> tips;
    for (std::size_t s = 0; s < 100; ++s) {
        EXPECT_EQ(tight.position[tight.first_vertex(s)], loose.position[loose.first_vertex(s)]);
        const Vec3d tip = tight.positions(s).back();
        if (std::none_of(tips.begin(), tips.end(), [&](const Vec3d& t) { return length(t - tip) < 1e-9; }))
            tips.push_back(tip);
    }
    EXPECT_EQ(tips.size(), 5u);
}

TEST(Groom, IsTheSameForAnyThreadCount) {
    const Roots roots = scatter_roots(unit_square(), {.count = 200, .seed = 9});
    GroomStyle style;
    style.length_spread = 0.3;
    style.lean_spread = 0.1;
    style.curl_radius = 2e-3;
    style.curl_pitch = 0.02;
    style.noise_amplitude = 1e-3;
    style.clump_count = 20;
    const Curves a = with_threads(1, [&] { return grow(roots, style); });
    const Curves b = with_threads(2, [&] { return grow(roots, style); });
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.start, b.start);
    style.seed = 1;
    EXPECT_NE(grow(roots, style).position, a.position);
}

TEST(Resample, SpacesEvenlyAndKeepsEnds) {
    Curves c;
    std::vector<Vec3d> p;
    std::vector<double> r;
    for (int i = 0; i <= 200; ++i) {
        const double a = std::numbers::pi * i * i / 40000.0;  // uneven steps on a half circle
        p.push_back({std::cos(a), std::sin(a), 0});
        r.push_back(1e-3 * (1 + a));
    }
    c.add_strand(p, r);
    c.add_strand(std::vector<Vec3d>{{0, 0, 0}, {0, 1, 0}}, std::vector<double>{1e-3, 2e-3});
    const Curves d = resample(c, 0.1);
    ASSERT_EQ(d.vertex_count(0), 32u);
    ASSERT_EQ(d.vertex_count(1), 11u);
    EXPECT_EQ(d.position[0], p.front());
    EXPECT_EQ(d.position[31], p.back());
    for (std::size_t i = 0; i < 31; ++i)
        EXPECT_NEAR(length(d.position[i + 1] - d.position[i]), std::numbers::pi / 31, 2e-4);
    EXPECT_NEAR(d.radius[16], 1e-3 * (1 + 16 * std::numbers::pi / 31), 1e-6);
    EXPECT_NEAR(d.position[32 + 3].y, 0.3, 1e-15);
}

Curves faulty_curves() {
    const double nan = std::nan("");
    Curves c;
    const auto add = [&](std::vector<Vec3d> p, double r) {
        c.add_strand(p, std::vector<double>(p.size(), r));
    };
    add({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}, 0.01);    // 0: good
    add({{1, 0, 0}, {1, nan, 0}, {1, 2, 0}}, 0.01);  // 1: not finite
    add({{2, 0, 0}, {2, 0, 0}, {2, 2, 0}}, 0.01);    // 2: repeated point
    add({{3, 0, 0}}, 0.01);                          // 3: too few
    add({{4, 0, 0}, {4, 1, 0}, {4, 3, 0}}, 1.5);     // 4: radius above segment
    add({{5, -0.5, 0}, {5, 1, 0}}, 0.01);            // 5: root inside
    add({{6, 0, 0}, {6, 1, 0}}, nan);                // 6: no radius at all
    return c;
}

RootClearance floor_below(const Vec3d& p) {
    return {p.y, {0, 1, 0}, 0.1, "floor"};
}

TEST(Mend, RefusesWithStrandNumbers) {
    Curves c = faulty_curves();
    try {
        mend(c, {.file = "a.hair", .key = "strands.locks", .obstacles = floor_below});
        FAIL();
    } catch (const InputError& e) {
        ASSERT_EQ(e.problems().size(), kFaultKinds);
        EXPECT_NE(e.problems()[0].message.find("strand 1"), std::string::npos);
        EXPECT_NE(e.problems()[1].message.find("strand 2"), std::string::npos);
        EXPECT_NE(e.problems()[2].message.find("strand 3"), std::string::npos);
        EXPECT_NE(e.problems()[3].message.find("strand 4, 6"), std::string::npos);
        EXPECT_NE(e.problems()[4].message.find("strand 5 in 'floor'"), std::string::npos);
    }
}

TEST(Mend, DropsAndCounts) {
    Curves c = faulty_curves();
    const MendReport report = mend(c, {.repair = Repair::drop, .obstacles = floor_below});
    EXPECT_EQ(c.strand_count(), 1u);
    EXPECT_EQ(report.dropped, 6u);
    EXPECT_EQ(report.kept, std::vector<std::uint32_t>{0});
}

TEST(Mend, MendsWhatItCan) {
    Curves c = faulty_curves();
    const MendReport report = mend(c, {.repair = Repair::mend, .obstacles = floor_below});
    EXPECT_EQ(report.mended, 4u);
    EXPECT_EQ(report.dropped, 2u);
    EXPECT_EQ(report.kept, (std::vector<std::uint32_t>{0, 1, 2, 4, 5}));
    EXPECT_EQ(c.vertex_count(1), 2u);
    EXPECT_DOUBLE_EQ(c.radii(3)[0], 1);
    EXPECT_DOUBLE_EQ(c.positions(4)[0].y, 0);
    EXPECT_DOUBLE_EQ(c.positions(4)[1].y, 1.5);
    Curves again = c;
    EXPECT_TRUE(mend(again, {.obstacles = floor_below}).clean());
}

}  // namespace
}  // namespace rivulet::strand
