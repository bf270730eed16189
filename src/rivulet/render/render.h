#pragma once

#include <cstdint>

#include <rivulet/base/progress.h>
#include <rivulet/render/image.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

struct Options {
    int width = 640, height = 480;
    int samples = 48;       // most paths per pixel
    int least_samples = 8;  // every pixel gets these; then only where it is noisy
    float noise = 0.02f;    // a pixel is done below this relative error
    bool denoise = true;
    int depth = 20;              // surfaces on a path
    float shutter = 0;           // s, motion blur where velocities are known
    float least_strand = 0.35f;  // strands are drawn at least this many pixels thick (radius)
    std::uint64_t seed = 1;
};

struct Counts {
    std::int64_t paths = 0, rays = 0;
};

/// Linear light. The same bits for any number of threads. Throws InputError for a scene or options that make
/// no sense; what `progress` throws ends the work.
Image render(const Scene& scene, const Options& options, const Progress& progress = {},
             Counts* counts = nullptr);

}  // namespace rivulet::render
