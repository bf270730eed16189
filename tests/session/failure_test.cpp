#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/output/run_directory.h>

#include "session/support.h"
#include "support/faulty_file_system.h"

namespace rivulet::session {
namespace {

TEST(Failure, AStepThatFailsTwiceIsRetriedSmaller) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup setup;
    setup.limits.frames = 5;
    setup.test_stage = [](const StepView& view, int attempt, world::World&) {
        if (view.step == 3 && attempt < 2) throw StepFailed("nothing", "told to fail");
    };
    const auto record = start(scene, {}, folder / "out", false, setup);
    EXPECT_EQ(record.status, output::RunStatus::finished);
    const auto csv = output::parse_csv([&] {
        std::ifstream in(folder / "out/metrics.csv");
        return std::string(std::istreambuf_iterator<char>(in), {});
    }());
    EXPECT_EQ(csv.rows[3][std::size_t(csv.column("retries"))], "2");
    EXPECT_NEAR(std::stod(csv.rows[3][std::size_t(csv.column("dt"))]) * 4,
                std::stod(csv.rows[2][std::size_t(csv.column("dt"))]), 1e-12);
}

TEST(Failure, AValueThatIsNotFiniteStopsTheRunWithItsPlace) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup setup;
    std::uint64_t spoiled = 0;
    setup.test_stage = [&](const StepView& view, int, world::World& next) {
        if (view.time < 0.1) return;
        next.liquid.velocity[7].y = std::numeric_limits<double>::quiet_NaN();
        spoiled = next.liquid.id[7];
    };
    const auto record = start(scene, {}, folder / "out", false, setup);
    EXPECT_EQ(record.status, output::RunStatus::failed);
    ASSERT_TRUE(record.error);
    EXPECT_EQ(record.error->stage, "commit");
    EXPECT_EQ(record.error->entity, "liquid/velocity of particle " + std::to_string(spoiled));
    EXPECT_EQ(record.frames, 5);
    EXPECT_EQ(record.error->frame, 6) << "that was being made";
    EXPECT_TRUE(fs::exists(folder / "out/frames/000005.npz"));
    EXPECT_FALSE(fs::exists(folder / "out/frames/000006.npz"));
    // The last good state is kept, and goes on once the fault is gone.
    EXPECT_EQ(resume(folder / "out", {}).status, output::RunStatus::finished);
    start(scene, {}, folder / "whole", false, {});
    const auto c = output::compare_runs(folder / "out", folder / "whole", std::nullopt);
    EXPECT_TRUE(c.same()) << c.first->where << ": " << c.first->what;
}

/// Two plates 5 mm apart; one goes so far towards the other [mm]. A rod of 2 mm lies between.
std::string press(const std::string& way) {
    return R"(format = 1
time = { fps = 50, end = "0.4 s" }
step = { max = "2 ms" }
world = { gravity = "0, 0, 0 m/s^2" }
output = { min_free_disk = 0 }
[obstacle.anvil]
shape = { type = "box", min = "-5, -2, -2 cm", max = "5, 0, 2 cm" }
[obstacle.hammer]
shape = { type = "box", min = "-5, 0.5, -2 cm", max = "5, 2.5, 2 cm" }
[[obstacle.hammer.motion]]
type = "translate"
keys = [["0 s", "0, 0, 0 mm"], ["0.2 s", "0, )" +
           way + R"(, 0 mm"]]
[strands.rod]
material = "human_hair"
radius = { root = "1 mm" }
segment = "5 mm"
root = { type = "free" }
groom = { type = "rows", origin = "-2, 0.2, 0 cm", columns = 1, rows = 1, column_step = "1, 0, 0 cm",
          row_step = "0, 0, 1 cm", direction = [1, 0, 0], length = "4 cm" }
)";
}

TEST(Failure, ARodBetweenWallsThatCloseBelowItsDiameterIsNamedWithThem) {
    const ScratchFolder folder;
    const auto record = start(folder.write("scene.toml", press("-3.5")), {}, folder / "out", false, {});
    EXPECT_EQ(record.status, output::RunStatus::failed);
    ASSERT_TRUE(record.error);
    EXPECT_EQ(record.error->stage, "resolve_contacts");
    EXPECT_EQ(record.error->entity, "strand 0");
    EXPECT_NE(record.error->message.find("obstacle anvil"), std::string::npos) << record.error->message;
    EXPECT_NE(record.error->message.find("obstacle hammer"), std::string::npos) << record.error->message;
    // Keys are eased: the plates are as near as the rod is thick, 2 mm, after 0.151 s.
    EXPECT_EQ(record.frames, 7);
}

TEST(Failure, ARodBetweenWallsThatLeaveItsDiameterIsNot) {
    const ScratchFolder folder;
    const auto record = start(folder.write("scene.toml", press("-2.98")), {}, folder / "out", false, {});
    EXPECT_EQ(record.status, output::RunStatus::finished) << record.error->message;
}

TEST(Failure, AnOutputFolderOfSomethingElseIsNotTouched) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    fs::create_directories(folder / "precious");
    std::ofstream(folder / "precious/thesis.txt") << "text";
    EXPECT_THROW(start(scene, {}, folder / "precious", true, {}), InputError);
    EXPECT_TRUE(fs::exists(folder / "precious/thesis.txt"));
    EXPECT_FALSE(fs::exists(folder / "precious/run.json"));
}

