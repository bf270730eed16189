#pragma once

#include <rivulet/coupling/face_boundary.h>
#include <rivulet/grid/extrapolate.h>

namespace rivulet::coupling {

/// Liquid slides along slip and friction walls: closed faces beside liquid must show particles the liquid's
/// speed along the wall, not the wall's own. Takes closed faces of such walls out of the known ones, before
/// velocities are continued.
void forget_sliding_faces(const SolidBoundary& boundary, grid::FaceFlags& known);

/// Afterwards: gives what was carried into them the wall's speed across the wall, u ← u − n ((u −
/// u_solid)·n). `known` as the continuation left it; faces it did not reach are left alone. `work` may hold
/// anything.
void constrain_sliding_faces(const grid::Topology& topology, const SolidBoundary& boundary,
                             const grid::FaceFlags& known, grid::FaceField& work, grid::FaceField& velocity);

}  // namespace rivulet::coupling
