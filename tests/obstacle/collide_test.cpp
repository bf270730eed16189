#include <gtest/gtest.h>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/geometry/sampled_distance.h>
#include <rivulet/geometry/tessellate.h>
#include <rivulet/obstacle/collide.h>

namespace rivulet::obstacle {
namespace {

using namespace geometry;

const Random kRandom(51, 0);
constexpr double kCell = 0.01, kDt = 0.01, kMargin = 1e-4;
constexpr std::size_t kParticles = 100000;

Vec3d point(std::uint64_t i, double reach) {
    return (kRandom.uniform3(i) * 2.0 - Vec3d{1, 1, 1}) * reach;
}
Solid solid_of(std::vector<Shape::Part> parts, const Pose& start, const Pose& end, bool inside, int index) {
    auto shape = std::make_shared<Shape>(std::move(parts));
    const Vec3d centre = shape->bounds().is_finite() ? shape->bounds().centre() : Vec3d{};
    return {shape, nullptr, inside, PoseInterval(start, end, centre), index};
}
Pose pose(const Vec3d& axis, double angle, const Vec3d& at) {
    return {rotation_about(normalized(axis), angle), at};
}
std::vector<Moved> move_all(const SolidField& field, const std::vector<Vec3d>& from, double path) {
    std::vector<Moved> out(from.size());
    parallel_for(from.size(), [&](std::size_t i) {
        const Vec3d step = kRandom.direction(i + 1000000) * (path * kRandom.uniform(i + 2000000));
        out[i] = move_point(field, from[i], from[i] + step, step / kDt, kMargin);
    });
    return out;
}

TEST(Collide, ThinMovingPaddleIsNeverEnteredOrCrossed) {
    // 2 mm thick, in the middle of an area far larger than the paths; it moves two cells and turns.
    const Pose start = pose({1, 2, 3}, 0.4, {0, 0, 0}), end = pose({1, 2, 3.2}, 0.43, {0.012, 0.015, -0.005});
    const SolidField field({solid_of({RoundedBox{{}, {1, 0.001, 1}, 0}}, start, end, false, 0)}, kDt);
    std::vector<Vec3d> from;
    for (std::uint64_t i = 0; from.size() < kParticles; ++i) {
        const Vec3d p = point(i, 0.05);
        if (field.distance(p, 0) > kMargin) from.push_back(p);
    }
    const auto moved = move_all(field, from, 2 * kCell);
    std::size_t touched = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        ASSERT_FALSE(moved[i].stuck) << i;
        ASSERT_GE(field.distance(moved[i].position, 1), kMargin) << i;
        const double before = inverse(start).apply(from[i]).y,
                     after = inverse(end).apply(moved[i].position).y;
        ASSERT_GT(before * after, 0) << i;
        touched += moved[i].solid >= 0;
        if (moved[i].solid < 0) continue;
        const SolidSample wall = field.sample(moved[i].position, 1);
        if (wall.distance < 2 * kMargin) {
            ASSERT_GT(dot(moved[i].velocity - wall.velocity, wall.normal), -0.1);
        }
    }
    EXPECT_GT(touched, kParticles / 20);
    EXPECT_LT(touched, kParticles);
}

TEST(Collide, RotatingClosedBoxKeepsEverything) {
    std::vector<Vec3d> x(kParticles / 5);
    const RoundedBox box{{0.02, 0, 0}, {0.1, 0.08, 0.06}, 0};
    for (std::uint64_t i = 0; i < x.size(); ++i) x[i] = Vec3d{0.02, 0, 0} + point(i, 0.0598);
    for (int step = 0; step < 5; ++step) {
        const double a = 0.15 * step, b = 0.15 * (step + 1);
        const SolidField field({solid_of({box}, pose({0, 1, 1}, a, {a * 0.1, 0, 0}),
                                         pose({0, 1, 1}, b, {b * 0.1, 0, 0}), true, 3)},
                               kDt);
        const auto moved = move_all(field, x, 2 * kCell);
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_FALSE(moved[i].stuck);
            ASSERT_GE(field.distance(moved[i].position, 1), kMargin) << step << " " << i;
            x[i] = moved[i].position;
        }
    }
}

