#pragma once

#include <cstddef>
#include <cstdint>

#include <rivulet/strand/curves.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

/// What shape strands have when nothing pulls at them.
/// sag_free: the shape that gravity bends into the groom, so that the groom stays as it was authored.
enum class RestShape { as_groomed, straight, sag_free };

/// Appends strands as groomed: at rest, untwisted, natural shape = groom. Ids go on from the number of
/// strands. Every strand needs two vertices, no segment of length 0 and no full fold (see `mend`).
void append_strands(const Curves& curves, std::uint8_t material, double aspect, StrandState& state);

/// Natural curvature and twist 0 for the strands [first, last).
void straighten(std::size_t first, std::size_t last, StrandState& state);

}  // namespace rivulet::strand
