#pragma once

#include <rivulet/grid/extrapolate.h>

namespace rivulet::grid {

/// Velocities around the faces that a projection settles. A face that particles brought momentum to keeps its
/// own velocity and takes on only the change that the settled faces beside it saw: the surface keeps its
/// momentum and angular momentum. Faces without mass take the mean of the known ones around
/// (`Extrapolation`).
class Continuation {
 public:
    /// Remembers the velocities before the projection.
    void start(const FaceField& velocity) { before_ = velocity; }
    /// `known`: the settled faces on entry; on return those that have a velocity.
    void run(const Topology& topology, const FaceField& mass, FaceFlags& known, FaceField& velocity);

 private:
    Extrapolation extrapolation_;
    FaceField before_, change_;
    FaceFlags changed_;
};

}  // namespace rivulet::grid
