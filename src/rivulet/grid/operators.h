#pragma once

#include <rivulet/grid/field.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// Net flow out of each cell over its volume, of face values u along +axis: (u_high - u_low) / cell summed
/// over axes. Faces of absent blocks count 0.
void divergence(const Topology& topology, const FaceField& faces, Field& result);

/// Difference across each lower face, (p_cell - p_below) / cell; minus the transpose of `divergence`. Cells
/// of absent blocks count 0.
void gradient(const Topology& topology, const Field& cells, FaceField& result);

/// Share of the cell beside a centre in the quadratic B-spline around it, summed over the two particle sites
/// per axis of a full cell, at ±1/4: (w(3/4) + w(5/4))/2. The kernel's integral over that cell is 1/6; the
/// sum keeps a lattice of particles at fraction 1 up to a wall.
inline constexpr double kLatticeShare = 5.0 / 32;

/// Tensor smoothing with weights kLatticeShare, 1 − 2 kLatticeShare, kLatticeShare along each axis. `absent`
/// stands for cells of absent blocks.
void smooth(const Topology& topology, const Field& cells, double absent, Field& result);

}  // namespace rivulet::grid
