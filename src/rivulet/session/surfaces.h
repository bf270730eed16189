#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <rivulet/base/progress.h>
#include <rivulet/io/file_system.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/render/frame_arrays.h>
#include <rivulet/surface/reconstruct.h>

namespace rivulet::session {

/// Cell edge of a run's grid from its scene.toml, m; 0 when that cannot be read.
double cell_of_run(const output::RunPaths& paths);

/// The liquid's surface in a frame: bulk and the film on strands.
surface::SurfaceMesh surface_of(const render::FrameArrays& frame, const surface::Options& options,
                                const Progress& progress = {});

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
