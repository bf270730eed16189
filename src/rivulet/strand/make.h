#pragma once

#include <rivulet/strand/curves.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

enum class RestShape { as_groomed, straight };

struct MakeOptions {
    RestShape rest = RestShape::as_groomed;
    EndKind root = EndKind::clamp, tip = EndKind::free;
    std::uint8_t material = 0;
    double aspect = 1;  // second semi-axis over first
    Vec3d director{};   // about where material axis 1 of the first edge points; zero: anywhere across it
    std::uint64_t first_id = 0;  // ids count on from here
};

/// Curves become rods at rest, or bent out of a straight rest shape. The material axes follow the curve
/// without twist. Refuses (InputError, with the strand's number) fewer than two vertices, segments of no
/// length, numbers that are not finite, radii that are not positive, and turns of more than 170° between
/// segments.
StrandState make_strands(const Curves& curves, const MakeOptions& options = {});

/// Adds strands behind those already there.
void append(StrandState& to, const StrandState& more);

/// Takes the present shape as natural: lengths, curvatures and twists.
void rest_as_it_is(StrandState& state);

}  // namespace rivulet::strand
