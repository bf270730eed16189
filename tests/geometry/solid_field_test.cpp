#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/geometry/solid_field.h>

namespace rivulet::geometry {
namespace {

const Random kRandom(11, 0);

Vec3d point(std::uint64_t i, double reach = 1.5) {
    return (kRandom.uniform3(i) * 2.0 - Vec3d{1, 1, 1}) * reach;
}
Pose some_pose(std::uint64_t i, double angle) {
    return {rotation_about(kRandom.direction(i), angle), point(i + 7, 0.3)};
}
Solid solid_of(Shape::Part part, const Pose& start, const Pose& end, bool inside, int index) {
    auto shape = std::make_shared<Shape>(std::vector<Shape::Part>{part});
    const Vec3d centre = shape->bounds().is_finite() ? shape->bounds().centre() : Vec3d{};
    return {shape, nullptr, inside, PoseInterval(start, end, centre), index};
}
SolidField three_solids() {
    std::vector<Solid> s;
    s.push_back(solid_of(RoundedBox{{}, {1.2, 1, 1.1}, 0}, some_pose(1, 0.2), some_pose(2, 0.3), true, 0));
    s.push_back(
        solid_of(Capsule{{-0.2, 0, 0}, {0.3, 0.1, 0}, 0.1}, some_pose(3, 1), some_pose(4, 1.4), false, 1));
    s.push_back(solid_of(Sphere{{0.4, 0.2, -0.3}, 0.2}, {}, {}, false, 2));
    return SolidField(std::move(s), 0.02);
}

TEST(Pose, InverseAndCompose) {
    const Pose a = some_pose(1, 0.7), b = some_pose(5, 2.1);
    const Vec3d p = point(3);
    EXPECT_LT(length(inverse(a).apply(a.apply(p)) - p), 1e-14);
    EXPECT_LT(length(compose(a, b).apply(p) - a.apply(b.apply(p))), 1e-14);
}

TEST(Pose, RotationVectorOfAnyAngle) {
    for (double angle : {0.0, 1e-9, 1e-4, 0.5, 2.0, 3.0, 3.1415, std::numbers::pi}) {
        const Mat3d r = rotation_about(kRandom.direction(9), angle);
        const Vec3d v = rotation_vector(r);
        EXPECT_NEAR(length(v), angle, 1e-8);
        const double l = length(v);
        const Mat3d again = l > 0 ? rotation_about(v / l, l) : Mat3d::identity();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) EXPECT_NEAR(again(i, j), r(i, j), 1e-7) << angle;
    }
}

TEST(Pose, IntervalMeetsItsEndsAndMovesEvenly) {
    const Pose a = some_pose(1, 0.2), b = some_pose(2, 0.9);
    const PoseInterval motion(a, b, {0.1, 0.2, 0.3});
    const Vec3d p = point(8);
    EXPECT_LT(length(motion.at(1 - 1e-12).apply(p) - b.apply(p)), 1e-10);
    EXPECT_LT(length(motion.at(1e-12).apply(p) - a.apply(p)), 1e-10);
    EXPECT_LT(length(motion.at(0.5).apply({0.1, 0.2, 0.3}) -
                     (a.apply({0.1, 0.2, 0.3}) + b.apply({0.1, 0.2, 0.3})) * 0.5),
              1e-14);
    // The bound on the relative rate is attained somewhere and never exceeded.
    const Vec3d from = point(20), to = point(21);
    const double bound = motion.relative_rate(from, to, 0, 1);
    double most = 0;
    const auto rest = [&](double s) { return inverse(motion.at(s)).apply(from + (to - from) * s); };
    for (int i = 0; i < 1000; ++i) most = std::max(most, length(rest((i + 1) * 1e-3) - rest(i * 1e-3)) * 1e3);
    EXPECT_LE(most, bound * (1 + 1e-9));
    EXPECT_GE(most, bound * 0.99);
}

TEST(SolidField, EmptyHasNoSolid) {
    const SolidField none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.distance({0, 0, 0}, 1), kNoSolidDistance);
    EXPECT_EQ(none.sample({0, 0, 0}, 1).solid, -1);
}

