#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/base/progress.h>
#include <rivulet/io/file_system.h>
#include <rivulet/output/export_frame.h>
#include <rivulet/output/frame.h>
#include <rivulet/output/run_directory.h>

namespace rivulet::session {

enum class ExportFormat { usda, vdb, ply, vtk };
std::string to_text(ExportFormat format);

struct ExportJob {
    ExportFormat format = ExportFormat::usda;
    std::vector<std::int64_t> frames;
    output::ExportSpace space;
    double voxels_per_cell = 4;  // of surfaces that are not on disk
    bool again = false;
};

struct ExportResult {
    std::int64_t made = 0, skipped = 0;
    std::vector<std::string> failed;     // damaged frames: which and why
    std::vector<std::string> left_out;   // of frames that were made: what and why, each once
    std::vector<std::string> open_this;  // what to open in the other program
};

/// A frame in another program's space: groups of points, lines as curves, meshes, the liquid's surface,
/// obstacles that are seen.
output::ExportFrame export_frame(const output::Frame& frame, std::int64_t number,
                                 const output::ExportSpace& space);

/// Writes export/FORMAT/. Frames made from the same settings are skipped unless `again`; files that list the
/// frames (.usda top layer, .pvd) list all that are there.
ExportResult export_run(io::FileSystem& files, const output::RunPaths& paths, const ExportJob& job,
                        const Progress& progress = {});

}  // namespace rivulet::session
