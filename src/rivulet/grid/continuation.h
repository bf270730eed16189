#pragma once

#include <rivulet/grid/extrapolate.h>

namespace rivulet::grid {

/// Velocities around the faces that a projection settles. A face that particles brought momentum to keeps its
/// own velocity and takes on only the change that the settled faces beside it saw: the surface keeps its
/// momentum and angular momentum. Faces without mass take the mean of the known ones around
/// (`Extrapolation`).
class Continuation {
 public:
    /// `before`: velocities before the projection. `known`: the settled faces on entry; on return those that
    /// have a velocity.
    void run(const Topology& topology, const FaceField& mass, const FaceField& before, FaceFlags& known,
             FaceField& velocity);
    /// Where every face with mass is settled.
    void run_beyond_mass(const Topology& topology, FaceFlags& known, FaceField& velocity);

 private:
    Extrapolation extrapolation_;
    Field change_;  // of one component
    AlignedVector<std::uint8_t> changed_;
};

}  // namespace rivulet::grid