TEST(SolidField, UnionEqualsTheNearestOfItsSolidsWithoutRejection) {
    const SolidField field = three_solids();
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const Vec3d x = point(100 + i);
        const double s = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : kRandom.uniform(i);
        double least = kNoSolidDistance;
        int which = -1;
        for (std::size_t k = 0; k < field.size(); ++k)
            if (field.distance_to(k, x, s) < least) least = field.distance_to(k, x, s), which = int(k);
        EXPECT_NEAR(field.distance(x, s), least, 1e-14);
        const SolidSample sample = field.sample(x, s);
        EXPECT_NEAR(sample.distance, least, 1e-14);
        EXPECT_EQ(sample.solid, which);
        EXPECT_NEAR(length(sample.normal), 1, 1e-12);
    }
}

TEST(SolidField, NormalPointsTowardsTheLiquid) {
    const SolidField field = three_solids();
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Vec3d x = point(100 + i, 0.8);
        const SolidSample a = field.sample(x, 0.4);
        EXPECT_GE(field.distance(x + a.normal * 1e-6, 0.4), a.distance - 1e-12);
    }
}

TEST(SolidField, VelocityIsDisplacementOverTheStep) {
    const SolidField field = three_solids();
    for (std::size_t k = 0; k < field.size(); ++k)
        for (double s : {0.0, 0.3, 1.0}) {
            const PoseInterval& motion = field.solid(k).motion;
            const Vec3d rest = point(60 + k);
            const Vec3d x = motion.at(s).apply(rest);
            const Vec3d expected = (motion.end().apply(rest) - motion.start().apply(rest)) / field.dt();
            EXPECT_LT(length(field.velocity_of(k, x, s) - expected), 1e-10);
        }
}

TEST(SolidField, LatticeEqualsPointsAndBatchEqualsSingle) {
    const SolidField field = three_solids();
    const Vec3i n{70, 9, 8};
    const Vec3d origin{-1.4, -0.4, -0.5};
    const double cell = 0.04;
    std::vector<double> lattice(70 * 9 * 8), banded(lattice.size()), batch(lattice.size());
    std::vector<Vec3d> x;
    for (double s : {1.0, 0.37}) {
        field.fill_distance(origin, cell, n, s, lattice);
        field.fill_distance(origin, cell, n, s, banded, 0.05);
        x.clear();
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) x.push_back(origin + to_double({i, j, k}) * cell);
        field.distance(x, s, batch);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_NEAR(lattice[i], batch[i], 1e-13);
            EXPECT_EQ(batch[i], field.distance(x[i], s));
            if (std::abs(batch[i]) < 0.05) {
                EXPECT_EQ(banded[i], lattice[i]);
            } else {
                EXPECT_GE(banded[i] * (batch[i] < 0 ? -1 : 1), 0.05);
            }
        }
    }
}

TEST(SolidField, NearIsConservative) {
    const SolidField field = three_solids();
    int far = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Vec3d centre = point(900 + i, 0.7);
        const Bounds box{centre - Vec3d{0.05, 0.05, 0.05}, centre + Vec3d{0.05, 0.05, 0.05}};
        if (field.near(box, 0.05)) continue;
        ++far;
        for (std::uint64_t j = 0; j < 50; ++j) {
            const Vec3d x = centre + point(5000 + j, 0.05);
            EXPECT_GT(field.distance(x, kRandom.uniform(j)), 0.05);
        }
    }
    EXPECT_GT(far, 5);
}

TEST(SolidField, MaxSpeedBoundsSurfaceSpeeds) {
    const SolidField field = three_solids();
    const double most = field.max_speed({{-2, -2, -2}, {2, 2, 2}});
    double seen = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const SolidSample s = field.sample(point(i), 0);
        if (std::abs(s.distance) < 0.02) seen = std::max(seen, length(s.velocity));
    }
    EXPECT_GE(most, seen * 0.98);
    EXPECT_LE(most, seen * 2);
}

}  // namespace
}  // namespace rivulet::geometry
