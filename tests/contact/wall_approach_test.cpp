#include <gtest/gtest.h>

#include <rivulet/base/random.h>
#include <rivulet/contact/wall_approach.h>

namespace rivulet::contact {
namespace {

using geometry::Capsule;
using geometry::Pose;
using geometry::PoseInterval;
using geometry::Shape;
using geometry::Solid;
using geometry::SolidField;

constexpr double kTouch = 50e-6;
const Reach kReach{kTouch, 10e-6, 1e-2 * kTouch};

Solid solid_of(std::vector<Shape::Part> parts, const Pose& start = {}, const Pose& end = {},
               bool inside = false) {
    auto shape = std::make_shared<Shape>(std::move(parts));
    const Vec3d centre = shape->bounds().is_finite() ? shape->bounds().centre() : Vec3d{};
    return {shape, nullptr, inside, PoseInterval(start, end, centre), 0};
}
SolidField field_of(Solid solid) {
    std::vector<Solid> all;
    all.push_back(std::move(solid));
    return SolidField(std::move(all), 1e-3);
}
/// A fork: tines of 0.2 mm across, 2 mm apart, along z.
std::vector<Shape::Part> tines(int count) {
    std::vector<Shape::Part> parts;
    for (int i = 0; i < count; ++i) parts.push_back(Capsule{{2e-3 * i, 0, -0.05}, {2e-3 * i, 0, 0.05}, 1e-4});
    return parts;
}
MovingEdge moving(const Vec3d& from, const Vec3d& to, const Vec3d& shift) {
    return {{from, to}, {shift, shift}};
}

TEST(LineMinima, LipschitzFindsEveryDipAndBoundsTheRest) {
    const auto comb = [](double x) {
        double d = 1;
        for (double tooth : {0.11, 0.4, 0.83}) d = std::min(d, std::abs(x - tooth) * 10 - 0.03);
        return d;
    };
    const LineMinima m = lipschitz_minima(comb, {10, 0.5, 0.02});
    ASSERT_EQ(m.count, 3);
    EXPECT_NEAR(m.at[0].place, 0.11, 0.005);
    EXPECT_NEAR(m.at[1].place, 0.4, 0.005);
    EXPECT_NEAR(m.at[2].place, 0.83, 0.005);
    EXPECT_LE(m.bound, -0.03);
    EXPECT_GE(m.bound, -0.06);
    const LineMinima above = lipschitz_minima([](double x) { return 1 + x; }, {1, 0.9, 0.1});
    EXPECT_EQ(above.count, 0);
    EXPECT_GE(above.bound, 0.9);
}

TEST(LineMinima, BoundHoldsForRandomDistances) {
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Random random(3, i);
        const auto value = [&](double x) {
            double d = 1e3;
            for (std::uint64_t k = 0; k < 5; ++k)
                d = std::min(d, std::hypot(x * 4 - 5 * random.uniform(2 * k), random.uniform(2 * k + 1)));
            return d;
        };
        const double ceiling = 1.5 * random.uniform(90), resolution = 0.01 + 0.2 * random.uniform(91);
        const LineMinima m = lipschitz_minima(value, {4, ceiling, resolution});
        double least = 1e3;
        for (int k = 0; k <= 2000; ++k) least = std::min(least, value(k / 2000.0));
        EXPECT_LE(m.bound, least + 1e-12);
        EXPECT_GE(m.bound, std::min(least, ceiling) - resolution - 4.0 / 2000);
        if (least < ceiling - resolution) {
            EXPECT_GT(m.count, 0) << i;
        }
    }
}

TEST(LineMinima, ConvexMeetsTheMinimum) {
    const LineMinima m = convex_minimum(
        [](double x) {
            const double r = std::hypot(x - 0.3, 0.1);
            return LineSample{r, (x - 0.3) / r};
        },
        {1, 1, 1e-9});
    EXPECT_NEAR(m.least.value, 0.1, 2e-9);
    EXPECT_LE(m.bound, 0.1);
    EXPECT_NEAR(m.least.place, 0.3, 1e-4);
}

TEST(WallApproach, EdgeFindsTheTinesBetweenItsEnds) {
    const SolidField field = field_of(solid_of(tines(4)));
    const MovingEdge edge = moving({-1e-3, 1e-2, 0}, {7.1e-3, 1.001e-2, 0}, {0, -0.05, 0});
    const WallMoment moment = approach_of_wall({&field, 0}, edge, kReach);
    ASSERT_TRUE(moment.hit);
    EXPECT_NEAR(moment.time * 0.05, 1e-2 - 1e-4 - kTouch, kTouch);
    const WallTouches touches = touches_between_ends({&field, 0}, edge, moment, {kTouch, 60e-6, 5e-7});
    ASSERT_EQ(touches.count, 4);
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(touches.at[std::size_t(i)].place, (2e-3 * i + 1e-3) / 8.1e-3, 2e-3);
        EXPECT_GT(touches.at[std::size_t(i)].normal.y, 0.99);
    }
}

