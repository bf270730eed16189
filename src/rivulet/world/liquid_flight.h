#pragma once

#include <rivulet/base/step_view.h>
#include <rivulet/geometry/solid_field.h>
#include <rivulet/liquid/state.h>
#include <rivulet/world/liquid_scratch.h>

namespace rivulet::world {

/// Which particles fly over the step (scratch.flight). Walls, sinks, and inflows that hold the flow in them,
/// hold what comes near on the grid. `fastest`: of all particles [m/s].
void find_flying(const Model& model, const liquid::LiquidState& now, const geometry::SolidField& solids,
                 const StepView& view, double fastest, LiquidScratch& scratch);

/// Speed of the fastest particle that does not fly, after find_flying.
double fastest_on_grid(const liquid::LiquidState& now, double fastest, const LiquidScratch& scratch);

/// The speed that limits the step that starts at `time`: of particles that fly over the longest step, and
/// over every shorter one, none counts.
double limiting_speed(const Model& model, const liquid::LiquidState& now, double time,
                      LiquidScratch& scratch);

}  // namespace rivulet::world
