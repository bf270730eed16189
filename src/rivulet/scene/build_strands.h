#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <rivulet/obstacle/key_curve.h>
#include <rivulet/obstacle/obstacle_set.h>
#include <rivulet/obstacle/rigid_motion.h>
#include <rivulet/scene/scene.h>
#include <rivulet/strand/air_drag.h>
#include <rivulet/strand/mend.h>
#include <rivulet/strand/roots.h>
#include <rivulet/strand/sag_free.h>
#include <rivulet/strand/state.h>

namespace rivulet::scene {

/// What the roots of one entity follow.
struct RootCarrier {
    int obstacle = -1;  // index; -1: none
    obstacle::RigidMotion motion;
    std::vector<obstacle::KeyCurve> twist;  // rad, added up
    double release = kForever;              // s

    /// Its place at time t: the entity's own motion first, then that of the obstacle.
    strand::CarrierPlace at(double t, const obstacle::ObstacleSet& obstacles) const;
};

/// The strands of one entity: [first, last) of the state.
struct StrandGroup {
    std::string name;
    std::size_t first = 0, last = 0;
    strand::MendReport mended;
    strand::SagFreeReport sag_free;
};

/// All strands of a scene, ready to step.
struct StrandSetup {
    strand::StrandState state;
    std::vector<strand::StrandMaterial> materials;
    strand::RootBindings roots;
    std::vector<RootCarrier> carriers;  // one per entity
    std::vector<StrandGroup> groups;
    std::vector<std::string> warnings;
    std::vector<std::string> files;  // read besides the scene

    /// Fills the root targets of a state of these strands for time t.
    void drive_roots(double t, const obstacle::ObstacleSet& obstacles, strand::StrandState& to) const;
};

/// Grows or reads every strands entity and places it for t = 0. Grooms are authored in the rest frame of the
/// obstacle they grow on or follow; sag-free shapes hold there under the scene's gravity. `detail` divides
/// segments and multiplies counts. Throws InputError with keys strands.NAME.
StrandSetup build_strands(const Scene& scene, const obstacle::ObstacleSet& obstacles);

strand::Air air_of(const Scene& scene);
/// wind * (1 + gust sin(2 pi t / gust_period))
Vec3d wind_at(const Air& air, double t);

}  // namespace rivulet::scene
