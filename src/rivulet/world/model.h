#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/liquid/material.h>
#include <rivulet/obstacle/obstacle_set.h>
#include <rivulet/world/strand_model.h>

namespace rivulet::world {

struct StepSettings {
    double max = 1e-2;   // s
    double min = 1e-7;   // s
    double courant = 2;  // cells per step at most
    int retries = 8;     // halvings of one step before giving up
};

/// Everything about a run that does not change while it runs, made from the scene. Together with a World it
/// determines every later World.
struct Model {
    double fps = 24;
    double end_time = 1;  // s
    Vec3d gravity{0, -9.81, 0};
    std::uint64_t seed = 0;
    double cell = 0.01;  // m
    StepSettings step;
    std::int64_t most_particles = 50'000'000;
    std::vector<liquid::LiquidMaterial> liquids;
    obstacle::ObstacleSet obstacles;
    StrandModel strands;

    std::int64_t last_frame() const { return static_cast<std::int64_t>(end_time * fps + 1e-9); }
};

}  // namespace rivulet::world
