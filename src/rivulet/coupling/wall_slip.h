#pragma once

#include <rivulet/coupling/face_boundary.h>
#include <rivulet/grid/extrapolate.h>

namespace rivulet::coupling {

/// Liquid slides along slip and friction walls: closed faces beside liquid must show particles the liquid's
/// speed along the wall, not the wall's own. `forget` takes closed faces of such walls out of the known ones
/// before velocities are continued; `constrain` afterwards gives what was carried into them the wall's speed
/// across the wall, u ← u − n ((u − u_solid)·n).
class WallSlip {
 public:
    void forget(const SolidBoundary& boundary, grid::FaceFlags& known) const;
    void constrain(const grid::Topology& topology, const SolidBoundary& boundary, grid::FaceField& velocity);

 private:
    grid::FaceField carried_;
};

}  // namespace rivulet::coupling
