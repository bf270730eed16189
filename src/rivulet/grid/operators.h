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

/// Component c of a face field at the lower face across `axis` of cell `at` of block b: the mean of the four
/// faces around that exist.
double component_at_face(const Topology& topology, const FaceField& field, std::size_t b, const Vec3i& at,
                         int axis, int c);

}  // namespace rivulet::grid
