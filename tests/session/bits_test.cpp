#include <algorithm>

#include "session/support.h"

namespace rivulet::session {
namespace {

TEST(Bits, ThreadCountDoesNotMatter) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    for (int threads : {1, 2, 4})
        with_threads(threads, [&] { start(scene, {}, folder / std::to_string(threads), false, {}); });
    expect_same(folder / "1", folder / "2");
    expect_same(folder / "1", folder / "4");
}

TEST(Bits, RebuildingTheStepperAfterEveryStepDoesNotMatter) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    start(scene, {}, folder / "kept", false, {});
    RunSetup rebuilding;
    rebuilding.rebuild_stepper = true;
    start(scene, {}, folder / "rebuilt", false, rebuilding);
    expect_same(folder / "kept", folder / "rebuilt");
}

TEST(Bits, TenFramesAndResumeToTwentyEqualTwenty) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup ten, twenty;
    ten.limits.frames = 10;
    twenty.limits.frames = 20;
    start(scene, {}, folder / "parts", false, ten);
    const auto record = resume(folder / "parts", twenty);
    EXPECT_EQ(record.frames, 20);
    start(scene, {}, folder / "whole", false, twenty);
    expect_same(folder / "parts", folder / "whole");
}

TEST(Bits, AFinishedRunCanBeExtended) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    start(scene, {}, folder / "parts", false, {});
    RunSetup longer;
    longer.limits.end = 0.6;
    EXPECT_EQ(resume(folder / "parts", longer).frames, 30);
    start(scene, {"time.end=0.6 s"}, folder / "whole", false, {});
    expect_same(folder / "parts", folder / "whole");
}

TEST(Bits, TheResolvedSceneGivesTheSameRun) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    start(scene, {"time.end=0.2 s"}, folder / "a", false, {});
    start(folder / "a/scene.toml", {}, folder / "b", false, {});
    expect_same(folder / "a", folder / "b");
}

TEST(Bits, AnInterruptedRunGoesOnMidFrame) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup stopping;
    int steps = 0;
    stopping.watcher.stop_wanted = [&] { return ++steps == 31; };
    const auto record = start(scene, {}, folder / "parts", false, stopping);
    EXPECT_EQ(record.status, output::RunStatus::interrupted);
    EXPECT_EQ(record.steps, 31);
    EXPECT_EQ(resume(folder / "parts", {}).status, output::RunStatus::finished);
    start(scene, {}, folder / "whole", false, {});
    expect_same(folder / "parts", folder / "whole");
}

TEST(Bits, ADamagedNewestCheckpointFallsBack) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    RunSetup ten;
    ten.limits.frames = 10;
    start(scene, {}, folder / "parts", false, ten);
    fs::path newest;
    for (const auto& entry : fs::directory_iterator(folder / "parts/checkpoints"))
        newest = std::max(newest, entry.path());
    fs::resize_file(newest, fs::file_size(newest) - 100);
    const auto record = resume(folder / "parts", {});
    EXPECT_EQ(record.status, output::RunStatus::finished);
    EXPECT_TRUE(std::any_of(record.warnings.begin(), record.warnings.end(), [&](const std::string& w) {
        return w.find(newest.filename().string()) != std::string::npos;
    }));
    start(scene, {}, folder / "whole", false, {});
    expect_same(folder / "parts", folder / "whole");
}

TEST(Bits, AComparisonSeesOneChangedBit) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", small_scene());
    start(scene, {"time.end=0.1 s"}, folder / "a", false, {});
    start(scene, {"time.end=0.1 s", "liquid.drop.velocity=0.5, 0, 0.2000001 m/s"}, folder / "b", false, {});
    EXPECT_FALSE(output::compare_runs(folder / "a", folder / "b", std::nullopt).same());
    EXPECT_TRUE(output::compare_runs(folder / "a", folder / "b", 1e-5).same());
}

}  // namespace
}  // namespace rivulet::session
