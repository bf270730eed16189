#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/scene/build.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {

/// What a run will cost, guessed before it starts. Nothing is run: obstacles, roots and waves limit steps as
/// they will in the run, the speed of liquid is that of its fall and of what pushes it.
struct Forecast {
    double particles_at_start = 0, particles_most = 0, vertices = 0;
    double contacts = 0;  // of strands, at once
    double steps = 0;
    double core_seconds = 0;
    double memory_bytes = 0, disk_bytes = 0;
    double factor = 1;                 // steps and time are likely within this factor, both ways
    std::vector<std::string> reasons;  // what makes it large
};

/// Of the first `frames` frames; -1: of all.
Forecast forecast(const Scene& scene, const Built& built, std::int64_t frames = -1);

}  // namespace rivulet::scene
