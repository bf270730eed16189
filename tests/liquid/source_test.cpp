#include <rivulet/liquid/source.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/liquid/sink.h>

#include "support/held_volume.h"

using namespace rivulet;
using namespace rivulet::liquid;
using geometry::Shape;
using geometry::ShapeDescription;
using geometry::ShapeType;

namespace {

constexpr double kCell = 0.1;

Shape box(Vec3d min, Vec3d max) {
    ShapeDescription d;
    d.type = ShapeType::box;
    d.min = min;
    d.max = max;
    return Shape(d);
}
Shape sphere(Vec3d center, double radius) {
    ShapeDescription d;
    d.type = ShapeType::sphere;
    d.center = center;
    d.radius = radius;
    return Shape(d);
}
Shape ground() {
    ShapeDescription d;
    d.type = ShapeType::plane;
    return Shape(d);
}

double nearest_pair(const LiquidState& s) {
    double least = 1e300;
    for (std::size_t i = 0; i < s.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) least = std::min(least, length(s.position[i] - s.position[j]));
    return least;
}

}  // namespace

TEST(Fill, ABoxGetsExactlyItsVolume) {
    const Shape shape = box({0.013, 0, 0}, {0.613, 0.47, 0.35});
    Fill fill;
    fill.shape = &shape;
    fill.velocity = {1, 2, 3};
    fill.material = 4;
    LiquidState s;
    const FillReport report = fill_shape(s, fill, {}, {}, kCell, 7, 1000000);
    EXPECT_EQ(report.particles, s.size());
    EXPECT_NEAR(report.volume, 0.6 * 0.47 * 0.35, 1e-15);
    EXPECT_NEAR(test::held_volume(s), report.volume, 1e-15);
    for (std::size_t i = 0; i < s.size(); ++i) {
        EXPECT_LT(shape.distance(s.position[i]), 0);
        EXPECT_EQ(s.velocity[i], (Vec3d{1, 2, 3}));
        EXPECT_EQ(s.material[i], 4);
        EXPECT_EQ(s.id[i], i);
        EXPECT_NEAR(s.volume[i] / (kCell * kCell * kCell / 8), 1, 0.15);
    }
}

TEST(Fill, IsCutBySolidsAndEarlierFills) {
    const Shape first = box({0, 0, 0}, {1, 1, 1}), second = box({0, 0, 0}, {2, 1, 1});
    const Shape stone = sphere({1.5, 0.5, 0.5}, 0.4);
    Fill fill;
    fill.shape = &second;
    const Shape* earlier[] = {&first};
    LiquidState s;
    const FillReport report = fill_shape(
        s, fill, earlier, [&](const Vec3d& x) { return stone.distance(x); }, kCell, 7, 1000000);
    EXPECT_NEAR(report.removed_by_earlier, 1, 1e-12);
    EXPECT_NEAR(report.removed_by_solids, 4.0 / 3 * std::numbers::pi * 0.064, 0.01);
    EXPECT_NEAR(report.volume + report.removed_by_solids, 1, 1e-12);
    for (const Vec3d& x : s.position) {
        EXPECT_GT(stone.distance(x), 0);
        EXPECT_GE(first.distance(x), 0);
    }
}

TEST(Fill, RefusesWhatCannotBeFilled) {
    const Shape plane = ground(), large = box({0, 0, 0}, {1e6, 1e6, 1e6}), one = box({0, 0, 0}, {1, 1, 1});
    LiquidState s;
    Fill fill;
    fill.shape = &plane;
    EXPECT_THROW(fill_shape(s, fill, {}, {}, kCell, 7, 1000), InputError);
    fill.shape = &large;
    EXPECT_THROW(fill_shape(s, fill, {}, {}, kCell, 7, 1000), InputError);
    fill.shape = &one;
    EXPECT_THROW(fill_shape(s, fill, {}, {}, kCell, 7, 1000), InputError);
    EXPECT_THROW(fill_shape(
                     s, fill, {}, [](const Vec3d&) { return -1.0; }, kCell, 7, 1000000),
                 InputError);
    EXPECT_EQ(s.size(), 0u);
}

TEST(Fill, DoesNotDependOnThreads) {
    const Shape shape = sphere({0, 0, 0}, 0.7);
    const auto run = [&](int threads) {
        LiquidState s;
        Fill fill;
        fill.shape = &shape;
        with_threads(threads, [&] { fill_shape(s, fill, {}, {}, kCell, 7, 1000000); });
        return s.position;
    };
    EXPECT_EQ(run(1), run(2));
}

TEST(Inflow, FluxIsSpeedTimesCrossSection) {
    const Shape shape = sphere({0, 2, 0}, 0.3);
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {0.3, -1.5, 0.2};
    InflowSource source(inflow, 0, kCell, 3, 1000000);
    const double disc = std::numbers::pi * 0.09;
    EXPECT_NEAR(source.cross_section(), disc, 0.01 * disc);
    LiquidState s;
    const double dt = 0.013;
    double given = 0, before = 0;
    for (int step = 0; step < 200; ++step) {
        if (step == 100) before = given;
        const Given g = source.emit(s, {}, step * dt, dt);
        given += g.volume;
    }
    EXPECT_NEAR(given - before, disc * source.speed() * 100 * dt, 0.02 * given);
    EXPECT_NEAR(test::held_volume(s), given, 1e-12);
    EXPECT_DOUBLE_EQ(s.emitted_volume[0], given);
}

