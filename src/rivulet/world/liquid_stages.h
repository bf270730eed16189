#pragma once

#include <rivulet/base/step_view.h>
#include <rivulet/geometry/solid_field.h>
#include <rivulet/liquid/state.h>
#include <rivulet/world/ledger.h>
#include <rivulet/world/liquid_scratch.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/step_limits.h>

namespace rivulet::world {

// The bulk liquid's stages of a step, in their order (dissertation §9.3, §14.2). `now` is never written:
// sort_particles puts the particles into `next`, all later stages touch only that.

/// How long a step from `time` on the liquid allows.
void limit_step(const Model& model, const liquid::LiquidState& now, double time, LiquidScratch& scratch,
                StepLimits& limits);

/// Particles of `now` into `next`, by block and cell of a grid made for them; after these, without a grid,
/// those that fly by themselves (free_flight.h).
void sort_particles(const Model& model, const liquid::LiquidState& now, liquid::LiquidState& next,
                    const geometry::SolidField& solids, const StepView& view, LiquidScratch& scratch);

/// Solids, filled part, distance, mass and velocity on the grid; gravity.
void rasterise_liquid(const liquid::LiquidState& next, const geometry::SolidField& solids,
                      const StepView& view, LiquidScratch& scratch);

/// Which particles are torn.
void detect_tearing(liquid::LiquidState& next, LiquidScratch& scratch);

/// Face numbers of the liquid alone (s.flow); what is submerged in it adds its own.
void start_flow(LiquidScratch& scratch);

/// What shear and pressure of this step are made of besides: viscosity, surface and wall terms, the
/// pressure's matrix.
void build_flow(const Model& model, const liquid::LiquidState& next, const StepView& view,
                LiquidScratch& scratch);

/// How often solve_shear and project are passed over: liquid with memory starts from the stress it has, and
/// finds the one it will have once or twice.
int flow_rounds(const Model& model, const StepView& view, const LiquidScratch& scratch);

/// Shear of one round: the velocity that the projection starts from.
void solve_shear(const Model& model, const liquid::LiquidState& next, const StepView& view, int round,
                 LiquidScratch& scratch, StepCounts& counts);

/// Pressure of one round: velocities without divergence; all but the last round are rough.
void project(const Model& model, const StepView& view, int round, LiquidScratch& scratch, StepCounts& counts);

/// Δt ∇p of the pressure found, on faces [Pa s/m].
void find_pressure_impulse(const Model& model, const StepView& view, const LiquidScratch& scratch,
                           grid::FaceField& impulse);

/// Largest divergence in a cell with a pressure, beyond what the liquid is to have [1/s], of the velocities
/// as they are and the flux of others. `divergence` gets it for all cells.
double largest_divergence(const Model& model, const StepView& view, const LiquidScratch& scratch,
                          const grid::FaceField& others, grid::Field& divergence);

/// What follows from the velocities found: wall friction, volume ratios, velocities beyond the liquid.
void extend_flow(const Model& model, liquid::LiquidState& next, const StepView& view, LiquidScratch& scratch);

/// Faces → particles: velocities, strains, positions. Those that fly follow their parabolas.
void move_liquid(const Model& model, liquid::LiquidState& next, const geometry::SolidField& solids,
                 const StepView& view, LiquidScratch& scratch);

/// Merges and splits particles.
void resample_particles(const Model& model, liquid::LiquidState& next, const geometry::SolidField& solids,
                        const StepView& view, LiquidScratch& scratch);

/// Sinks, the region kept, sources.
void feed_and_drain(const Model& model, liquid::LiquidState& next, const geometry::SolidField& solids,
                    const StepView& view, LiquidScratch& scratch, LedgerState& ledger);

}  // namespace rivulet::world
