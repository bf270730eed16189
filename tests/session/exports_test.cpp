#include <gtest/gtest.h>

#include <rivulet/io/text_file.h>
#include <rivulet/session/exports.h>

#include "session/made_up_run.h"

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
}

}  // namespace
}  // namespace rivulet::session
