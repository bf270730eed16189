#pragma once

#include <vector>

#include <rivulet/coupling/boundary_memory.h>
#include <rivulet/coupling/face_boundary.h>
#include <rivulet/grid/continuation.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/liquid/compression.h>
#include <rivulet/liquid/free_flight.h>
#include <rivulet/liquid/relax.h>
#include <rivulet/liquid/resample.h>
#include <rivulet/liquid/shear_passes.h>
#include <rivulet/liquid/sink.h>
#include <rivulet/liquid/source.h>
#include <rivulet/liquid/surface_tension.h>
#include <rivulet/liquid/tearing.h>
#include <rivulet/liquid/viscous_projection.h>
#include <rivulet/liquid/wall_friction.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// Memory of the bulk liquid's stages (liquid_stages.h); the truth is in LiquidState. A field has one meaning
/// from the stage that fills it to the end of the step, and can be looked at until the next step.
struct LiquidScratch {
    explicit LiquidScratch(const Model& model);

    // Of the model.
    std::vector<double> density;  // by material [kg/m³]
    bool one_density = true, one_viscosity = true;
    bool remembers = false;  // a liquid has elastic memory
    std::vector<obstacle::Wall> walls;
    std::vector<liquid::InflowSource> sources;

    // sort_particles
    liquid::FreeFlight flight;
    std::vector<std::uint8_t> flies;  // by material: nothing holds its drops together
    std::vector<Vec3d> on_grid;       // positions of particles that do not fly, while some do
    std::vector<std::uint64_t> on_grid_id;
    std::vector<std::uint32_t> on_grid_source;
    grid::TopologyBuilder builder;
    grid::Topology topology;
    grid::ParticleSorter sorter;
    grid::ParticleOrder order;  // past its cells: particles that fly, which no stage but `move` sees

    // rasterise_liquid
    coupling::BoundaryMemory solid_memory;
    coupling::SolidBoundary boundary;                 // solids at the end of the step, held faces of inflows
    std::uint8_t hold = grid::FaceBoundary::kNoWall;  // wall rule of faces that inflows hold
    liquid::Compression compression;
    grid::Field filled;           // part of a cell that submerged things fill; empty: none
    grid::Field free_space;       // part of the kernel that solids and those leave; where there are any
    grid::Field fraction;         // filled part of a cell
    grid::Field liquid_distance;  // at cell centres [m], < 0 in liquid, continued into solids
    grid::FaceField mass,
        velocity;  // at faces [kg], [m/s]; from build_flow on the velocity is that of the step's end
    grid::FaceField face_density;  // [kg/m³], where it varies
    liquid::Tearing tearing;

    // build_flow
    grid::FaceFlow flow;  // what faces carry and how they answer
    liquid::SurfaceTension tension;
    grid::Field surface_pressure, viscosity;  // at cell centres [Pa], [Pa·s]; where there is any
    grid::Field skin, wall_pull;              // of liquid with memory (skin_pressure.h, wall_stress.h) [Pa]
    grid::FaceField velocity_before;          // before shear and pressure; of liquid without memory [m/s]
    bool viscous = false;                     // a liquid's viscosity matters over the step
    liquid::Projection projection;

    // solve_shear, project
    liquid::ShearPasses shear;
    liquid::ViscousProjection viscous_projection;
    grid::Field pressure;  // at cell centres [Pa]

    // extend_flow
    liquid::WallFriction friction;
    grid::Continuation continuation;
    grid::FaceFlags known;  // faces that have a velocity

    // move, resample_particles, feed_and_drain
    liquid::DensityRelaxation relaxation;
    grid::FaceField shift;  // that restores the density [m]
    liquid::Resampler resampler;
    liquid::Remover remover;
    LiquidTally taken;  // by sinks in this step

    grid::FaceField work;  // of one stage at a time; holds nothing between stages
};

}  // namespace rivulet::world
