#pragma once

#include <rivulet/strand/loads.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

/// Carries out a motion: moves vertices and twists, transports the reference directors along.
///
/// Directors are then chosen afresh along each strand by parallel transport from edge to edge, beginning
/// with the transported director of the first edge, and the twists are changed so that the material axes
/// stay. The reference twist between edges is thus 0 at the start of every step and never wraps; the twist of
/// a joint is simply the difference of its edges' twists, counted over any number of revolutions.
void commit(StrandState& state, const Motion& motion, double dt);

/// Material axis 1 of an edge.
Vec3d material_axis(const StrandState& state, std::size_t edge);

}  // namespace rivulet::strand
