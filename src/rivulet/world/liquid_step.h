#pragma once

#include <vector>

#include <rivulet/base/stage_timer.h>
#include <rivulet/base/step_view.h>
#include <rivulet/coupling/boundary_memory.h>
#include <rivulet/coupling/face_boundary.h>
#include <rivulet/coupling/wall_slip.h>
#include <rivulet/grid/continuation.h>
#include <rivulet/grid/level_set.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/liquid/compression.h>
#include <rivulet/liquid/relax.h>
#include <rivulet/liquid/resample.h>
#include <rivulet/liquid/shear_passes.h>
#include <rivulet/liquid/sink.h>
#include <rivulet/liquid/source.h>
#include <rivulet/liquid/surface_tension.h>
#include <rivulet/liquid/tearing.h>
#include <rivulet/liquid/viscous_projection.h>
#include <rivulet/liquid/wall_friction.h>
#include <rivulet/liquid/wall_stress.h>
#include <rivulet/world/ledger.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// The bulk liquid of one step, stage by stage (dissertation §9.3). Holds scratch memory only. `now` is never
/// written: the sort puts the particles into `next`, all later stages touch only that.
class LiquidStep {
 public:
    explicit LiquidStep(const Model& model);

    /// Largest speed with which liquid comes in [m/s].
    double inflow_speed() const;
    /// Largest step that explicit surface tension and the stiffness in shear allow [s].
    double step_limit() const { return step_limit_; }

    void rasterise(const liquid::LiquidState& now, liquid::LiquidState& next,
                   const geometry::SolidField& solids, const StepView& view);
    void project(liquid::LiquidState& next, const StepView& view, StepCounts& counts);
    void move(liquid::LiquidState& next, const geometry::SolidField& solids, const StepView& view);
    void resample(liquid::LiquidState& next, const geometry::SolidField& solids, const StepView& view);
    /// Sources, sinks and the kill region, at the end of the step.
    void exchange(liquid::LiquidState& next, const geometry::SolidField& solids, const StepView& view,
                  LedgerState& ledger);

    /// What the last step saw, to look at: valid until the next one.
    const grid::Topology& topology() const { return topology_; }
    const grid::Field& pressure() const { return pressure_; }  // at cell centres [Pa]
    const coupling::SolidBoundary& boundary() const { return boundary_; }

 private:
    void rasterise_momentum(const liquid::LiquidState& next);
    void find_viscosity(const liquid::LiquidState& next);
    liquid::FaceDensity density() const;
    void keep_held_faces();

    const Model& model_;
    std::vector<double> density_;  // by material
    double step_limit_;
    std::uint8_t hold_ = grid::FaceBoundary::kNoWall;  // wall rule of faces that inflows hold
    bool one_density_ = true, one_viscosity_ = true;
    std::vector<obstacle::Wall> walls_;
    std::vector<liquid::InflowSource> sources_;

    grid::TopologyBuilder builder_;
    grid::Topology topology_;
    grid::ParticleSorter sorter_;
    grid::ParticleOrder order_;
    grid::Continuation continuation_;
    coupling::SolidBoundary boundary_;
    coupling::BoundaryMemory solid_memory_;
    liquid::ViscousProjection viscous_;
    liquid::Projection inviscid_;
    liquid::Tearing tearing_;
    bool remembers_ = false;  // a liquid has elastic memory
    liquid::ShearPasses shear_;
    liquid::Compression compression_;
    liquid::WallFriction friction_;
    liquid::SurfaceTension tension_;
    liquid::DensityRelaxation relaxation_;
    liquid::Resampler resampler_;
    liquid::Remover remover_;
    grid::FaceField mass_, velocity_, before_;
    grid::FaceField face_density_;  // where it varies
    grid::FaceFlags known_;
    grid::Field fraction_, phi_, pressure_, viscosity_, surface_pressure_, wall_pull_, skin_;
};

}  // namespace rivulet::world
