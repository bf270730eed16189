#pragma once

#include <vector>

#include <rivulet/geometry/profile.h>

namespace rivulet::geometry {

/// The edge of all within `half` of a line beside the axis, the wall on its left: free ends and outer corners
/// are round (`steps` points to a full turn), inner corners sharp. Lines that bend more tightly than `half`
/// give outlines that cross themselves.
std::vector<ProfileLine> wall_outlines(const ProfileLine& line, double half, int steps);

}  // namespace rivulet::geometry
