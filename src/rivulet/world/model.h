#pragma once

#include <cstdint>

#include <rivulet/base/vec3.h>
#include <rivulet/obstacle/obstacle_set.h>
#include <rivulet/world/clock.h>
#include <rivulet/world/contact_model.h>
#include <rivulet/world/film_model.h>
#include <rivulet/world/liquid_model.h>
#include <rivulet/world/strand_model.h>
#include <rivulet/world/wet_model.h>

namespace rivulet::world {

struct StepSettings {
    double max = 1e-2;               // s
    double min = 1e-7;               // s
    double courant = kUsualCourant;  // cells per step at most
    int retries = 8;                 // halvings of one step before giving up
};

/// Everything about a run that does not change while it runs, made from the scene: what all rooms share, and
/// one struct per room. Together with a World it determines every later World.
struct Model {
    double fps = 24;
    double end_time = 1;  // s
    Vec3d gravity{0, -9.81, 0};
    std::uint64_t seed = 0;
    double cell = 0.01;  // m
    Vec3i period;        // cells, multiples of grid::kBlockEdge; 0: not periodic
    StepSettings step;

    obstacle::ObstacleSet obstacles;
    LiquidModel liquid;
    StrandModel strands;
    FilmModel film;
    ContactModel contact;
    WetModel wet;

    std::int64_t last_frame() const { return last_frame_before(end_time, fps); }
};

}  // namespace rivulet::world
