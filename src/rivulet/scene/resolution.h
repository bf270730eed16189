#pragma once

#include <string>
#include <vector>

#include <rivulet/scene/scene.h>
#include <rivulet/world/model.h>

namespace rivulet::scene {

/// A warning for everything that liquid meets or comes from and that cells are too large for: nozzles, walls
/// and gaps between obstacles (as they are at the start) of less than two cells, drops of a radius of less
/// than two. Nothing to warn of where there is no liquid.
std::vector<std::string> resolution_warnings(const Scene& scene, const world::Model& model);

}  // namespace rivulet::scene
