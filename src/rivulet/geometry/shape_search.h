#pragma once

#include <rivulet/geometry/shape.h>

namespace rivulet::geometry {

/// Whether some point of a bounded shape has a distance below `level` [m]; 0: whether there is anything in
/// it. Looks at halves of halves of the bounding box down to 1/256 of it, nearest first, and leaves out what
/// is too far away: distances change by no more than the way.
bool reaches_below(const Shape& shape, double level);

}  // namespace rivulet::geometry
