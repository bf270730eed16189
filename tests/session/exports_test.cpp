#include <gtest/gtest.h>

#include <map>

#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/session/exports.h>
#include <rivulet/session/surfaces.h>

#include "session/made_up_run.h"
#include "support/faulty_file_system.h"

namespace rivulet::session {
namespace {

namespace fs = std::filesystem;

ExportJob job_for(ExportFormat format) {
    ExportJob job;
    job.format = format;
    job.frames = {0, 2};
    job.space.first_frame = 1001;
    job.space.scale = 100;
    job.space.fps = 10;
    job.voxels_per_cell = 2;
    return job;
}

TEST(Exports, WriteEveryFormatOnceAndAgainForOtherSettings) {
    const MadeUpRun run;
    auto& files = io::real_file_system();
    for (const auto format : {ExportFormat::usda, ExportFormat::ply, ExportFormat::vtk, ExportFormat::vdb}) {
        ExportJob job = job_for(format);
        const ExportResult first = export_run(files, run.paths, job);
        EXPECT_EQ(first.made, 2) << to_text(format);
        EXPECT_TRUE(first.failed.empty()) << first.failed.front();
        ASSERT_FALSE(first.open_this.empty());
        for (const std::string& file : first.open_this) EXPECT_TRUE(fs::exists(file)) << file;
        EXPECT_EQ(export_run(files, run.paths, job).skipped, 2) << to_text(format);
        job.space.scale = 1;
        EXPECT_EQ(export_run(files, run.paths, job).made, 2) << to_text(format);
    }
    for (const char* name :
         {"usda/run.usda", "usda/frames/run.1003.usda", "ply/strands.1001.ply", "ply/box_1.1003.ply",
          "ply/yarn.1001.ply", "vtk/surface.pvd", "vtk/bodies.1003.vtp", "vdb/liquid_points.1001.vdb",
          "vdb/liquid_volume.1003.vdb"})
        EXPECT_TRUE(fs::exists(run.paths.root / "export" / name)) << name;
    const std::string clip =
        io::read_text(run.paths.root / "export" / "usda" / "frames" / "run.1003.usda", 1 << 24);
    const auto at = clip.find("primvars:id.timeSamples");
    ASSERT_NE(at, std::string::npos) << "strands keep their ids";
    EXPECT_NE(clip.find("[7, 8]", at), std::string::npos);
    // Speeds of edges, at vertices the mean of both beside them.
    const auto speed = clip.find("primvars:film_velocity.timeSamples");
    ASSERT_NE(speed, std::string::npos);
    EXPECT_NE(clip.find("[1, 2, 1, 0.5, 2, 0, 0, 0, 0, 0]", speed), std::string::npos);
}

TEST(Exports, PointsWithoutASizeAreLeftOutAndSaidAndTheRestIsMade) {
    MadeUpRun run;
    run.add_points_without_size(0);
    run.add_points_without_size(2);
    const ExportResult result = export_run(io::real_file_system(), run.paths, job_for(ExportFormat::ply));
    EXPECT_EQ(result.made, 2);
    EXPECT_TRUE(result.failed.empty()) << result.failed.front();
    ASSERT_EQ(result.left_out.size(), 1u) << "once, not once per frame";
    EXPECT_EQ(result.left_out[0], "marks is left out: neither radius nor volume of the points is there");
    EXPECT_TRUE(fs::exists(run.paths.root / "export/ply/liquid.1001.ply"));
    EXPECT_FALSE(fs::exists(run.paths.root / "export/ply/marks.1001.ply"));
    EXPECT_EQ(make_surfaces(io::real_file_system(), run.paths, {{0}, 1, false}).made, 1);
}

TEST(Exports, ObstaclesNeverTakeTheNameOfAGroup) {
    const MadeUpRun run;
    std::vector<std::string> messages;
    output::Frame frame = frame_of_run(run.paths, 0, false, messages);
    frame.group_names.push_back("ropes");  // has no points yet
    const output::FrameObstacle obstacle = frame.obstacles.front();
    frame.obstacles.clear();
    for (const char* name : {"liquid", "fabric yarn", "ropes", "surface", "chair", "noodles"}) {
        frame.obstacles.push_back(obstacle);
        frame.obstacles.back().name = name;
    }
    std::vector<std::string> names;
    for (const output::ExportMesh& m : export_frame(frame, 0, {}).meshes) names.push_back(m.name);
    EXPECT_EQ(names, (std::vector<std::string>{"bodies", "fabric", "liquid_2", "fabric_yarn_2", "ropes_2",
                                               "surface_2", "chair", "noodles"}));
}

/// Content of every file of an export by its name.
std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            content[fs::relative(entry, folder).string()] = io::read_text(entry.path());
    return content;
}

/// A second export, of another size, whose n-th file operation goes wrong, for every n. That is never silent.
/// The first export asked for again is then whole: no frame is listed as made that is half of the second.
void export_again_with_every(test::Fault fault, ExportFormat format) {
    const MadeUpRun run;
    make_surfaces(io::real_file_system(), run.paths, {{0}, 1, false});
    ExportJob first = job_for(format);
    first.frames = {0};
    first.voxels_per_cell = 1;
    ExportJob second = first;
    second.space.scale = 1000;
    const fs::path folder = run.paths.exports(to_text(format));
    export_run(io::real_file_system(), run.paths, first);
    const auto expected = files_in(folder);
    for (long n = 1;; ++n) {
        SCOPED_TRACE(to_text(format) + " operation " + std::to_string(n));
        test::FaultyFileSystem files(fault, n);
        bool failed = false;
        try {
            export_run(files, run.paths, second);
        } catch (const IoError&) {
            failed = true;
        } catch (const test::SimulatedCrash&) {
            failed = true;
        }
        ASSERT_EQ(failed, files.triggered());
        export_run(io::real_file_system(), run.paths, first);
        // OpenVDB gives every file a number of its own, so only the names can be compared.
        auto found = files_in(folder);
        if (format == ExportFormat::vdb)
            for (const auto& [name, content] : expected) found[name] = content;
        std::erase_if(found, [](const auto& file) { return file.first.ends_with(".tmp"); });
        ASSERT_EQ(found, expected);
        if (!failed) {
            EXPECT_GT(n, 10);
            return;
        }
    }
}

TEST(Exports, NoFaultIsSilentOrListedAsMade) {
    for (const auto format : {ExportFormat::ply, ExportFormat::usda, ExportFormat::vdb}) {
        export_again_with_every(test::Fault::no_space, format);
        if (format != ExportFormat::vdb) export_again_with_every(test::Fault::crash_after, format);
    }
}

}  // namespace
}  // namespace rivulet::session
