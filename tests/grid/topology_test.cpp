#include <gtest/gtest.h>

#include <set>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/topology.h>

using namespace rivulet;
using namespace rivulet::grid;

namespace {

std::vector<Vec3d> scattered_points(std::size_t n, double span) {
    const Random random(3, 0);
    std::vector<Vec3d> points(n);
    for (std::size_t i = 0; i < n; ++i) points[i] = (random.uniform3(i) - Vec3d{0.5, 0.5, 0.5}) * span;
    return points;
}

int block_floor(double x) {
    return static_cast<int>(std::floor(x / kBlockEdge)) * kBlockEdge;
}

}  // namespace

TEST(Topology, KeysAndCornersAreInverse) {
    for (const Vec3i c : {Vec3i{0, 0, 0}, Vec3i{-4, 8, 400}, Vec3i{-400000, 399996, -4}, Vec3i{4, 0, -8}}) {
        const Vec3i corner{block_floor(c.x), block_floor(c.y), block_floor(c.z)};
        EXPECT_EQ(morton_corner(morton_key(corner)), corner);
    }
    EXPECT_LT(morton_key({-kBlockEdge, 0, 0}), morton_key({0, 0, 0}));
}

TEST(Topology, HasExactlyTheBlocksOfThePointsAndTheirHalo) {
    const double cell = 0.1;
    const std::vector<Vec3d> points = scattered_points(300, 12);
    std::set<std::array<int, 3>> expected;
    for (const Vec3d& p : points)
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz)
                    expected.insert({block_floor(p.x / cell) + dx * kBlockEdge,
                                     block_floor(p.y / cell) + dy * kBlockEdge,
                                     block_floor(p.z / cell) + dz * kBlockEdge});
    TopologyBuilder builder;
    Topology t;
    builder.start(cell, {});
    builder.add_points(points);
    builder.build(t);
    ASSERT_EQ(t.size(), expected.size());
    for (std::size_t b = 0; b < t.size(); ++b) {
        EXPECT_TRUE(expected.count({t.corner[b].x, t.corner[b].y, t.corner[b].z}));
        if (b > 0) {
            EXPECT_LT(t.key[b - 1], t.key[b]);
        }
        EXPECT_EQ(t.find(t.corner[b]), static_cast<int>(b));
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz)
                    EXPECT_EQ(t.neighbour[b][std::size_t(neighbour_slot(dx, dy, dz))],
                              t.find(t.corner[b] + Vec3i{dx, dy, dz} * kBlockEdge));
    }
}

TEST(Topology, HaloIsThereWhereAPointReachesIt) {
    const Random random(3, 0);
    TopologyBuilder builder;
    Topology t;
    const Reach reach{2, 3};
    for (std::uint64_t n = 0; n < 200; ++n) {
        const Vec3d point = (random.uniform3(n) - Vec3d{0.5, 0.5, 0.5}) * 20.0;
        builder.start(1, {}, reach);
        builder.add_points(std::vector<Vec3d>{point});
        builder.build(t);
        std::size_t blocks = 1;
        for (int a = 0; a < 3; ++a) {
            const int cell = static_cast<int>(std::floor(point[a]));
            const int low = block_floor(cell - reach.below), high = block_floor(cell + reach.above);
            blocks *= std::size_t((high - low) / kBlockEdge + 1);
        }
        EXPECT_EQ(t.size(), blocks);
        for (const int step : {-reach.below, reach.above}) {
            const Vec3i cell{int(std::floor(point.x)) + step, int(std::floor(point.y)) + step,
                             int(std::floor(point.z)) + step};
            EXPECT_GE(t.index(cell), 0);
        }
    }
}

