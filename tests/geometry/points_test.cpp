#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <rivulet/base/parallel.h>
#include <rivulet/geometry/sampling.h>
#include <rivulet/geometry/spatial_hash.h>
#include <rivulet/geometry/tessellate.h>

namespace rivulet::geometry {
namespace {

const Random kRandom(41, 0);

std::vector<Vec3d> cloud(std::size_t n) {
    std::vector<Vec3d> p(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = (kRandom.uniform3(i) - Vec3d{0.5, 0.5, 0.5}) * 2.0;
    p[n - 1] = p[0];
    return p;
}

TEST(SpatialHash, FindsTheSameNeighboursAsBruteForce) {
    const auto points = cloud(1500);
    for (double radius : {0.05, 0.1, 0.23}) {
        const SpatialHash hash(points, 0.1);
        for (std::uint64_t q = 0; q < 100; ++q) {
            const Vec3d x = q % 2 ? points[q] : (kRandom.uniform3(9000 + q) - Vec3d{0.5, 0.5, 0.5}) * 2.5;
            std::set<std::uint32_t> found, expected;
            std::int64_t nearest = -1;
            double least = 1e9;
            hash.within(x, radius, [&](std::uint32_t i, double d2) {
                EXPECT_EQ(d2, squared_length(points[i] - x));
                EXPECT_TRUE(found.insert(i).second);
            });
            for (std::uint32_t i = 0; i < points.size(); ++i) {
                const double d2 = squared_length(points[i] - x);
                if (d2 > radius * radius) continue;
                expected.insert(i);
                if (d2 < least) least = d2, nearest = i;
            }
            EXPECT_EQ(found, expected);
            EXPECT_EQ(hash.nearest(x, radius), nearest);
        }
    }
}

TEST(SpatialHash, PairsOnceEachAndTheSameOrderForAnyThreads) {
    const auto points = cloud(800);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lists[2];
    for (int k = 0; k < 2; ++k)
        with_threads(k + 1, [&] {
            const SpatialHash hash(points, 0.1);
            hash.pairs(0.1, [&](std::uint32_t i, std::uint32_t j, double) { lists[k].push_back({i, j}); });
        });
    EXPECT_EQ(lists[0], lists[1]);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j)
            expected += squared_length(points[i] - points[j]) <= 0.01;
    EXPECT_EQ(lists[0].size(), expected);
    EXPECT_EQ(std::set(lists[0].begin(), lists[0].end()).size(), expected);
}

TEST(SpatialHash, EmptyAndBadInput) {
    const SpatialHash none(std::vector<Vec3d>{}, 1);
    EXPECT_EQ(none.nearest({0, 0, 0}, 1e9), -1);
    EXPECT_THROW(SpatialHash(std::vector<Vec3d>{{0, 0, 0}}, 0), std::invalid_argument);
    EXPECT_THROW(SpatialHash(std::vector<Vec3d>{{NAN, 0, 0}}, 1), std::invalid_argument);
    EXPECT_THROW(SpatialHash(std::vector<Vec3d>{{1e9, 0, 0}}, 1), std::invalid_argument);
    EXPECT_EQ(SpatialHash(std::vector<Vec3d>{{0, 0, 0}}, 1).nearest({1e300, 0, 0}, 1), -1);
}

TEST(Sampling, SurfacePointsAreUniformByArea) {
    const TriangleMesh mesh = tessellate(Shape({RoundedBox{{}, {0.5, 1, 1.5}, 0}}), 1);
    const std::size_t n = 44000;
    const auto points = sample_surface(mesh, n, kRandom);
    std::size_t on_x = 0, lower_half = 0;
    for (const SurfacePoint& p : points) {
        on_x += std::abs(std::abs(p.position.x) - 0.5) < 1e-12;
        lower_half += p.position.y < 0;
        EXPECT_NEAR(dot(p.normal, p.position),
                    std::abs(p.normal.x) > 0.5   ? 0.5
                    : std::abs(p.normal.y) > 0.5 ? 1
                                                 : 1.5,
                    1e-12);
    }
    // Area fractions 12/22 and 1/2; five standard deviations.
    EXPECT_NEAR(double(on_x) / double(n), 12.0 / 22, 5 * 0.5 / std::sqrt(double(n)));
    EXPECT_NEAR(double(lower_half) / double(n), 0.5, 5 * 0.5 / std::sqrt(double(n)));
    EXPECT_TRUE(sample_surface({}, 5, kRandom).empty());
}

TEST(Sampling, LatticeFillCountsTheVolume) {
    const Shape box({RoundedBox{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 0}});
    EXPECT_EQ(fill_lattice(box, 0.1, 0, kRandom).size(), 1000u);
    EXPECT_EQ(fill_lattice(box, 0.1, 1, kRandom).size(), 1000u);
    EXPECT_EQ(fill_lattice(box, 0.1, 0, kRandom, {{0, 0, 0}, {0.5, 1, 1}}).size(), 500u);
    const Shape ball({Sphere{{0.03, 0.2, 0.1}, 0.5}});
    const auto points = fill_lattice(ball, 0.02, 0.8, kRandom);
    EXPECT_NEAR(double(points.size()) * 0.02 * 0.02 * 0.02, 0.5236, 0.01);
    for (const Vec3d& p : points) EXPECT_LT(ball.distance(p), 0);
    const auto again = with_threads(1, [&] { return fill_lattice(ball, 0.02, 0.8, kRandom); });
    EXPECT_EQ(points, again);
    EXPECT_THROW(fill_lattice(ball, 1e-9, 0, kRandom), std::invalid_argument);
    EXPECT_THROW(fill_lattice(ball, 0, 0, kRandom), std::invalid_argument);
    const Shape floor({HalfSpace{}});
    EXPECT_THROW(fill_lattice(floor, 0.1, 0, kRandom), std::invalid_argument);
    EXPECT_TRUE(fill_lattice(floor, 0.1, 0, kRandom, {{0, 1, 0}, {1, 2, 1}}).empty());
}

}  // namespace
}  // namespace rivulet::geometry
