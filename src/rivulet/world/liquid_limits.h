#pragma once

#include <optional>
#include <span>

#include <rivulet/liquid/source.h>
#include <rivulet/world/model.h>
#include <rivulet/world/step_limits.h>

namespace rivulet::world {

/// Adds how long a step the bulk liquid allows when its fastest particle has this speed [m/s]; null: there is
/// no liquid yet. Sources count before they run. The step knows the speed, forecasts guess it.
void limit_step(const Model& model, std::optional<double> fastest,
                std::span<const liquid::InflowSource> sources, StepLimits& limits);

}  // namespace rivulet::world
