#pragma once

#include <string>
#include <vector>

#include <rivulet/obstacle/obstacle_set.h>
#include <rivulet/scene/scene.h>
#include <rivulet/strand/curves.h>
#include <rivulet/strand/mend.h>

namespace rivulet::scene {

/// The curves of one entity in the frame they are authored in. Curves from files are looked over (radii and
/// obstacles are not) before they are cut anew, and `report` says what was found.
strand::Curves curves_of(const Strands& entity, const Scene& scene, const obstacle::ObstacleSet& obstacles,
                         strand::MendReport& report);

}  // namespace rivulet::scene
