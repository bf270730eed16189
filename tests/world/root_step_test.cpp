#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

/// Steps are short enough to see how roots move.
namespace rivulet::world {
namespace {

/// Hair on a head of 9 cm that moves as told; frames, and steps at most, of 1/24 s.
scene::Built hair_on_head(const std::string& motion) {
    return scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 24, end = "1 s" }
step = { max = "41.7 ms" }
grid = { cell = "10 cm" }
world = { air = { density = "1.2 kg/m^3" } }
[obstacle.head]
shape = { type = "sphere", center = "0, 0, 0 m", radius = "9 cm" }
[[obstacle.head.motion]]
)" + motion + R"(
[strands.hair]
material = "human_hair"
radius = { root = "45 um" }
segment = "1 cm"
root = { type = "clamp", to = "head" }
groom = { type = "patch", on = "head", count = 20, facing = [1, 0, 0], facing_angle = "30 deg", length = "5 cm", seed = 3 }
)",
                                               "test.toml", "."));
}

struct Frame {
    int steps = 0;
    double root_speed = 0, hair_speed = 0;  // largest of the frame, means over strands [m/s]
};
Frame run_frame(Stepper& stepper, World& world) {
    Frame frame;
    const std::int64_t begin = world.clock.frame;
    while (world.clock.frame == begin) {
        stepper.advance(world);
        ++frame.steps;
        const auto& s = world.strands;
        double roots = 0, all = 0;
        for (std::size_t i = 0; i < s.strand_count(); ++i) roots += length(s.velocity[s.begin(i)]);
        for (const Vec3d& v : s.velocity) all += length(v);
        frame.root_speed = std::max(frame.root_speed, roots / double(s.strand_count()));
        frame.hair_speed = std::max(frame.hair_speed, all / double(s.velocity.size()));
    }
    return frame;
}

TEST(RootStep, AHeadThatTurnsOncePerFrameTakesItsHairAlong) {
    auto [model, world, warnings, notes] =
        hair_on_head("type = \"spin\"\naxis = [0, 1, 0]\nrate = \"1440 rpm\"");
    Stepper stepper(model);
    Frame frame;
    for (int i = 0; i < 3; ++i) frame = run_frame(stepper, world);
    // 2π in steps of at most 0.15 rad, or of a segment of 1 cm where the scalp runs 9 cm away from the axis.
    EXPECT_GE(frame.steps, 42);
    EXPECT_LE(frame.steps, 120);
    const double scalp = 2 * std::numbers::pi * 24 * 0.09;
    EXPECT_GT(frame.root_speed, 0.85 * scalp);  // a patch around the equator
    EXPECT_LE(frame.root_speed, scalp);
    EXPECT_GT(frame.hair_speed, frame.root_speed);  // farther from the axis
}

TEST(RootStep, AnOscillationWithThePeriodOfAFrameIsSeen) {
    for (const char* kind :
         {"amplitude = \"0, 5, 0 cm\"", "angle_amplitude = \"30 deg\"\naxis = [0, 1, 0]"}) {
        auto [model, world, warnings, notes] =
            hair_on_head(std::string("type = \"oscillate\"\nperiod = \"1 f\"\n") + kind);
        Stepper stepper(model);
        Frame frame;
        for (int i = 0; i < 2; ++i) frame = run_frame(stepper, world);
        EXPECT_GE(frame.steps, 12) << kind;
        EXPECT_GT(frame.root_speed, 0.7 * 2 * std::numbers::pi * 24 * 0.045) << kind;
    }
}

TEST(RootStep, RootsThatFollowTheirOwnScriptLimitTheStepToo) {
    auto built = hair_on_head("type = \"spin\"\naxis = [0, 1, 0]\nrate = \"0 rpm\"");
    obstacle::Motion spin;
    spin.type = obstacle::MotionType::spin;
    spin.rate = 2 * std::numbers::pi * 24;
    built.model.strands.carriers[0].motion = obstacle::RigidMotion({spin}, "strands.hair.motion");
    Stepper turned(built.model);
    EXPECT_GE(run_frame(turned, built.world).steps, 42);
}

/// A head that is elsewhere for 10 ms of a frame of 42: the hair goes there and back.
TEST(RootStep, RootsThatJumpThereAndBackAreSeen) {
    const char* keys =
        "type = \"translate\"\nease = \"hold\"\nkeys = [[\"0 s\", \"0, 0, 0 m\"], [\"50 ms\", \"0, 2, 0 "
        "cm\"], [\"60 ms\", \"0, 0, 0 m\"]]";
    auto [model, world, warnings, notes] = hair_on_head(keys);
    Stepper stepper(model);
    EXPECT_EQ(run_frame(stepper, world).steps, 1);
    const Frame frame = run_frame(stepper, world);
    EXPECT_GE(frame.steps, 3);
    EXPECT_LE(frame.steps, 12);
    EXPECT_GT(frame.root_speed, 0.4);
    EXPECT_LE(run_frame(stepper, world).steps, 2);
    // Strands that follow keys of their own.
    obstacle::Motion jump;
    jump.offset = {{0, 0.05, 0.06}, {{0, 0, 0}, {0, 0.02, 0}, {0, 0, 0}}, obstacle::Ease::hold};
    auto built = hair_on_head("type = \"spin\"\naxis = [0, 1, 0]\nrate = \"0 rpm\"");
    built.model.strands.carriers[0].motion = obstacle::RigidMotion({jump}, "strands.hair.motion");
    Stepper own(built.model);
    EXPECT_EQ(run_frame(own, built.world).steps, 1);
    EXPECT_GT(run_frame(own, built.world).root_speed, 0.4);
}

TEST(RootStep, SlowRootsTakeTheStepsTheyTook) {
    for (const char* motion : {"type = \"spin\"\naxis = [0, 1, 0]\nrate = \"20 rpm\"",
                               "type = \"oscillate\"\nperiod = \"2 s\"\namplitude = \"0, 5, 0 mm\""}) {
        auto [model, world, warnings, notes] = hair_on_head(motion);
        Stepper stepper(model);
        for (int i = 0; i < 5; ++i) EXPECT_EQ(run_frame(stepper, world).steps, 1) << motion;
    }
}

}  // namespace
}  // namespace rivulet::world
