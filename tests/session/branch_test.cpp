#include <rivulet/session/branch.h>

#include <algorithm>

#include "session/support.h"

#include <rivulet/base/error.h>
#include <rivulet/io/archive_reader.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/run_directory.h>

namespace rivulet::session {
namespace {

class Branch : public testing::Test {
 protected:
    Branch() {
        scene = folder.write("scene.toml", small_scene());
        eight.limits.frames = 8;
        start(scene, {}, folder / "out", false, eight);
    }
    BranchOrder order(std::int64_t frame, std::vector<std::string> settings = {}) const {
        return {folder / "out", frame, {}, std::move(settings), folder / "branch", true};
    }
    std::string refusal(const BranchOrder& o) const {
        try {
            branch(o, eight);
        } catch (const InputError& e) {
            EXPECT_FALSE(fs::exists(o.out)) << "nothing is written";
            return e.what();
        }
        return "was not refused";
    }
    std::size_t row(const fs::path& run) const {
        const std::string metrics = io::read_text(run / "metrics.csv");
        return static_cast<std::size_t>(std::count(metrics.begin(), metrics.end(), '\n'));
    }

    ScratchFolder folder;
    fs::path scene;
    RunSetup eight;
};

TEST_F(Branch, WithoutAChangeItIsTheSameRun) {
    // Two checkpoints are kept: those of frames 7 and 8. Others are computed once more.
    for (const std::int64_t frame : {0, 3, 7}) {
        const auto record = branch(order(frame), eight);
        EXPECT_EQ(record.frames, 8);
        EXPECT_NE(record.branched_from.find("at frame"), std::string::npos);
        expect_same(folder / "out", folder / "branch");
        EXPECT_EQ(row(folder / "out"), row(folder / "branch"));
    }
}

TEST_F(Branch, GoesOnWithWhatChanged) {
    branch(order(4, {"world.gravity=0, 9.81, 0 m/s^2"}), eight);
    const output::Comparison c = output::compare_runs(folder / "out", folder / "branch", std::nullopt);
    ASSERT_FALSE(c.same());
    EXPECT_NE(c.first->where.find("frame 5"), std::string::npos) << c.first->where;
    EXPECT_NE(io::read_text(folder / "branch/log.txt").find("changed: world.gravity"), std::string::npos);
    // It is a run like any other.
    RunSetup ten;
    ten.limits.frames = 10;
    EXPECT_EQ(resume(folder / "branch", ten).frames, 10);
    EXPECT_EQ(branch({folder / "branch", 9, {}, {}, folder / "again", false}, ten).frames, 10);
}

/// What a branch took over was computed with another scene: its own cannot give it again.
TEST_F(Branch, ABranchOfABranchIsThatBranch) {
    BranchOrder first = order(3, {"world.gravity=0, 9.81, 0 m/s^2"});
    branch(first, eight);
    const auto again = [&](std::int64_t frame) {
        return BranchOrder{folder / "branch", frame, {}, {}, folder / "again", true};
    };
    for (const std::int64_t frame : {3, 5, 8}) {
        branch(again(frame), eight);
        expect_same(folder / "branch", folder / "again");
    }
    fs::remove_all(folder / "again");
    const std::string text = refusal(again(2));
    EXPECT_NE(text.find("branch of " + (folder / "out").string() + " at frame 3"), std::string::npos) << text;
}

TEST_F(Branch, GoesOnFromWhereItBeganWhenAllElseIsLost) {
    branch(order(3, {"world.gravity=0, 9.81, 0 m/s^2"}), eight);
    fs::copy(folder / "branch", folder / "copy", fs::copy_options::recursive);
    const output::RunPaths paths{folder / "branch"};
    std::vector<std::int64_t> steps = output::checkpoint_steps(paths);
    ASSERT_EQ(steps.size(), 3u) << "the newest two, and where it began";
    for (std::size_t i = 0; i < 2; ++i) fs::remove(paths.checkpoint(steps[i]));
    EXPECT_EQ(resume(folder / "branch", eight).frames, 8);
    expect_same(folder / "branch", folder / "copy");

    for (const std::int64_t step : output::checkpoint_steps(paths)) fs::remove(paths.checkpoint(step));
    try {
        resume(folder / "branch", eight);
        ADD_FAILURE() << "was not refused";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("branch again, from"), std::string::npos) << e.what();
    }
    expect_same(folder / "branch", folder / "copy");
}

TEST_F(Branch, DoesNotWriteIntoTheRunItComesFrom) {
    const fs::path elsewhere = folder.write("copy.toml", io::read_text(folder / "out/scene.toml"));
    EXPECT_THROW(branch({folder / "out", 4, elsewhere, {}, folder / "out", true}, eight), InputError);
    EXPECT_EQ(output::frame_numbers({folder / "out"}).size(), 9u);
}

TEST_F(Branch, LiquidsAndInflowsMayJoinAndChange) {
    const fs::path changed = folder.write(
        "changed.toml", io::read_text(folder / "out/scene.toml") +
                            "\n[inflow.tap]\nmaterial = \"honey\"\nshape = { type = \"sphere\", "
                            "center = \"0.5, 1.5, 0 m\", radius = \"15 cm\" }\nvelocity = \"0, -2, 0 "
                            "m/s\"\n");
    BranchOrder o = order(4, {"material.water.shear_modulus=100 Pa", "material.water.consistency=1 Pa*s"});
    o.scene = changed;
    EXPECT_EQ(branch(o, eight).status, output::RunStatus::finished);
    const std::string metrics = io::read_text(folder / "branch/metrics.csv");
    EXPECT_NE(metrics, io::read_text(folder / "out/metrics.csv"));
    // Films have room for what joined.
    const io::ArchiveReader before(folder / "out/frames/000008.npz"),
        after(folder / "branch/frames/000008.npz");
    const io::Shape shape = before.find("strands/film_share")->shape;
    EXPECT_EQ(after.find("strands/film_share")->shape, (io::Shape{shape[0], shape[1] + 1}));
    // And back: strain that nobody remembers is forgotten.
    BranchOrder back{folder / "branch", 6, {}, {"material.water.shear_modulus=0 Pa"}, folder / "back", false};
    EXPECT_EQ(branch(back, eight).status, output::RunStatus::finished);
}

TEST_F(Branch, RefusesWhatIsMadeAtTheStart) {
    const auto has = [&](const std::vector<std::string>& settings, const std::string& key,
                         const std::string& reason) {
        const std::string text = refusal(order(4, settings));
        EXPECT_NE(text.find(key), std::string::npos) << text;
        EXPECT_NE(text.find(reason), std::string::npos) << text;
    };
    has({"grid.cell=4 cm"}, "grid.cell", "old size");
    has({"detail=2"}, "detail", "old size");
    has({"time.fps=25"}, "time.fps", "other times");
    has({"liquid.drop.velocity=0, 0, 0 m/s"}, "liquid.drop", "an inflow brings liquid later");
    has({"strands.fur.groom.count=12"}, "strands.fur.groom", "made at the start");
    has({"obstacle.ball.shape.radius=10 cm"}, "obstacle.ball.shape", "already made");
    EXPECT_NE(refusal(order(9)).find("frames 0 to 8"), std::string::npos);
}

TEST_F(Branch, TheRefusalToResumeAnEditedSceneShowsTheWay) {
    std::string edited = io::read_text(folder / "out/scene.toml");
    edited.replace(edited.find("-9.81"), 5, "-1.62");
    folder.write("out/scene.toml", edited);
    EXPECT_THROW(resume(folder / "out", eight), InputError);
    EXPECT_NE(refusal(order(4)).find("was edited"), std::string::npos);
    BranchOrder o = order(4);
    o.scene = folder / "out/scene.toml";
    EXPECT_EQ(branch(o, eight).frames, 8);
    EXPECT_NE(io::read_text(folder / "branch/scene.toml").find("-1.62"), std::string::npos);
}

TEST_F(Branch, AnObstacleThatJumpsIsNamed) {
    const auto record = branch(order(4, {"obstacle.paddle.motion=[]"}), eight);
    const auto& all = record.warnings;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const std::string& w) {
        return w.find("'paddle' jumps") != std::string::npos;
    }));
}