TEST(Collide, BoxOfThinMovingWallsKeepsWhatIsInsideInAndTheRestOut) {
    // Six plates 2 mm thick that overlap at the edges: free space is not convex.
    const double l = 0.05, t = 0.001;
    std::vector<Shape::Part> plates;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2) {
            RoundedBox plate{{}, {l + t, l + t, l + t}, 0};
            plate.centre[axis] = side * l, plate.half[axis] = t;
            plates.push_back(plate);
        }
    const auto is_in = [&](const Vec3d& rest) {
        return std::max({std::abs(rest.x), std::abs(rest.y), std::abs(rest.z)}) < l;
    };
    const Pose start = pose({3, 1, 1}, 0.2, {}), end = pose({3, 1, 0.8}, 0.4, {0.01, -0.012, 0.006});
    const SolidField field({solid_of(plates, start, end, false, 0)}, kDt);
    std::vector<Vec3d> from;
    for (std::uint64_t i = 0; from.size() < kParticles; ++i) {
        const Vec3d p = point(i, 0.08);
        if (field.distance(p, 0) > kMargin) from.push_back(p);
    }
    const auto moved = move_all(field, from, 2 * kCell);
    std::size_t stuck = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        ASSERT_EQ(is_in(inverse(start).apply(from[i])), is_in(inverse(end).apply(moved[i].position))) << i;
        stuck += moved[i].stuck;
        if (!moved[i].stuck) {
            ASSERT_GE(field.distance(moved[i].position, 1), kMargin);
        }
    }
    EXPECT_EQ(stuck, 0u);
}

TEST(Collide, MovingCapsuleAndMeshAreNeverEntered) {
    const auto exact = std::make_shared<const MeshDistance>(tessellate(Shape({Sphere{{}, 0.03}}), 1, 24));
    const auto sampled = std::make_shared<const SampledDistance>(exact, 0.5 * kCell);
    const SolidField field(
        {solid_of({Capsule{{-0.03, 0, 0}, {0.03, 0, 0}, 0.008}}, pose({0, 0, 1}, 0, {0, 0.02, 0}),
                  pose({0, 0, 1}, 0.5, {0.015, 0.01, 0}), false, 0),
         solid_of({sampled}, pose({0, 1, 0}, 0, {0, -0.07, 0}), pose({0, 1, 0}, 0.4, {0, -0.06, 0}), false,
                  1)},
        kDt);
    std::vector<Vec3d> from;
    for (std::uint64_t i = 0; from.size() < kParticles; ++i) {
        const Vec3d p = point(i, 0.09);
        if (field.distance(p, 0) > kMargin) from.push_back(p);
    }
    const auto moved = move_all(field, from, 2 * kCell);
    int touched[2] = {};
    std::size_t stuck = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        stuck += moved[i].stuck;
        if (moved[i].solid >= 0) ++touched[moved[i].solid];
        if (moved[i].stuck) continue;
        ASSERT_GE(field.distance(moved[i].position, 1), kMargin) << i;
        ASSERT_GT(exact->distance(inverse(field.solid(1).motion.end()).apply(moved[i].position)),
                  -0.1 * kCell);
    }
    EXPECT_EQ(stuck, 0u);
    EXPECT_GT(touched[0], 100);
    EXPECT_GT(touched[1], 100);
}

TEST(Collide, ClosingWallsReportStuckAndNothingGetsThrough) {
    const auto plate = [](double from, double to, int index) {
        return solid_of({RoundedBox{{}, {1, 0.001, 1}, 0}}, {Mat3d::identity(), {0, from, 0}},
                        {Mat3d::identity(), {0, to, 0}}, false, index);
    };
    // The gap of 8 mm closes to less than the margin on both sides.
    const SolidField field({plate(-0.005, -0.00105, 0), plate(0.005, 0.00105, 1)}, kDt);
    int stuck = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Vec3d from{0.01 * kRandom.uniform(i), kRandom.uniform(i + 5000, -0.0038, 0.0038), 0};
        const Moved m = move_point(field, from, from + point(i, 0.02), point(i, 0.02) / kDt, kMargin);
        stuck += m.stuck;
        EXPECT_LT(std::abs(m.position.y), 0.005);
        EXPECT_TRUE(is_finite(m.position) && is_finite(m.velocity));
    }
    EXPECT_EQ(stuck, 2000);
}

