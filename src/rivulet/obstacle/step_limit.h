#pragma once

#include <rivulet/geometry/bounds.h>
#include <rivulet/obstacle/obstacle_set.h>

namespace rivulet::obstacle {

/// Bounds on travel and turn, over an interval, of all that is in a box of an obstacle's rest frame. A jump
/// of `hold` is seen by the step across it, however long that is, and no step makes it shorter: it is no
/// travel. Of two jumps in a step one may undo the other unseen: then no bound is known.
struct Reach {
    double travel = 0;  // m; infinite with several jumps
    double turn = 0;    // rad
    Jumps jumps{};

    void include_jumps(const Jumps& others);
};
Reach reach_of_box(const geometry::Bounds& rest, const ObstacleSet& obstacles, int obstacle,
                   const RigidMotion& first, double from, double to);

/// The longest step from t on, at most `longest`, in which no obstacle's surface goes farther than `distance`
/// [m]; of planes within `domain`.
///
/// A step sees where obstacles are at its ends only, so that what goes out and back in it, or turns by more
/// than half a turn, seems slower than it is or to rest. The speed over `longest` is believed while the path
/// is not much longer than the displacement; otherwise steps get shorter until the path itself is short. A
/// step crosses one jump of `hold` at most.
double longest_step(const ObstacleSet& obstacles, double t, double longest, double distance,
                    const geometry::Bounds& domain);

}  // namespace rivulet::obstacle