TEST(Inflow, StepsOfAnySizeGiveTheSameEvenlySpacedStream) {
    const Shape shape = sphere({0, 0, 0}, 0.2);
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {2, 0, 0};
    const auto run = [&](int steps) {
        InflowSource source(inflow, 0, kCell, 3, 1000000);
        LiquidState s;
        double time = 0;
        for (int i = 0; i < steps; ++i) {
            // What came before flies on by itself.
            for (std::size_t p = 0; p < s.size(); ++p) s.position[p] += s.velocity[p] * (0.5 / steps);
            source.emit(s, {}, time, 0.5 / steps);
            time += 0.5 / steps;
        }
        return s;
    };
    const LiquidState coarse = run(8), fine = run(64);
    EXPECT_NEAR(nearest_pair(fine), kCell / 2, 1e-9);
    inflow.particles_per_cell = 64;
    EXPECT_NEAR(nearest_pair(run(8)), kCell / 4, 1e-9);
    inflow.particles_per_cell = 8;
    EXPECT_NEAR(double(coarse.size()), double(fine.size()), 0.02 * double(fine.size()));
}

/// A step that brings hundreds of lengths of the nozzle costs as much as its parts, and brings the same.
TEST(Inflow, ALongWayInOneStepIsTheSameStream) {
    const Shape shape = sphere({0, 0, 0}, 0.21);
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {300, 170, -90};
    InflowSource source(inflow, 0, kCell, 3, 1000000);
    LiquidState once, often;
    source.emit(once, {}, 0, 0.2);
    for (int k = 0; k < 200; ++k) {
        LiquidState part;
        source.emit(part, {}, k * 1e-3, 1e-3);
        for (std::size_t i = 0; i < part.size(); ++i)
            often.position.push_back(part.position[i] + part.velocity[i] * ((199 - k) * 1e-3));
    }
    ASSERT_NEAR(double(once.size()), double(often.position.size()), 0.002 * double(once.size()));
    const double bring = std::numbers::pi * 0.21 * 0.21 * length(inflow.velocity) * 0.2;
    EXPECT_NEAR(double(once.size()) * once.volume[0] / bring, 1, 0.02);
    const auto before = [](const Vec3d& a, const Vec3d& b) { return a.x < b.x; };
    std::sort(once.position.begin(), once.position.end(), before);
    std::sort(often.position.begin(), often.position.end(), before);
    if (once.size() != often.position.size()) return;
    for (std::size_t i = 0; i < once.size(); i += 97)
        EXPECT_LT(length(once.position[i] - often.position[i]), 1e-6);
}

TEST(Inflow, AWayThatNoStepCanTakeIsNamed) {
    const Shape shape = sphere({0, 0, 0}, 0.2);
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {1, 2, 3};
    inflow.rate = 1e9;
    inflow.key = "inflow.hose.shape";
    InflowSource source(inflow, 0, kCell, 3, 1000);
    LiquidState s;
    try {
        source.emit(s, {}, 0, 1e-3);
        FAIL() << "should have given up";
    } catch (const StepFailed& e) {
        EXPECT_EQ(e.entity, "inflow.hose.shape");
    }
    // With less to come in it stops at its total, or where there are more than allowed.
    inflow.rate = 1e6, inflow.total = 0.01;
    EXPECT_NEAR(InflowSource(inflow, 0, kCell, 3, 1000).emit(s, {}, 0, 1e-5).volume, 0.01, 1e-15);
    inflow.total = 0;
    LiquidState many;
    InflowSource(inflow, 0, kCell, 3, 1000).emit(many, {}, 0, 1e-5);
    EXPECT_GT(many.size(), 1000u);
    EXPECT_LT(many.size(), 3000u);
}