TEST(Collide, ParticleInACornerComesToRestAndAFreeOneIsUntouched) {
    const SolidField tank({solid_of({RoundedBox{{}, {0.1, 0.1, 0.1}, 0}}, {}, {}, true, 0)}, kDt);
    const Vec3d corner{-0.0995, -0.0995, -0.0995}, step{-0.02, -0.02, -0.02};
    const Moved m = move_point(tank, corner, corner + step, step / kDt, kMargin);
    EXPECT_FALSE(m.stuck);
    EXPECT_LT(length(m.position - Vec3d{-0.0999, -0.0999, -0.0999}), 1e-9);
    EXPECT_LT(length(m.velocity), 1e-12);
    const Moved free = move_point(tank, {0, 0, 0}, {0.01, 0.02, 0}, {1, 2, 0}, kMargin);
    EXPECT_EQ(free.position, (Vec3d{0.01, 0.02, 0}));
    EXPECT_EQ(free.velocity, (Vec3d{1, 2, 0}));
    EXPECT_EQ(free.solid, -1);
    EXPECT_EQ(move_point(SolidField{}, {}, {1, 2, 3}, {1, 1, 1}, 1).position, (Vec3d{1, 2, 3}));
}

TEST(Collide, SlidingKeepsTangentialVelocityAndAWallPushes) {
    const SolidField paddle(
        {solid_of({RoundedBox{{}, {0.05, 0.5, 0.5}, 0}}, {}, {Mat3d::identity(), {0.015, 0, 0}}, false, 0)},
        kDt);
    const Moved m = move_point(paddle, {0.051, 0, 0}, {0.041, 0.01, 0}, {-1, 1, 0}, kMargin);
    EXPECT_FALSE(m.stuck);
    EXPECT_NEAR(m.velocity.x, 1.5, 1e-9);
    EXPECT_NEAR(m.velocity.y, 1, 1e-9);
    EXPECT_GE(m.position.x, 0.065 + kMargin * 0.999);
    EXPECT_LT(m.position.x, 0.068);
    EXPECT_NEAR(m.position.y, 0.01, 1e-6);
}

TEST(Collide, PaddleSweepingATankForManyStepsLosesNothing) {
    // A thin paddle swings through a tank and passes its floor and wall at a few millimetres.
    const RoundedBox tank{{}, {0.1, 0.06, 0.04}, 0}, paddle{{0, -0.004, 0}, {0.002, 0.052, 0.036}, 0.001};
    std::vector<Vec3d> x;
    for (std::uint64_t i = 0; x.size() < 5000; ++i) {
        const Vec3d p = point(i, 0.0399);
        if (paddle.distance(p) > kMargin) x.push_back(p);
    }
    std::vector<Vec3d> v(x.size());
    const auto paddle_pose = [](int step) {
        return pose({0, 0, 1}, 0.05 * std::sin(0.9 * step), {0.09 * std::sin(0.22 * step), 0, 0});
    };
    std::size_t stuck = 0, pinned = 0;
    for (int step = 0; step < 40; ++step) {
        const SolidField field({solid_of({tank}, {}, {}, true, 0),
                                solid_of({paddle}, paddle_pose(step), paddle_pose(step + 1), false, 1)},
                               kDt);
        std::vector<int> bad(x.size(), 0);
        parallel_for(x.size(), [&](std::size_t i) {
            const Vec3d u = v[i] + kRandom.direction(i + 10000 * std::uint64_t(step)) * 0.7;
            const double speed = length(u), limit = 2 * kCell / kDt;
            const Vec3d w = speed > limit ? u * (limit / speed) : u;
            const Moved m = move_point(field, x[i], x[i] + w * kDt, w, kMargin);
            bad[i] = (m.stuck ? 1 : 0) + (field.distance_to(0, m.position, 1) < 0 ? 2 : 0) +
                     (!m.stuck && field.distance_to(1, m.position, 1) < 0 ? 4 : 0);
            x[i] = m.position, v[i] = m.velocity;
        });
        for (int b : bad) stuck += b & 1, pinned += b > 1;
    }
    EXPECT_EQ(pinned, 0u);
    EXPECT_LT(stuck, 40u);
}

TEST(Collide, BadNumbersDoNotHang) {
    const SolidField tank({solid_of({RoundedBox{{}, {0.1, 0.1, 0.1}, 0}}, {}, {}, true, 0),
                           solid_of({Sphere{{}, 0.01}}, {}, {}, false, 1)},
                          kDt);
    EXPECT_TRUE(move_point(tank, {0.05, 0, 0}, {NAN, 0, 0}, {}, kMargin).stuck);
    move_point(tank, {0.05, 0, 0}, {1e300, 0, 0}, {}, kMargin);
}

}  // namespace
}  // namespace rivulet::obstacle
