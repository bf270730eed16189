#pragma once

#include <string>
#include <vector>

#include <rivulet/scene/build_strands.h>

namespace rivulet::scene {

/// Moves strands that overlap each other or obstacles at the start apart, a few radii at most; says so, and
/// refuses (InputError) what stays inside something.
void clear_start(const Scene& scene, const obstacle::ObstacleSet& obstacles, StrandSetup& setup);

}  // namespace rivulet::scene
