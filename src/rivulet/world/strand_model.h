#pragma once

#include <vector>

#include <rivulet/obstacle/key_curve.h>
#include <rivulet/obstacle/obstacle_set.h>
#include <rivulet/obstacle/rigid_motion.h>
#include <rivulet/obstacle/step_limit.h>
#include <rivulet/strand/air_drag.h>
#include <rivulet/strand/held_ends.h>
#include <rivulet/strand/material.h>
#include <rivulet/strand/state.h>

namespace rivulet::world {

/// What the roots, or the tips, of one strands entity follow.
struct EndCarrier {
    int obstacle = -1;  // index; -1: none
    obstacle::RigidMotion motion;
    std::vector<obstacle::KeyCurve> twist;  // rad, added up
    double release = 1e30;                  // s: from then on they are free

    /// Its place at time t: the entity's own motion first, then that of the obstacle.
    strand::CarrierPlace at(double t, const obstacle::ObstacleSet& obstacles) const;
    /// How far ends in a box of its rest frame go and turn between two times, at most.
    obstacle::Reach reach(const geometry::Bounds& rest, const obstacle::ObstacleSet& obstacles, double from,
                          double to) const;
};

/// The same velocity everywhere, swelling and ebbing like a sine.
struct Wind {
    Vec3d velocity;          // m/s
    double gust = 0;         // part of the velocity
    double gust_period = 1;  // s

    Vec3d at(double t) const;
};

/// Everything about a run's strands that does not change while it runs.
struct StrandModel {
    std::vector<strand::StrandMaterial> materials;
    strand::EndBindings roots, tips;
    std::vector<EndCarrier> carriers, tip_carriers;  // of roots and of tips, one per entity
    bool has_air = false;                            // without air there is no drag
    strand::Air air;
    Wind wind;
};

/// Fills the targets of roots and tips for time t: the first stage of a step does so for its end.
void drive_ends(const StrandModel& model, const obstacle::ObstacleSet& obstacles, double t,
                strand::StrandState& strands);

}  // namespace rivulet::world