TEST(Failure, ARunIsReplacedOnlyWhenAskedAndOnlyItsOwnNames) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup two;
    two.limits.frames = 2;
    start(scene, {}, folder / "out", false, two);
    std::ofstream(folder / "out/notes.txt") << "mine";
    EXPECT_THROW(start(scene, {}, folder / "out", false, two), InputError);
    two.limits.frames = 1;
    start(scene, {}, folder / "out", true, two);
    EXPECT_TRUE(fs::exists(folder / "out/notes.txt"));
    EXPECT_FALSE(fs::exists(folder / "out/frames/000002.npz"));
}

TEST(Failure, ADamagedSceneOfARunIsAnError) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup one;
    one.limits.frames = 1;
    start(scene, {}, folder / "out", false, one);
    std::ofstream(folder / "out/scene.toml") << "format = \"x\"";
    EXPECT_THROW(resume(folder / "out", {}), InputError);
    std::ofstream(folder / "out/run.json") << "{]";
    EXPECT_THROW(resume(folder / "out", {}), InputError);
    EXPECT_THROW(resume(folder / "nowhere", {}), InputError);
}

TEST(Failure, CheckpointsOfAnotherVersionAreRefusedAndNothingIsLost) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup two;
    two.limits.frames = 2;
    start(scene, {}, folder / "out", false, two);
    for (const auto& entry : fs::directory_iterator(folder / "out/checkpoints")) {
        io::ArchiveWriter other;
        other.add_scalar("checkpoint/format", std::int64_t{999});
        other.write(io::real_file_system(), entry.path());
    }
    try {
        resume(folder / "out", {});
        FAIL() << "should have been refused";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("another version"), std::string::npos) << e.what();
    }
    EXPECT_TRUE(fs::exists(folder / "out/frames/000002.npz"));
}

TEST(Failure, FreeDiskSpaceIsAsked) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    const auto record = start(scene, {"output.min_free_disk=1e9 GB"}, folder / "out", false, {});
    EXPECT_EQ(record.status, output::RunStatus::failed);
    EXPECT_EQ(record.error->entity, "disk");
    EXPECT_EQ(record.error->frame, 1);
    EXPECT_EQ(record.frames, 0);
}

/// Space that runs out in the middle leaves no frame out of a run that goes on later.
TEST(Failure, ARunThatStoppedForSpaceGoesOnWithEveryFrame) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    test::FaultyFileSystem files(test::Fault::none, 0);
    files.is_full = [&] { return fs::exists(folder / "out/frames/000002.npz"); };
    RunSetup setup;
    setup.files = &files;
    const std::vector<std::string> settings{"output.min_free_disk=1 MB"};
    const auto stopped = start(scene, settings, folder / "out", false, setup);
    EXPECT_EQ(stopped.status, output::RunStatus::failed);
    EXPECT_EQ(stopped.frames, 2);
    EXPECT_EQ(stopped.error->frame, 3);
    EXPECT_EQ(resume(folder / "out", {}).status, output::RunStatus::finished);
    start(scene, settings, folder / "whole", false, {});
    expect_same(folder / "out", folder / "whole");
}

TEST(Failure, AFailedFirstStepHasItsStagesInTheRecord) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup setup;
    setup.test_stage = [](const StepView&, int, world::World&) {
        throw StepFailed("nothing", "told to fail");
    };
    start(scene, {}, folder / "out", false, setup);
    const auto record = output::read_run_record((folder / "out/run.json").string());
    EXPECT_EQ(record.status, output::RunStatus::failed);
    EXPECT_EQ(record.error->stage, "test");
    EXPECT_EQ(record.error->frame, 1);
    EXPECT_EQ(record.steps, 0);
    const auto time_of = [&](const std::string& name) {
        for (const auto& s : record.stages)
            if (s.name == name) return s.seconds;
        return -1.0;
    };
    EXPECT_GT(time_of("rasterise_liquid"), 0);
    EXPECT_GE(time_of("test"), 0);
    EXPECT_LT(time_of("commit"), 0) << "was never reached";
}

TEST(Failure, TheCapOnParticlesRefusesAFill) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    EXPECT_THROW(start(scene, {"output.max_particles=10"}, folder / "out", false, {}), InputError);
}

/// Smaller steps bring as many: the run ends at the first step that has too many, with what there was before.
TEST(Failure, TheCapOnParticlesStopsAnInflowAtOnce) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene() + R"(
[inflow.tap]
material = "water"
velocity = "0, -1, 0 m/s"
shape = { type = "box", min = "0.1, 0.6, 0.1 m", max = "0.3, 0.7, 0.3 m" }
)");
    int attempts = 0;
    std::int64_t failing_step = -1;
    RunSetup setup;
    setup.test_stage = [&](const StepView& view, int, world::World& next) {
        if (next.liquid.size() <= 7500) return;
        ++attempts;
        failing_step = view.step;
    };
    const auto record = start(scene, {"output.max_particles=7500"}, folder / "out", false, setup);
    EXPECT_EQ(record.status, output::RunStatus::failed);
    ASSERT_TRUE(record.error);
    EXPECT_EQ(record.error->stage, "commit");
    EXPECT_EQ(record.error->entity, "liquid");
    EXPECT_EQ(attempts, 1);
    EXPECT_EQ(record.steps, failing_step);
    EXPECT_GT(failing_step, 1);
    const output::RunPaths paths{folder / "out"};
    const auto left =
        output::read_checkpoint(paths.checkpoint(output::checkpoint_steps(paths).front())).world;
    EXPECT_EQ(left.clock.step, failing_step);
    EXPECT_LE(left.liquid.size(), 7500u);
}

}  // namespace
}  // namespace rivulet::session
