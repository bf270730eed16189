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

}  // namespace rivulet::grid
