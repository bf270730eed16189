#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/obstacle/rigid_motion.h>

namespace rivulet::obstacle {
namespace {

constexpr double kPi = std::numbers::pi;

std::string key_of_refusal(const std::vector<Motion>& motions) {
    try {
        RigidMotion motion(motions, "obstacle.paddle.motion");
    } catch (const InputError& e) {
        return e.problems()[0].key;
    }
    return "";
}

TEST(KeyCurve, PassesThroughItsKeysAndIsHeldOutside) {
    for (Ease ease : {Ease::smooth, Ease::linear, Ease::hold}) {
        const KeyCurve c({1, 2, 4}, {5, -1, 3}, ease);
        EXPECT_EQ(c.at(0), 5);
        EXPECT_EQ(c.at(1), 5);
        EXPECT_NEAR(c.at(2), -1, 1e-15);
        EXPECT_EQ(c.at(4), 3);
        EXPECT_EQ(c.at(99), 3);
    }
    EXPECT_EQ(KeyCurve({1}, {7}, Ease::smooth).at(0.3), 7);
    EXPECT_DOUBLE_EQ(KeyCurve({0, 1}, {0, 2}, Ease::linear).at(0.25), 0.5);
    EXPECT_EQ(KeyCurve({0, 1}, {0, 2}, Ease::hold).at(0.99), 0);
    // Two keys: the cubic with flat ends, 3u^2 - 2u^3.
    EXPECT_DOUBLE_EQ(KeyCurve({0, 1}, {0, 2}, Ease::smooth).at(0.25), 2 * (3 * 0.0625 - 2 * 0.015625));
}

TEST(KeyCurve, SmoothIsMonotoneBetweenKeysWithContinuousSlope) {
    const Random random(5, 0);
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
        std::vector<double> time, value;
        double t = 0;
        for (std::uint64_t k = 0; k < 8; ++k) {
            time.push_back(t += 0.05 + random.uniform(100 * trial + k));
            value.push_back(k % 3 == 2 ? value.back() : random.uniform(100 * trial + 50 + k, -1, 1));
        }
        const KeyCurve c(time, value, Ease::smooth);
        for (std::size_t k = 0; k + 1 < time.size(); ++k) {
            double before = value[k];
            for (int i = 1; i <= 200; ++i) {
                const double now = c.at(time[k] + (time[k + 1] - time[k]) * i / 200.0);
                EXPECT_GE((now - before) * (value[k + 1] - value[k]), -1e-15);
                before = now;
            }
            const double h = 1e-6;
            const double left = (c.at(time[k]) - c.at(time[k] - h)) / h,
                         right = (c.at(time[k] + h) - c.at(time[k])) / h;
            EXPECT_NEAR(left, right, 1e-3);
        }
    }
}

TEST(RigidMotion, AppliesInListOrder) {
    Motion shift, turn;
    shift.type = MotionType::translate;
    shift.offset = {{0, 1}, {{0, 0, 0}, {1, 0, 0}}, Ease::linear};
    turn.type = MotionType::rotate;
    turn.axis = {0, 0, 2};
    turn.angle = {{0, 1}, {0, kPi / 2}, Ease::linear};
    const Vec3d shift_first = RigidMotion({shift, turn}, "m").at(1).apply({0, 0, 0});
    const Vec3d turn_first = RigidMotion({turn, shift}, "m").at(1).apply({0, 0, 0});
    EXPECT_LT(length(shift_first - Vec3d{0, 1, 0}), 1e-15);
    EXPECT_LT(length(turn_first - Vec3d{1, 0, 0}), 1e-15);
    EXPECT_EQ(RigidMotion().at(3), geometry::Pose{});
}

TEST(RigidMotion, SpinAndOscillationAreActiveBetweenTheirTimes) {
    Motion spin;
    spin.type = MotionType::spin;
    spin.rate = 2, spin.start = 1, spin.stop = 3, spin.axis = {0, 0, 1}, spin.pivot = {1, 0, 0};
    const RigidMotion turning({spin}, "m");
    EXPECT_EQ(turning.at(0.5).apply({2, 0, 0}), (Vec3d{2, 0, 0}));
    EXPECT_LT(length(turning.at(1.5).apply({2, 0, 0}) - Vec3d{1 + std::cos(1.0), std::sin(1.0), 0}), 1e-14);
    EXPECT_EQ(turning.at(9), turning.at(3));
    Motion wave;
    wave.type = MotionType::oscillate;
    wave.amplitude = {0.1, 0, 0}, wave.period = 0.5, wave.phase = 0.3, wave.start = 1;
    const RigidMotion swinging({wave}, "m");
    EXPECT_EQ(swinging.at(0.2).translation.x, 0);
    EXPECT_NEAR(swinging.at(1.1).translation.x, 0.1 * (std::sin(2 * kPi * 0.2 + 0.3) - std::sin(0.3)), 1e-15);
    wave.angle_amplitude = 0.2, wave.axis = {0, 1, 0};
    const Vec3d v = geometry::rotation_vector(RigidMotion({wave}, "m").at(1.1).rotation);
    EXPECT_NEAR(v.y, 0.2 * (std::sin(2 * kPi * 0.2 + 0.3) - std::sin(0.3)), 1e-14);
}

TEST(RigidMotion, RefusesBadNumbersAtTheirKey) {
    Motion m;
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].keys");
    m.offset = {{0, 0}, {{}, {}}, Ease::smooth};
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].keys");
    m.offset = {{0, NAN}, {{}, {}}, Ease::smooth};
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].keys");
    m.offset = {{0}, {{}, {}}, Ease::smooth};
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].keys");
    m.type = MotionType::spin;
    m.axis = {};
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].axis");
    m.axis = {0, 1, 0}, m.stop = -1;
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].stop");
    m.type = MotionType::oscillate, m.stop = 1, m.period = 0;
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].period");
    m.type = MotionType::transforms, m.file = "no/such/file.txt";
    EXPECT_EQ(key_of_refusal({m}), "obstacle.paddle.motion[0].file");
}

