#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/elastic/cross_section.h>
#include <rivulet/elastic/rod_frame.h>
#include <rivulet/scene/build.h>
#include <rivulet/strand/commit.h>
#include <rivulet/strand/energy.h>
#include <rivulet/world/stepper.h>

/// Strands held at both ends, stepped.
namespace rivulet::world {
namespace {

/// A hair of 10 cm along x, clamped at the root, without gravity.
scene::Built hair(const std::string& lines, const std::string& gravity = "0, 0, 0 m/s^2") {
    return scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 100, end = "2 s" }
step = { max = "5 ms" }
world = { gravity = ")" + gravity + R"(" }
[contact]
law = "none"
[obstacle.hook]
shape = { type = "sphere", center = "15, 0, 0 cm", radius = "1 cm" }
[[obstacle.hook.motion]]
type = "rotate"
axis = [0, 0, 1]
pivot = "10, 0, 0 cm"
keys = [["0 s", "0 deg"], ["0.5 s", "60 deg"]]
[[obstacle.hook.motion]]
type = "translate"
keys = [["0 s", "0, 0, 0 cm"], ["0.5 s", "-3, 1, 0 cm"]]
[strands.a]
material = "human_hair"
radius = { root = "50 um" }
segment = "5 mm"
rest = "straight"
groom = { type = "rows", direction = [1, 0, 0], length = "10 cm" }
)" + lines,
                                               "test.toml", "."));
}

void run_to(scene::Built& built, double time) {
    Stepper stepper(built.model);
    while (built.world.clock.time < time - 1e-9) stepper.advance(built.world);
}

/// Angle of the tip's material axis against the root's, carried along the strand: what its joints add up to.
double total_twist(const strand::StrandState& s) {
    return s.twist[s.end(0) - 2] - s.twist[s.begin(0)];
}

TEST(HeldTips, AClampedTipGoesAndTurnsWithItsObstacle) {
    scene::Built built = hair("tip = { type = \"clamp\", to = \"hook\" }\n");
    run_to(built, 0.8);
    const strand::StrandState& s = built.world.strands;
    const double a = std::numbers::pi / 3;
    const Vec3d tip{0.07, 0.01, 0}, along{std::cos(a), std::sin(a), 0};
    EXPECT_LT(length(s.position[s.end(0) - 1] - tip), 1e-9);
    EXPECT_LT(length(s.position[s.end(0) - 2] - (tip - 5e-3 * along)), 1e-9);
    EXPECT_LT(length(s.position[s.begin(0)]), 1e-12);
    EXPECT_LT(length(s.position[s.begin(0) + 1] - Vec3d{5e-3, 0, 0}), 1e-9);
    for (std::size_t i = s.begin(0); i + 1 < s.end(0); ++i)  // an arch: bent, hardly stretched
        EXPECT_NEAR(length(s.position[i + 1] - s.position[i]), 5e-3, 1e-6);
}

TEST(HeldTips, APinnedTipMayTurn) {
    scene::Built built = hair("tip = { type = \"pin\", to = \"hook\" }\n");
    run_to(built, 0.5);
    const strand::StrandState& s = built.world.strands;
    EXPECT_LT(length(s.position[s.end(0) - 1] - Vec3d{0.07, 0.01, 0}), 1e-9);
    const Vec3d along = normalized(s.position[s.end(0) - 1] - s.position[s.end(0) - 2]);
    EXPECT_GT(std::abs(std::atan2(along.y, along.x) - std::numbers::pi / 3), 0.1);
}

// ½ GJ φ²/L with φ the turn of the tip and L the length between the clamped edges.
TEST(HeldTips, ATurnedTipTwistsTheStrand) {
    const auto built_to = [](const std::string& turn) {
        scene::Built built = hair(
            "tip = { type = \"clamp\" }\n[[strands.a.tip_twist]]\nkeys = [[\"0 s\", \"0 "
            "deg\"], [\"0.5 s\", \"" +
            turn + " deg\"]]\n");
        run_to(built, 1.5);
        return built;
    };
    for (const double turn : {90.0, -90.0}) {
        const scene::Built built = built_to(std::to_string(turn));
        const strand::StrandState& s = built.world.strands;
        const double angle = turn * std::numbers::pi / 180;
        EXPECT_NEAR(total_twist(s), angle, 1e-9);
        const auto& m = built.model.strands.materials[0];
        const double polar = 0.5 * std::numbers::pi * std::pow(50e-6, 4);
        const double energy = strand::totals(s, built.model.strands.materials, {}).elastic;
        EXPECT_NEAR(energy / (0.5 * m.shear() * polar * angle * angle / 0.09), 1, 1e-3);
    }
}

// Steps are short enough that no turn is lost; too few turns to buckle at this tension.
TEST(HeldTips, EveryTurnOfATipIsCounted) {
    scene::Built built = hair(
        "tip = { type = \"clamp\" }\n[[strands.a.tip_motion]]\ntype = \"translate\"\nkeys = "
        "[[\"0 s\", \"0, 0, 0 m\"], [\"0.02 s\", \"50, 0, 0 um\"]]\n"
        "[[strands.a.tip_twist]]\nkeys = [[\"0.02 s\", \"0 deg\"], [\"0.5 s\", \"1080 deg\"]]\n");
    run_to(built, 0.6);
    EXPECT_NEAR(total_twist(built.world.strands), 6 * std::numbers::pi, 1e-6);
}

TEST(HeldTips, TheStepSeesHowTipsMove) {
    const auto steps_of_a_frame = [](const std::string& lines) {
        scene::Built built = hair(lines);
        Stepper stepper(built.model);
        int steps = 0;
        for (; built.world.clock.frame == 0; ++steps) stepper.advance(built.world);
        return steps;
    };
    EXPECT_EQ(steps_of_a_frame("tip = { type = \"clamp\" }\n"), 2);
    // One turn a frame, in steps of at most 0.15 rad.
    EXPECT_GE(
        steps_of_a_frame("tip = { type = \"clamp\" }\n[[strands.a.tip_twist]]\nease = \"linear\"\nkeys = "
                         "[[\"0 s\", \"0 deg\"], [\"1 f\", \"360 deg\"]]\n"),
        42);
    // 4 cm a frame, in steps of at most a segment of 5 mm.
    EXPECT_GE(
        steps_of_a_frame("tip = { type = \"pin\" }\n[[strands.a.tip_motion]]\ntype = \"translate\"\nease = "
                         "\"linear\"\nkeys = [[\"0 s\", \"0, 0, 0 m\"], [\"1 f\", \"-4, 0, 0 cm\"]]\n"),
        8);
}

TEST(HeldTips, AReleasedTipSwingsFree) {
    scene::Built built = hair("tip = { type = \"pin\", release = \"0.2 s\" }\n", "0, -9.81, 0 m/s^2");
    run_to(built, 0.19);
    const strand::StrandState& s = built.world.strands;
    EXPECT_LT(length(s.position[s.end(0) - 1] - Vec3d{0.1, 0, 0}), 1e-9);
    run_to(built, 0.4);
    EXPECT_EQ(strand::EndKind(s.tip_target.kind[0]), strand::EndKind::free);
    EXPECT_LT(s.position[s.end(0) - 1].y, -1e-2);
    EXPECT_LT(length(s.position[s.begin(0)]), 1e-12);
}

}  // namespace
}  // namespace rivulet::world
