#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/made_list.h>
#include <rivulet/session/exports.h>
#include <rivulet/session/surfaces.h>

#include "session/support.h"

namespace rivulet::session {
namespace {

struct Overwrite : testing::Test {
    ScratchFolder folder;
    fs::path scene = folder.write("scene.toml", small_scene());
    fs::path out = folder / "out";
    output::RunPaths paths{out};
    std::string said;

    void run(bool overwrite, std::int64_t frames) {
        RunSetup setup;
        setup.limits.frames = frames;
        setup.watcher.message = [this](LogLevel level, const std::string& text) {
            if (level == LogLevel::warning) said += text + "\n";
        };
        start(scene, {"grid.cell=15 cm"}, out, overwrite, setup);
    }
    void put(const fs::path& name) const {
        fs::create_directories((out / name).parent_path());
        std::ofstream(out / name) << "precious";
    }
    bool kept(const fs::path& name) const {
        return fs::exists(out / name) && io::read_text(out / name) == "precious";
    }
};

TEST_F(Overwrite, RemovesWhatTheRecordsListAndNothingElse) {
    run(false, 2);
    make_surfaces(io::real_file_system(), paths, {{0, 1, 2}, 1, false});
    ExportJob job;
    job.frames = {0, 2};
    job.voxels_per_cell = 1;
    for (const auto format : {ExportFormat::usda, ExportFormat::ply, ExportFormat::vtk, ExportFormat::vdb}) {
        job.format = format;
        job.space.first_frame = 1;
        export_run(io::real_file_system(), paths, job);
        job.space.first_frame = 1001;  // both sets of names are listed
        export_run(io::real_file_system(), paths, job);
    }
    put("pictures/000001.png");  // as `render` does
    output::MadeList(io::real_file_system(), paths.pictures(), "").add(1, {"000001.png"});
    const std::vector<fs::path> theirs{"notes.txt",
                                       "frames/graph.npz",
                                       "frames/000001.npz.bak",
                                       "checkpoints/old/00000001.npz.copy",
                                       "surface/edited.obj",
                                       "pictures/poster.png",
                                       "pictures/000002.png",
                                       "export/readme.txt",
                                       "export/ply/mine.ply",
                                       "export/ply/liquid.1001.ply.orig",
                                       "export/usda/shot.usda",
                                       "export/usda/frames/mine.usda",
                                       "export/houdini/scene.hip",
                                       "inputs/reference.jpg",
                                       "cache/000001.preview",
                                       "cache/mine"};
    for (const fs::path& name : theirs) put(name);
    put("frames/.000003.npz.tmp");                                                    // of a writer that died
    std::ofstream(out / "cache/000002.preview") << "0123456789abcdefRVLT and so on";  // as the viewer does
    run(true, 0);
    for (const fs::path& name : theirs) EXPECT_TRUE(kept(name)) << name;
    EXPECT_NE(said.find("left in " + out.string()), std::string::npos) << said;
    EXPECT_NE(said.find("cache/000001.preview, cache/mine, checkpoints/old/00000001.npz.copy"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("and 11 more"), std::string::npos) << said;
    // What is there now is a fresh run and the files of others.
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(out))
        if (!entry.is_directory()) found.push_back(fs::relative(entry, out).string());
    for (const fs::path& name : theirs) std::erase(found, name.string());
    for (const char* name : {"scene.toml", "run.json", "metrics.csv", "timings.csv", "frames.csv", "log.txt",
                             "static.npz", "lock", "frames/000000.npz", "inputs/inputs.json"})
        EXPECT_EQ(std::erase(found, name), 1u) << name;
    std::erase_if(found, [](const std::string& name) {
        return name.starts_with("inputs/") || name.starts_with("checkpoints/");
    });
    EXPECT_EQ(found, std::vector<std::string>{});
}

TEST_F(Overwrite, FilesThatWouldBeTakenForTheRunsOwnStopIt) {
    run(false, 1);
    const std::string record = io::read_text(paths.record());
    for (const char* name :
         {"frames/000009.npz", "surface/000001.npz", "surface/000007.npz", "checkpoints/12345678.npz"}) {
        put(name);
        try {
            run(true, 0);
            FAIL() << name;
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
            EXPECT_NE(std::string(e.what()).find("move it elsewhere"), std::string::npos) << e.what();
        }
        EXPECT_TRUE(kept(name));
        EXPECT_EQ(io::read_text(paths.record()), record) << "nothing was touched";
        EXPECT_TRUE(fs::exists(paths.frame(1)));
        fs::remove(out / name);
    }
    run(true, 0);
    EXPECT_FALSE(fs::exists(paths.frame(1)));
}

/// A surface is ours from before it is written, complete when it is listed as such.
TEST_F(Overwrite, SurfacesAreListed) {
    run(false, 2);
    put("surface/000001.npz");
    EXPECT_EQ(make_surfaces(io::real_file_system(), paths, {{0, 1, 2}, 1, false}).made, 2);
    EXPECT_TRUE(kept("surface/000001.npz")) << "what is there is not made again";
    EXPECT_EQ(output::made_files(paths.surfaces()),
              (std::vector<std::string>{"000000.npz", "000002.npz", "made.csv"}));
    EXPECT_EQ(make_surfaces(io::real_file_system(), paths, {{0, 1, 2}, 1, false}).skipped, 3);
    output::MadeList(io::real_file_system(), paths.surfaces(), "").begin(2, {"000002.npz"});  // and died
    EXPECT_EQ(make_surfaces(io::real_file_system(), paths, {{0, 1, 2}, 1, false}).made, 1);
    EXPECT_THROW(run(true, 0), InputError);
    fs::remove(out / "surface/000001.npz");
    run(true, 0);
    EXPECT_TRUE(fs::is_empty(out / "surface"));
}

}  // namespace
}  // namespace rivulet::session
