#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <rivulet/base/progress.h>
#include <rivulet/io/file_system.h>
#include <rivulet/output/frame.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/surface/reconstruct.h>

namespace rivulet::session {

/// What can be used of a frame of a run, with the surface on disk if that is wanted and there. A run written
/// before the cell was stored has it in its scene; 0 when that cannot be read either.
output::Frame frame_of_run(const output::RunPaths& paths, std::int64_t number, bool with_surface,
                           std::vector<std::string>& messages);

struct LiquidSurfaces {
    surface::SurfaceMesh whole;    // of all liquid: bulk and the film on lines
    surface::SurfaceMesh between;  // of opaque liquids in bulk, where clear ones lie against them
};
/// Throws InputError when the cell is not known.
LiquidSurfaces surfaces_of(const output::Frame& frame, double voxels_per_cell, const Progress& progress = {});
/// Puts them into the frame.
void give_surface(output::Frame& frame, double voxels_per_cell, const Progress& progress = {});

struct SurfaceJob {
    std::vector<std::int64_t> frames;
    double voxels_per_cell = 4;
    bool again = false;  // also where a surface is there already
};

struct SurfaceResult {
    std::int64_t made = 0, skipped = 0;
    std::vector<std::string> failed;  // damaged frames: which and why; the others are made
};

/// Writes surface/NNNNNN.npz, each atomically, so that an interrupted job goes on where it was.
SurfaceResult make_surfaces(io::FileSystem& files, const output::RunPaths& paths, const SurfaceJob& job,
                            const Progress& progress = {});

}  // namespace rivulet::session
