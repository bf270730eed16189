#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/frame.h>
#include <rivulet/session/branch.h>
#include <rivulet/session/exports.h>
#include <rivulet/session/pictures.h>
#include <rivulet/session/surfaces.h>

#include "session/support.h"

namespace rivulet::session {
namespace {

/// A cube of this half side as OBJ.
std::string cube(double h) {
    std::string text;
    for (int corner = 0; corner < 8; ++corner) {
        text += "v";
        for (int axis = 0; axis < 3; ++axis) text += " " + std::to_string(corner >> axis & 1 ? h : -h);
        text += "\n";
    }
    return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

constexpr const char* kPlace = " 1 0 0 0  0 1 0 0.4  0 0 1 0  0 0 0 1\n";

/// Reads files of every kind, from two folders, one of them called like a pattern, and includes another text.
struct Moving : testing::Test {
    ScratchFolder folder;
    fs::path scene = folder / "studio#1/scene.toml";
    RunSetup two, four;

    Moving() {
        fs::create_directories(folder / "studio#1/models");
        folder.write("studio#1/base.toml", small_scene());
        folder.write("studio#1/models/stone.obj", cube(0.1));
        for (int i = 1; i <= 3; ++i)
            folder.write("studio#1/models/jelly_000" + std::to_string(i) + ".obj", cube(0.1 + 0.01 * i));
        folder.write("studio#1/path.txt", "0" + std::string(kPlace) + "1" + kPlace);
        folder.write("studio#1/models/threads.obj", "v 0 1 0\nv 0 1.1 0\nv 0.02 1.2 0\nl 1 2 3\n");
        folder.write("studio#1/scene.toml", R"(format = 1
include = ["base.toml"]
grid = { cell = "15 cm" }
[obstacle.stone]
shape = { type = "mesh", file = "models/stone.obj" }
[[obstacle.stone.motion]]
type = "transforms"
file = "path.txt"
[obstacle.jelly]
shape = { type = "mesh", file = "models/jelly_0001.obj" }
[[obstacle.jelly.motion]]
type = "meshes"
file = "models/jelly_####.obj"
first_frame = 1
last_frame = 3
[strands.threads]
material = "fibre"
radius = { root = "2 mm" }
segment = "5 cm"
groom = { type = "file", file = "models/threads.obj" }
)");
        two.limits.frames = 2;
        four.limits.frames = 4;
    }
};

TEST_F(Moving, ARunGoesOnElsewhereWithoutTheFilesItCameFrom) {
    start(scene, {}, folder / "whole", false, four);
    start(scene, {}, folder / "out", false, two);
    fs::remove_all(folder / "studio#1");
    fs::create_directories(folder / "other {frame} machine");
    const fs::path moved = folder / "other {frame} machine/##";
    fs::rename(folder / "out", moved);
    EXPECT_EQ(resume(moved, four).status, output::RunStatus::finished);
    expect_same(moved, folder / "whole");
    start(moved / "scene.toml", {}, folder / "again", false, four);
    expect_same(folder / "again", folder / "whole");

    const output::RunPaths paths{moved};
    std::vector<std::string> messages;
    EXPECT_GT(output::read_frame({paths.frame(4), paths.fixed(), {}}, messages).cell, 0);
    EXPECT_TRUE(messages.empty()) << messages.front();
    EXPECT_EQ(make_surfaces(io::real_file_system(), paths, {{4}, 1, false}).made, 1);
    ExportJob job;
    job.format = ExportFormat::ply;
    job.frames = {4};
    EXPECT_EQ(export_run(io::real_file_system(), paths, job).made, 1);
    const std::string text = io::read_text(paths.scene());
    EXPECT_EQ(text.find(folder.path().string()), std::string::npos) << "no place of this machine\n" << text;
}

/// Meshes, a groom, poses and a sequence of meshes; by a relative path, elsewhere, from an edited copy.
TEST_F(Moving, ABranchFindsTheFilesOfItsRun) {
    start(scene, {}, folder / "out", false, four);
    const auto branched = [&](const fs::path& from, const fs::path& scene_text) {
        const BranchOrder order{
            from, 2, scene_text.empty() ? std::optional<fs::path>{} : scene_text, {}, folder / "branch",
            true};
        return branch(order, four).status;
    };
    const fs::path relative = fs::relative(folder / "out");
    ASSERT_TRUE(relative.is_relative());
    EXPECT_EQ(branched(relative, {}), output::RunStatus::finished);
    expect_same(folder / "branch", folder / "out");
    EXPECT_EQ(branched(folder / "out", scene), output::RunStatus::finished) << "the same files elsewhere";
    expect_same(folder / "branch", folder / "out");

    fs::remove_all(folder / "studio#1");
    fs::create_directories(folder / "other machine");
    const fs::path moved = folder / "other machine/my run", copy = folder / "other machine/edited.toml";
    fs::rename(folder / "out", moved);
    EXPECT_EQ(branched(moved, {}), output::RunStatus::finished);
    expect_same(folder / "branch", moved);
    std::string edited = io::read_text(moved / "scene.toml");
    edited.replace(edited.find("-9.81"), 5, "-1.62");
    folder.write("other machine/edited.toml", edited);
    EXPECT_EQ(branched(fs::relative(moved), copy), output::RunStatus::finished);
    EXPECT_NE(io::read_text(folder / "branch/log.txt").find("changed: world.gravity"), std::string::npos);
    fs::remove_all(moved);
    RunSetup five;
    five.limits.frames = 5;
    EXPECT_EQ(resume(folder / "branch", five).frames, 5) << "it has files of its own";
}

TEST_F(Moving, ABranchDoesNotGoOnWithAnotherMesh) {
    start(scene, {}, folder / "out", false, two);
    folder.write("studio#1/models/stone.obj", cube(0.2));
    folder.write("studio#1/models/jelly_0002.obj", cube(0.2));
    try {
        branch({folder / "out", 1, scene, {}, folder / "branch", false}, two);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("obstacle.stone.shape"), std::string::npos) << e.what();
        EXPECT_EQ(std::string(e.what()).find("obstacle.jelly.shape"), std::string::npos) << e.what();
    }
    folder.write("studio#1/models/stone.obj", cube(0.1));
    const auto record = branch({folder / "out", 1, scene, {}, folder / "branch", false}, two);
    EXPECT_NE(io::read_text(folder / "branch/log.txt").find("changed: obstacle.jelly.motion"),
              std::string::npos)
        << "a motion may";
    ASSERT_FALSE(record.warnings.empty());
    EXPECT_NE(record.warnings.back().find("'jelly' jumps"), std::string::npos) << record.warnings.back();
}

TEST_F(Moving, ACommandToTypeIsQuoted) {
    start(scene, {}, folder / "my run", false, two);
    folder.write("my run/scene.toml", "# edited\n");
    try {
        resume(folder / "my run", four);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(
            std::string(e.what()).find("rivulet branch '" + (folder / "my run").string() + "' --scene '"),
            std::string::npos)
            << e.what();
    }
}

TEST_F(Moving, ACopyThatChangedIsNamed) {
    start(scene, {}, folder / "out", false, two);
    EXPECT_TRUE(fs::exists(folder / "out/inputs/1/stone.obj"));
    folder.write("studio#1/models/stone.obj", cube(0.2));  // no concern of the run
    resume(folder / "out", two);
    folder.write("out/inputs/1/stone.obj", cube(0.2));
    try {
        resume(folder / "out", four);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("inputs/1/stone.obj"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("has changed"), std::string::npos) << e.what();
    }
    fs::remove(folder / "out/inputs/1/stone.obj");
    EXPECT_THROW(resume(folder / "out", four), InputError);
}

TEST_F(Moving, ARunDoesNotOverwriteWhatItReads) {
    start(scene, {}, folder / "out", false, two);
    try {
        start(folder / "out/scene.toml", {}, folder / "out", true, four);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("would remove it"), std::string::npos) << e.what();
    }
    EXPECT_EQ(resume(folder / "out", four).status, output::RunStatus::finished) << "nothing was touched";
}

TEST_F(Moving, AnEditedSceneDoesNotGoOn) {
    start(scene, {}, folder / "out", false, two);
    const fs::path resolved = folder / "out/scene.toml";
    const std::string before = io::read_text(resolved);
    std::string edited = before;
    edited.replace(edited.find("-9.81"), 5, "-1.62");
    folder.write("out/scene.toml", edited);
    try {
        resume(folder / "out", four);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("scene.toml: was edited"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("--scene " + resolved.string()), std::string::npos) << e.what();
    }
    start(resolved, {}, folder / "moon", false, two);  // as the message says
    folder.write("out/scene.toml", before);
    EXPECT_EQ(resume(folder / "out", four).frames, 4);
}

}  // namespace
}  // namespace rivulet::session
