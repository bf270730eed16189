#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <rivulet/base/error.h>

#include "grid/particle_cloud.h"

using namespace rivulet;
using namespace rivulet::grid;

namespace {

std::vector<Vec3d> random_points(std::size_t n, double span) {
    const Random random(5, 0);
    std::vector<Vec3d> points(n);
    for (std::size_t i = 0; i < n; ++i) points[i] = (random.uniform3(i) - Vec3d{0.5, 0.5, 0.5}) * span;
    return points;
}

Topology topology_of(const std::vector<Vec3d>& points, double cell, Vec3i period = {}) {
    TopologyBuilder builder;
    Topology t;
    builder.start(cell, period);
    builder.add_points(points);
    builder.build(t);
    return t;
}

void expect_sorted_as_by_std(const std::vector<Vec3d>& points, const Topology& t) {
    std::vector<std::int64_t> cell(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d s = t.wrapped(points[i]) * (1 / t.cell);
        cell[i] = t.index(Vec3i{int(std::floor(s.x)), int(std::floor(s.y)), int(std::floor(s.z))});
    }
    std::vector<std::uint32_t> expected(points.size());
    std::iota(expected.begin(), expected.end(), 0u);
    std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return cell[a] < cell[b]; });
    ParticleSorter sorter;
    ParticleOrder order;
    sorter.sort(t, points, order);
    EXPECT_EQ(order.source, expected);
    ASSERT_EQ(order.cell_start.size(), t.cells() + 1);
    for (std::size_t c = 0; c < t.cells(); ++c)
        for (std::size_t i = order.cell_begin(c); i < order.cell_end(c); ++i)
            EXPECT_EQ(cell[order.source[i]], static_cast<std::int64_t>(c));
    EXPECT_EQ(order.cell_start.back(), points.size());
}

}  // namespace

TEST(ParticleOrder, IsTheStableOrderByCell) {
    const std::vector<Vec3d> points = random_points(30000, 3);
    expect_sorted_as_by_std(points, topology_of(points, 0.1));
}

TEST(ParticleOrder, WrapsPeriodicAxes) {
    const std::vector<Vec3d> points = random_points(5000, 6);
    expect_sorted_as_by_std(points, topology_of(points, 0.1, {3 * kBlockEdge, 0, 4 * kBlockEdge}));
}

TEST(ParticleOrder, SparseDropsAndNoParticlesAtAll) {
    const std::vector<Vec3d> drops = random_points(500, 3000);
    expect_sorted_as_by_std(drops, topology_of(drops, 0.1));
    expect_sorted_as_by_std({}, topology_of({}, 0.1));
}

TEST(ParticleOrder, PositionsJustBelowAPeriodStayInside) {
    for (const double cell : {0.1, 0.3, 1.0 / 3, 0.007}) {
        Topology t;
        t.cell = cell;
        t.period = {12, 0, 0};
        const double length = 12 * cell;
        for (double x :
             {std::nextafter(length, 0.0), length, -1e-19, std::nextafter(length, 100.0), -5 * length}) {
            const double w = t.wrapped(Vec3d{x, 0, 0}).x;
            EXPECT_GE(w, 0);
            EXPECT_LT(w * (1 / cell), 12);
            EXPECT_EQ(t.wrapped(Vec3d{w, 0, 0}).x, w);
        }
    }
}

TEST(ParticleOrder, RefusesParticlesOutsideTheGrid) {
    const Topology t = topology_of({{0, 0, 0}}, 0.1);
    ParticleSorter sorter;
    ParticleOrder order;
    EXPECT_THROW(sorter.sort(t, std::vector<Vec3d>{{0, 0, 0}, {9, 0, 0}}, order), StepFailed);
    EXPECT_THROW(sorter.sort(t, std::vector<Vec3d>{{0, std::nan(""), 0}}, order), StepFailed);
    const auto entity = [&](std::vector<std::uint64_t> id) -> std::string {
        try {
            sorter.sort(t, std::vector<Vec3d>{{0, 0, 0}, {9, 0, 0}}, order, id);
        } catch (const StepFailed& e) {
            return e.entity;
        }
        return "";
    };
    EXPECT_EQ(entity({12, 34}), "particle 34");
    EXPECT_EQ(entity({}), "a particle");
}