TEST(Inflow, ParticlesDoNotFollowEachOtherInLines) {
    const Shape shape = box({0, 0, 0}, {0.4, 0.4, 0.4});
    for (const Vec3d& velocity : {Vec3d{0, -1, 0}, Vec3d{2, 0, 0}, Vec3d{0.3, -1, 0.2}}) {
        Inflow inflow;
        inflow.shape = &shape;
        inflow.velocity = velocity;
        InflowSource source(inflow, 0, kCell, 3, 1000000);
        LiquidState s;
        source.emit(s, {}, 0, 1e-6);
        const Vec3d way = velocity / length(velocity);
        double beside = 1e300;
        for (std::size_t i = 0; i < s.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                beside = std::min(beside, length(cross(s.position[i] - s.position[j], way)));
        EXPECT_NEAR(double(s.size()), 512, 30);
        EXPECT_GT(beside, 0.1 * kCell / 2);
    }
}

TEST(Inflow, TotalIsMetExactlyAndScheduleKept) {
    const Shape shape = box({0, 0, 0}, {0.2, 0.2, 0.2});
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {0, -1, 0};
    inflow.start = 0.1;
    inflow.total = 0.01234567;
    InflowSource source(inflow, 1, kCell, 3, 1000000);
    LiquidState s;
    EXPECT_EQ(source.emit(s, {}, 0, 0.1).particles, 0u);
    double given = 0;
    for (int step = 0; step < 50; ++step) given += source.emit(s, {}, 0.1 + step * 0.02, 0.02).volume;
    EXPECT_NEAR(given, inflow.total, 1e-15);
    EXPECT_NEAR(test::held_volume(s), inflow.total, 1e-15);
    const double unit = kCell * kCell * kCell / 8;
    for (const double v : s.volume) {
        EXPECT_GE(v, 0.49 * unit);
        EXPECT_LE(v, 1.5 * unit);
    }
    inflow.total = 0;
    inflow.stop = 0.2;
    InflowSource brief(inflow, 0, kCell, 3, 1000000);
    LiquidState other;
    EXPECT_GT(brief.emit(other, {}, 0.15, 0.04).particles, 0u);
    EXPECT_EQ(brief.emit(other, {}, 0.2, 0.1).particles, 0u);
}

TEST(Inflow, RateSetsTheSpeedAndSpreadStaysInItsCone) {
    const Shape shape = box({0, 0, 0}, {0.4, 0.4, 0.4});
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {0, 1, 0};
    inflow.rate = 0.08;
    inflow.spread = 0.3;
    InflowSource source(inflow, 0, kCell, 3, 1000000);
    EXPECT_NEAR(source.speed(), 0.5, 0.01);
    LiquidState s;
    source.emit(s, {}, 0, 0.4);
    double widest = 0;
    for (const Vec3d& v : s.velocity) {
        EXPECT_NEAR(length(v), source.speed(), 1e-12);
        widest = std::max(widest, std::acos(v.y / length(v)));
    }
    EXPECT_LE(widest, 0.3 + 1e-9);
    EXPECT_GT(widest, 0.25);
}

TEST(Inflow, ARateBringsTheRateFromTheStartOn) {
    const Shape shape = box({0, 0, 0}, {0.4, 0.4, 0.4});
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {0, 1, 0};
    inflow.rate = 0.08;
    inflow.start = 0.1;
    InflowSource source(inflow, 0, kCell, 3, 1000000);
    LiquidState s;
    // One layer of sites is the finest that can be told apart.
    const double layer = 0.16 * kCell / 2;
    double given = 0;
    for (int step = 0; step < 60; ++step) {
        const double time = 0.025 * step;
        given += source.emit(s, {}, time, 0.025).volume;
        EXPECT_NEAR(given, 0.08 * std::max(0.0, time + 0.025 - 0.1), layer) << time;
    }
}

TEST(Inflow, SolidsBlockItAndBadShapesAreRefused) {
    const Shape shape = box({0, 0, 0}, {0.4, 0.4, 0.4}), plane = ground();
    Inflow inflow;
    inflow.shape = &shape;
    inflow.velocity = {0, 1, 0};
    InflowSource source(inflow, 0, kCell, 3, 1000000);
    LiquidState s;
    const Given g = source.emit(
        s, [](const Vec3d& x) { return x.x - 0.2; }, 0, 0.01);
    EXPECT_NEAR(g.blocked, 0.5 * (g.blocked + g.volume), 1e-3);
    for (const Vec3d& x : s.position) EXPECT_GT(x.x, 0.2);
    EXPECT_THROW(InflowSource(inflow, 0, kCell, 3, 100), InputError);
    inflow.shape = &plane;
    EXPECT_THROW(InflowSource(inflow, 0, kCell, 3, 100000), InputError);
}

TEST(Sink, TakesWhatIsInsideAndCountsIt) {
    const Shape pool = box({0, 0, 0}, {1, 1, 1}), drain_shape = sphere({0.5, 0.5, 0.5}, 0.3);
    LiquidState s;
    Fill fill;
    fill.shape = &pool;
    fill.material = 2;
    fill_shape(s, fill, {}, {}, kCell, 7, 1000000);
    const double before = test::held_volume(s);
    const std::size_t all = s.size();
    Remover remover;
    Sink sink;
    sink.shape = &drain_shape;
    sink.start = 1;
    LiquidTally taken;
    EXPECT_EQ(drain(s, remover, sink, 0.5, taken), 0u);
    const std::size_t gone = drain(s, remover, sink, 1, taken);
    EXPECT_EQ(gone, all - s.size());
    EXPECT_NEAR(taken.total(), 4.0 / 3 * std::numbers::pi * 0.027, 0.01);
    EXPECT_EQ(taken.total(), taken.of(2).value());
    EXPECT_NEAR(test::held_volume(s), before - taken.total(), 1e-14);
    for (const Vec3d& x : s.position) EXPECT_GE(drain_shape.distance(x), 0);
    s.position[5] = {std::nan(""), 0, 0};
    s.position[9] = {9, 0, 0};
    EXPECT_EQ(drop_outside(s, remover, geometry::Bounds{{0, 0, 0}, {1, 1, 1}}, taken), 2u);
}
