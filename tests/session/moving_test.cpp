#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/frame.h>
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
