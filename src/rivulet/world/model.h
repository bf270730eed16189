#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/bounds.h>
#include <rivulet/liquid/material.h>
#include <rivulet/liquid/pressure_solver.h>
#include <rivulet/liquid/relax.h>
#include <rivulet/liquid/resample.h>
#include <rivulet/liquid/shear_solver.h>
#include <rivulet/liquid/sink.h>
#include <rivulet/liquid/source.h>
#include <rivulet/liquid/viscous_projection.h>
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
    obstacle::ObstacleSet obstacles;

    std::vector<liquid::LiquidMaterial> liquids;
    Vec3i period;                          // cells, multiples of grid::kBlockEdge; 0: not periodic
    bool surface_tension = false;          // of the bulk
    bool whole_halo = false;               // blocks around those of particles that none reaches, for tests
    std::optional<geometry::Bounds> keep;  // liquid outside is taken away
    std::vector<std::shared_ptr<const geometry::Shape>> shapes;  // of sources and sinks, which point here
    std::vector<liquid::Inflow> inflows;
    std::vector<liquid::Sink> sinks;
    liquid::PressureOptions pressure;
    liquid::ViscosityOptions viscosity;
    liquid::ShearOptions shear;
    liquid::RelaxRule relax;
    liquid::ResampleRule resample;

    StrandModel strands;

    std::int64_t last_frame() const { return static_cast<std::int64_t>(end_time * fps + 1e-9); }
};

}  // namespace rivulet::world