TEST(Topology, CellsAreReachedAcrossBlocks) {
    const std::vector<Vec3d> points{{0.5, 0.5, 0.5}};
    TopologyBuilder builder;
    Topology t;
    builder.start(1, {});
    builder.add_points(points);
    builder.build(t);
    ASSERT_EQ(t.size(), 27u);
    const auto centre = static_cast<std::size_t>(t.find({0, 0, 0}));
    for (int i = -kBlockEdge; i < 2 * kBlockEdge; ++i)
        for (int k = -kBlockEdge; k < 2 * kBlockEdge; ++k)
            EXPECT_EQ(t.index(centre, i, 1, k), t.index(Vec3i{i, 1, k}));
    EXPECT_EQ(t.index(Vec3i{3 * kBlockEdge, 0, 0}), -1);
    const auto corner_block = static_cast<std::size_t>(t.find({kBlockEdge, kBlockEdge, kBlockEdge}));
    EXPECT_EQ(t.index(corner_block, kBlockEdge, 0, 0), -1);
}

TEST(Topology, BlocksOfAColourShareNoCellWithinHalfABlock) {
    const int reach = kBlockEdge / 2;
    for (const int blocks : {0, 1, 2, 3, 4, 5}) {
        const Vec3i period{blocks * kBlockEdge, 0, 2 * blocks * kBlockEdge};
        TopologyBuilder builder;
        Topology t;
        builder.start(0.1, period);
        builder.add_points(scattered_points(400, 5));
        builder.build(t);
        std::vector<int> seen(t.size(), 0);
        for (std::size_t c = 0; c < t.colours(); ++c) {
            std::vector<int> touched(t.cells(), -1);
            for (std::size_t n = t.colour_start[c]; n < t.colour_start[c + 1]; ++n) {
                const int b = t.coloured[n];
                ++seen[std::size_t(b)];
                for (int i = -reach; i < kBlockEdge + reach; ++i)
                    for (int j = -reach; j < kBlockEdge + reach; ++j)
                        for (int k = -reach; k < kBlockEdge + reach; ++k) {
                            const std::int64_t cell = t.index(std::size_t(b), i, j, k);
                            if (cell < 0) continue;
                            int& by = touched[std::size_t(cell)];
                            EXPECT_TRUE(by == -1 || by == b);
                            by = b;
                        }
            }
        }
        for (const int s : seen) EXPECT_EQ(s, 1);
    }
}

TEST(Topology, WrapsOnPeriodicAxes) {
    TopologyBuilder builder;
    Topology t;
    builder.start(0.5, {3 * kBlockEdge, 0, 0});
    builder.add_points(std::vector<Vec3d>{{-0.1, 0.1, 0.1}});
    builder.build(t);
    EXPECT_EQ(t.size(), 27u);
    const int last = t.find({2 * kBlockEdge, 0, 0});
    ASSERT_GE(last, 0);
    EXPECT_EQ(t.find({-kBlockEdge, 0, 0}), last);
    EXPECT_EQ(t.neighbour[std::size_t(last)][std::size_t(neighbour_slot(1, 0, 0))], t.find({0, 0, 0}));
    const double length = 3 * kBlockEdge * 0.5;
    EXPECT_DOUBLE_EQ(t.wrapped(Vec3d{-0.25, -7, 3}).x, length - 0.25);
    EXPECT_EQ(t.wrapped(Vec3d{-1e-20, 0, 0}).x, 0);
    EXPECT_THROW(builder.start(0.5, {kBlockEdge + 1, 0, 0}), Error);
}

TEST(Topology, IsTheSameForAnyNumberOfThreads) {
    const std::vector<Vec3d> points = scattered_points(50000, 20);
    const auto build = [&](int threads) {
        Topology t;
        with_threads(threads, [&] {
            TopologyBuilder builder;
            builder.start(0.1, {});
            builder.add_points(points);
            builder.build(t, 2);
        });
        return t;
    };
    const Topology one = build(1), two = build(2);
    EXPECT_EQ(one.key, two.key);
    EXPECT_EQ(one.neighbour, two.neighbour);
}

TEST(Topology, RefusesLostPoints) {
    TopologyBuilder builder;
    builder.start(0.1, {});
    EXPECT_THROW(builder.add_points(std::vector<Vec3d>{{0, 0, 0}, {std::nan(""), 0, 0}}), StepFailed);
    builder.start(0.1, {});
    EXPECT_THROW(builder.add_points(std::vector<Vec3d>{{0, 1e9, 0}}), StepFailed);
}
