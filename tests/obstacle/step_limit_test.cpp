#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <unistd.h>

#include <rivulet/base/random.h>
#include <rivulet/obstacle/step_limit.h>

namespace rivulet::obstacle {
namespace {

constexpr double kPi = std::numbers::pi;
const geometry::Bounds kDomain{{-5, -5, -5}, {5, 5, 5}};

Motion spin(double rate, const Vec3d& axis = {0, 1, 0}, const Vec3d& pivot = {}) {
    Motion m;
    m.type = MotionType::spin;
    m.rate = rate;
    m.axis = axis;
    m.pivot = pivot;
    return m;
}

Motion oscillation(const Vec3d& amplitude, double period, double angle = 0) {
    Motion m;
    m.type = MotionType::oscillate;
    m.amplitude = amplitude;
    m.period = period;
    m.angle_amplitude = angle;
    m.axis = {0, 0, 1};
    m.phase = 0.4;
    m.start = 0.1;
    m.stop = 3;
    return m;
}

Motion turned_by_keys() {
    Motion m;
    m.type = MotionType::rotate;
    m.angle = {{0, 0.3, 0.4, 0.9, 1.5}, {0, 2, -1, 3, 0.5}, Ease::smooth};
    m.axis = {1, 1, 0};
    m.pivot = {0.2, 0, 0.1};
    return m;
}

Motion shifted_by_keys(Ease ease) {
    Motion m;
    m.offset = {{0.2, 0.5, 0.6, 1.1}, {{0, 0, 0}, {1, -2, 0}, {0.5, 1, 1}, {0, 0, 3}}, ease};
    return m;
}

ObstacleSet ball(const std::vector<Motion>& motion, double radius = 0.1) {
    ObstacleDescription d;
    d.name = "ball";
    d.shape.type = geometry::ShapeType::sphere;
    d.shape.radius = radius;
    d.motion = motion;
    return ObstacleSet({d}, 0.05);
}

/// Length of the path of a point, and sum of its frame's turns, from many short pieces: the slow twin.
Reach followed(const RigidMotion& motion, const Vec3d& rest, double from, double to) {
    constexpr int kPieces = 20000;
    Reach sum;
    geometry::Pose before = motion.at(from);
    for (int i = 1; i <= kPieces; ++i) {
        const geometry::Pose now = motion.at(from + (to - from) * i / kPieces);
        sum.travel += length(now.apply(rest) - before.apply(rest));
        sum.turn += length(geometry::rotation_vector(now.rotation * transpose(before.rotation)));
        before = now;
    }
    return sum;
}

Reach bound(const RigidMotion& motion, const Vec3d& rest, double from, double to) {
    Passage passage{rest};
    motion.carry(from, to, passage);
    EXPECT_LT(length(passage.place - motion.at(from).apply(rest)), 1e-12);
    return {passage.travel, passage.turn};
}

TEST(Variation, OfASineCountsEveryWayUpAndDown) {
    EXPECT_NEAR(sine_variation(0, kPi / 2), 1, 1e-14);
    EXPECT_NEAR(sine_variation(0, kPi), 2, 1e-14);
    EXPECT_NEAR(sine_variation(0.3, 0.3 + 2 * kPi), 4, 1e-13);
    EXPECT_NEAR(sine_variation(-7, 20 * kPi - 7), 40, 1e-12);
    EXPECT_NEAR(sine_variation(1, 2), 2 - std::sin(1) - std::sin(2), 1e-14);
    EXPECT_EQ(sine_variation(1, 1), 0);
}

TEST(Variation, OfKeysCountsEveryWayBackAndForth) {
    for (const Ease ease : {Ease::smooth, Ease::linear}) {
        const KeyCurve c({0, 1, 2, 4}, {0, 3, -1, 1}, ease);
        EXPECT_NEAR(c.variation(-1, 9), 3 + 4 + 2, 1e-14);
        EXPECT_NEAR(c.variation(0.5, 2), 3 - c.at(0.5) + 4, 1e-14);
        EXPECT_NEAR(c.variation(1.2, 1.7), c.at(1.2) - c.at(1.7), 1e-14);
    }
    EXPECT_EQ(KeyCurve({0, 1}, {0, 5}, Ease::hold).variation(-1, 9), 0);
}

TEST(Variation, OfHeldKeysIsJumps) {
    const KeyCurve c({0, 1, 2, 4, 5}, {0, 3, 3, -1, 0}, Ease::hold);
    EXPECT_FALSE(c.jumps(-1, 0.999).any()) << "the first key begins nothing new";
    EXPECT_FALSE(c.jumps(1, 3).any()) << "seen before; the third key says the same again";
    EXPECT_TRUE(c.jumps(0.999, 1).any());
    EXPECT_FALSE(c.jumps(0.5, 3).several());
    const Jumps all = c.jumps(0, 9);
    EXPECT_TRUE(all.several());
    EXPECT_EQ(all.first, 1);
    EXPECT_EQ(all.last, 5);
    EXPECT_FALSE(KeyCurve({0, 1, 2}, {0, 3, 0}, Ease::linear).jumps(0, 9).any());
    // A step ends at a key up to rounding: whatever it ends at, the jump is in one step, not between two.
    for (const double end : {std::nextafter(4.0, 0.0), 4.0, std::nextafter(4.0, 5.0)}) {
        EXPECT_EQ(c.at(end), -1);
        EXPECT_TRUE(c.jumps(3.5, end).any());
        EXPECT_FALSE(c.jumps(end, 4.5).any());
    }
}

TEST(Passage, OfOneMotionIsItsPath) {
    const Vec3d rest{0.3, -0.2, 0.5};
    for (const Motion& m : {spin(7, {1, 2, 3}, {0.1, 0, 0}), oscillation({0, 2, 0}, 0.7),
                            oscillation({}, 0.7, 1.3), turned_by_keys()}) {
        const RigidMotion motion({m}, "motion");
        for (const double from : {0.0, 0.35, 1.2})
            for (const double length : {0.05, 0.7, 2.5}) {
                const Reach path = followed(motion, rest, from, from + length),
                            most = bound(motion, rest, from, from + length);
                EXPECT_NEAR(most.travel, path.travel, 1e-4 * path.travel);
                EXPECT_NEAR(most.turn, path.turn, 1e-4 * path.turn);
            }
    }
}

TEST(Passage, OfSeveralMotionsIsABound) {
    const std::string file =
        std::filesystem::temp_directory_path() / ("rivulet_step_limit_" + std::to_string(getpid()) + ".txt");
    std::ofstream(file) << "0 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1\n"
                           "0.5 0 -1 0 1  1 0 0 0  0 0 1 0  0 0 0 1\n"
                           "0.8 1 0 0 0  0 1 0 0.3  0 0 1 0  0 0 0 1\n";
    Motion track;
    track.type = MotionType::transforms;
    track.file = file;
    const std::vector<std::vector<Motion>> lists{
        {shifted_by_keys(Ease::smooth), spin(5)},
        {oscillation({0.3, 0, 0.1}, 0.2, 0.5), turned_by_keys(), shifted_by_keys(Ease::linear)},
        {track},
        {spin(-3, {0, 0, 1}, {1, 0, 0}), track, oscillation({0, 1, 0}, 0.33)}};
    const Random random(4, 4);
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const RigidMotion motion(lists[i], "motion");
        for (std::uint64_t trial = 0; trial < 20; ++trial) {
            const double from = random.uniform(5 * trial, -0.2, 1.5),
                         to = from + random.uniform(5 * trial + 1, 0, 1);
            const Vec3d rest{random.uniform(5 * trial + 2, -1, 1), random.uniform(5 * trial + 3, -1, 1),
                             random.uniform(5 * trial + 4, -1, 1)};
            const Reach path = followed(motion, rest, from, to), most = bound(motion, rest, from, to);
            EXPECT_GE(most.travel, path.travel * (1 - 1e-6)) << i;
            EXPECT_GE(most.turn, path.turn * (1 - 1e-6) - 1e-9) << i;
        }
    }
    std::filesystem::remove(file);
}

TEST(LongestStep, IsTheCourantStepOfEvenMotion) {
    Motion ride;
    ride.offset = {{0, 1}, {{0, 0, 0}, {3, 0, 0}}, Ease::linear};
    const ObstacleSet set = ball({ride});
    EXPECT_DOUBLE_EQ(longest_step(set, 0.2, 0.1, 0.06, kDomain), 0.06 / set.max_speed(0.2, 0.1, kDomain));
    EXPECT_EQ(longest_step(set, 0.2, 0.01, 0.06, kDomain), 0.01);
    EXPECT_EQ(longest_step(set, 7, 0.1, 0.06, kDomain), 0.1);
    EXPECT_EQ(longest_step(ball({}), 0, 0.1, 0.06, kDomain), 0.1);
}

/// What a step from end to end would not see at all.
TEST(LongestStep, DoesNotMissWhatReturnsWithinAStep) {
    const double dt = 0.02, distance = 0.01;
    for (const Motion& hidden : {spin(2 * kPi / dt, {0, 1, 0}, {1, 0, 0}), spin(2 * kPi / dt),
                                 oscillation({0, 0.2, 0}, dt), oscillation({0, 0.2, 0}, dt / 3)}) {
        const ObstacleSet set = ball({hidden});
        EXPECT_LT(set.max_speed(1, dt, kDomain), 1e-9);
        const double step = longest_step(set, 1, dt, distance, kDomain);
        const Reach reach = reach_of_box({{0, 0, 0}, {0, 0, 0}}, set, 0, {}, 1, 1 + step);
        EXPECT_LT(step, dt / 4);
        EXPECT_GT(step, dt / 4000);
        EXPECT_LE(reach.travel, distance);
        EXPECT_LE(reach.turn, 1);
    }
}

/// Out at once and back a little later: no step crosses both jumps, and none is shorter for them than the
/// time between.
TEST(LongestStep, CrossesOneJumpAtATime) {
    Motion jump, turn;
    jump.offset = {{0, 0.05, 0.06}, {{0, 0, 0}, {0, 0.2, 0}, {0, 0, 0}}, Ease::hold};
    turn.type = MotionType::rotate;
    turn.angle = {{0, 0.05, 0.06}, {0, 2, 0}, Ease::hold};
    turn.axis = {0, 0, 1};
    turn.pivot = {1, 0, 0};
    for (const std::vector<Motion>& motion : {std::vector{jump}, {turn}, {jump, turn}}) {
        const ObstacleSet set = ball(motion);
        const double longest = 1 / 24.0;
        double t = 0, highest = 0;
        int steps = 0;
        for (; t < 0.1; ++steps) {
            const double dt = longest_step(set, t, longest, 0.01, kDomain);
            EXPECT_GE(dt, 0.004);
            t += dt;
            highest = std::max(highest, length(set.pose_at(0, t).apply({}) - set.pose_at(0, 0).apply({})));
        }
        EXPECT_GE(highest, 0.2) << "was not seen";
        EXPECT_LE(steps, 8);
    }
    // Jumping does not hide what else it does.
    const ObstacleSet both = ball({jump, spin(2 * kPi / 0.02, {0, 1, 0}, {1, 0, 0})});
    for (const double t : {0.0, 0.045, 0.055, 0.07})
        EXPECT_LE(longest_step(both, t, 0.02, 0.01, kDomain) * 2 * kPi / 0.02, 0.02);
}

/// A motion that speeds up, slows down and turns round, all seen by its steps, is left alone.
TEST(LongestStep, BelievesTheSpeedOfMotionThatIsResolved) {
    const ObstacleSet set = ball({oscillation({0, 0.5, 0}, 1)});
    const double dt = 0.01, distance = 0.02;
    for (double t = 0; t < 2; t += 0.003) {
        const double speed = set.max_speed(t, dt, kDomain);
        EXPECT_EQ(longest_step(set, t, dt, distance, kDomain),
                  speed > 0 ? std::min(dt, distance / speed) : dt);
    }
}

}  // namespace
}  // namespace rivulet::obstacle
