#pragma once

#include <rivulet/strand/curves.h>
#include <rivulet/strand/groom.h>

namespace rivulet::strand {

/// Leads authored strands around what they would pass through: from root to tip, each segment keeps its
/// length and turns no more than it must for itself and its end to stay outside. Strands that grow out of a
/// surface (`rooted`) keep their first two segments; others are moved out as a whole first. How many strands
/// were led.
std::size_t lead_around(Curves& curves, bool rooted, const ClearanceAt& obstacles);

}  // namespace rivulet::strand