TEST(WallApproach, SidesAreThoseOfTheStart) {
    const SolidField field = field_of(solid_of(tines(1)));
    for (double up : {1.0, -1.0}) {
        const MovingEdge edge = moving({-2e-3, up * 1e-3, 0}, {3e-3, up * 1e-3, 0}, {1e-4, up * -0.05, 0});
        const WallMoment moment = approach_of_wall({&field, 0}, edge, kReach);
        const WallTouches touches = touches_between_ends({&field, 0}, edge, moment, kReach);
        ASSERT_EQ(touches.count, 1);
        EXPECT_GT(touches.at[0].normal.y * up, 0.99);
    }
}

/// Slow twin: least distance over places and times on a lattice.
double sampled(const Wall& wall, const MovingEdge& edge, double until) {
    double least = 1e30;
    for (int k = 0; k <= 100; ++k) {
        const double s = until * k / 100;
        const auto p = edge.positions(s);
        for (int i = 0; i <= 100; ++i)
            least =
                std::min(least, wall.field->distance_to(wall.solid, p[0] + (p[1] - p[0]) * (i / 100.0), s));
    }
    return least;
}

TEST(WallApproach, NothingPassesAnySolid) {
    int hits = 0;
    for (std::uint64_t i = 0; i < 1500; ++i) {
        const Random random(5, i);
        const auto box = [&](std::uint64_t k, double size) {
            return (random.uniform3(k) * 2.0 - Vec3d{1, 1, 1}) * size;
        };
        const Pose start{geometry::rotation_about(random.direction(1), random.uniform(2)), box(3, 1e-3)};
        Pose end{geometry::rotation_about(random.direction(4), 0.5 * random.uniform(5)) * start.rotation,
                 start.translation + box(6, 5e-3)};
        if (i % 3 == 0) end.rotation = start.rotation;
        std::vector<Shape::Part> parts;
        bool inside = false;
        if (i % 5 == 0) parts = tines(3);
        if (i % 5 == 1) parts = {Capsule{{-3e-3, 0, 0}, {3e-3, 0, 0}, 3e-4}};
        if (i % 5 == 2) parts = {geometry::RoundedBox{{}, {3e-3, 1e-3, 2e-4}, 0}};
        if (i % 5 == 3) parts = {geometry::RoundedBox{{}, {12e-3, 12e-3, 12e-3}, 0}}, inside = true;
        if (i % 5 == 4) parts = {geometry::Sphere{{}, 1e-3}, geometry::Sphere{{2e-3, 0, 0}, 4e-4}};
        const SolidField field = field_of(solid_of(std::move(parts), start, end, inside));
        const Vec3d from = box(7, 6e-3), along = random.direction(8) * 5e-3, shift = box(9, 15e-3);
        const MovingEdge edge{{from, from + along}, {shift, shift + box(10, 4e-3)}};
        const Wall wall{&field, 0};
        const WallMoment moment = approach_of_wall(wall, edge, kReach);
        const double least = sampled(wall, edge, 1);
        if (least < kTouch) {
            ASSERT_TRUE(moment.hit) << i << " " << least;
        }
        if (least < kTouch + kReach.margin - 0.25 * kTouch) {
            ASSERT_TRUE(moment.near) << i;
        }
        if (moment.hit && moment.time > 0) {
            ASSERT_GE(sampled(wall, edge, moment.time), 0.99 * kTouch) << i;
        }
        hits += moment.hit && moment.time > 0;
    }
    EXPECT_GT(hits, 200);
}

TEST(WallApproach, VertexStopsAtAFloorThatRises) {
    const Pose up{Mat3d::identity(), {0, 2e-3, 0}};
    const SolidField field = field_of(solid_of({geometry::HalfSpace{{0, 0, 0}, {0, 1, 0}}}, {}, up));
    const Vec3d at{0.3, 3e-3, 0.1}, shift{0.02, -2e-3, 0};
    const MovingEdge vertex{{at, at}, {shift, shift}};
    const WallMoment moment = approach_of_wall({&field, 0}, vertex, kReach);
    ASSERT_TRUE(moment.hit);
    EXPECT_NEAR(moment.time, (3e-3 - kTouch) / 4e-3, 1e-3);
    EXPECT_NEAR(touch_at({&field, 0}, vertex, 0, moment.time).velocity.y, 2, 1e-12);
}

}  // namespace
}  // namespace rivulet::contact