class TransformFile : public testing::Test {
 protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() /
                 ("rivulet_transforms_" +
                  std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
                  std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::string write(const std::string& text) {
        const std::string path = (folder / "moves.txt").string();
        std::ofstream(path) << text;
        return path;
    }
    std::string refusal(const std::string& text) {
        try {
            read_transforms(write(text), "obstacle.head.motion[0].file");
        } catch (const InputError& e) {
            return std::to_string(e.problems()[0].line) + " " + e.problems()[0].message;
        }
        return "";
    }
    std::filesystem::path folder;
};

TEST_F(TransformFile, ReadsAndInterpolates) {
    const TransformTrack track = read_transforms(write("# head\n"
                                                       "0  1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1\n\n"
                                                       "2, 0 -1 0 4, 1 0 0 6, 0 0 1 8, 0 0 0 1\r\n"),
                                                 "k");
    ASSERT_EQ(track.time.size(), 2u);
    EXPECT_EQ(track.at(-1), track.pose[0]);
    EXPECT_EQ(track.at(5), track.pose[1]);
    const geometry::Pose half = track.at(1);
    EXPECT_LT(length(half.translation - Vec3d{2, 3, 4}), 1e-14);
    EXPECT_NEAR(half.rotation(0, 0), std::sqrt(0.5), 1e-14);
    EXPECT_NEAR(half.rotation(1, 0), std::sqrt(0.5), 1e-14);
}

TEST_F(TransformFile, RefusesWithTheLine) {
    const std::string unit = " 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n";
    EXPECT_EQ(refusal("0" + unit + "0" + unit), "2 times must increase");
    EXPECT_EQ(refusal("0 1 2 3\n"), "1 expected 17 numbers");
    EXPECT_EQ(refusal("0 1" + unit), "1 expected 17 numbers");
    EXPECT_EQ(refusal("0" + unit + "zwei" + unit), "2 expected numbers");
    EXPECT_EQ(refusal("nan" + unit), "1 expected numbers");
    EXPECT_EQ(refusal("0 2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n"), "1 the matrix scales or shears");
    EXPECT_EQ(refusal("0 -1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n"), "1 the matrix mirrors");
    EXPECT_EQ(refusal("0 1 0 0 0 0 1 0 0 0 0 1 0 5 0 0 1\n"), "1 the last row of the matrix must be 0 0 0 1");
    EXPECT_EQ(refusal("# nothing\n"), "1 no transforms in the file");
}

}  // namespace
}  // namespace rivulet::obstacle
