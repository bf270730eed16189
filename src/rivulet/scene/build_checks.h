#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/scene/scene.h>
#include <rivulet/world/model.h>

namespace rivulet::scene {

/// Refuses inflows whose every place lies in obstacles whenever they run.
void require_open_inflows(const world::Model& model);

/// Refuses liquids with a flow law but no shear modulus, and those so stiff in shear that the step would have
/// to be below `step.min`; a warning for each that makes steps shorter than a frame.
std::vector<std::string> check_thick_liquids(const Scene& scene);

}  // namespace rivulet::scene
