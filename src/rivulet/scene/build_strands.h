#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <rivulet/obstacle/obstacle_set.h>
#include <rivulet/scene/scene.h>
#include <rivulet/strand/mend.h>
#include <rivulet/strand/sag_free.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/strand_model.h>

namespace rivulet::scene {

/// The strands of one entity: [first, last) of the state.
struct StrandGroup {
    std::string name;
    std::size_t first = 0, last = 0;
    strand::MendReport mended;
    strand::SagFreeReport sag_free;
};

/// All strands of a scene, ready to step.
struct StrandSetup {
    strand::StrandState state;  // at time 0
    world::StrandModel model;
    std::vector<StrandGroup> groups;
    std::vector<std::string> warnings;
};

/// Grows or reads every strands entity and places it for t = 0. Grooms are authored in the rest frame of the
/// obstacle they grow on or follow; sag-free shapes hold there under the scene's gravity. `detail` divides
/// segments and multiplies counts. Throws InputError with keys strands.NAME.
StrandSetup build_strands(const Scene& scene, const obstacle::ObstacleSet& obstacles);

}  // namespace rivulet::scene