TEST_F(Branch, AnObstacleThatTurnsAtOnceIsNamed) {
    std::string turning = small_scene();
    const std::string old = "type = \"oscillate\"\namplitude = \"10, 0, 0 cm\"\nperiod = \"0.4 s\"\n";
    ASSERT_NE(turning.find(old), std::string::npos);
    turning.replace(turning.find(old), old.size(),
                    "type = \"spin\"\naxis = [0, 0, 1]\npivot = \"0, 0.5, 0 m\"\nrate = \"60 rpm\"\n");
    start(folder.write("turning.toml", turning), {}, folder / "turning", false, eight);
    const auto record =
        branch({folder / "turning", 4, {}, {"obstacle.paddle.motion=[]"}, folder / "branch", false}, eight);
    // 4 frames of 1/50 s at 360 degrees per second: 28.8 degrees, 2 sin(14.4 deg) times half the diagonal.
    const auto& all = record.warnings;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const std::string& w) {
        return w.find("'paddle' jumps by 0.157 m") != std::string::npos;
    })) << (all.empty() ? "" : all.back());
    const auto same = branch({folder / "turning", 4, {}, {}, folder / "same", false}, eight);
    EXPECT_TRUE(std::none_of(same.warnings.begin(), same.warnings.end(),
                             [](const std::string& w) { return w.find("jumps") != std::string::npos; }));
}

}  // namespace
}  // namespace rivulet::session
