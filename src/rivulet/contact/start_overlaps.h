#pragma once

#include <cstdint>

#include <rivulet/contact/strand_edges.h>
#include <rivulet/geometry/solid_field.h>

namespace rivulet::contact {

struct StartOverlaps {
    std::size_t found = 0;                // contacts that overlapped
    double deepest = 0;                   // before, as part of the thickness
    double left = 0;                      // after
    double moved = 0;                     // farthest that a vertex went [m]
    std::uint32_t strand = 0, other = 0;  // of what is left, the worst
    bool wall = false;                    // then `other` is the obstacle
};

/// Moves strands that overlap at the start out of each other and out of walls: pairs apart along their
/// normals, then edges back to their rest lengths, over and over, in a fixed order. No vertex goes farther
/// than `most` from where it was, held ones stay. Natural shapes are left as they are.
StartOverlaps part_overlaps(strand::StrandState& strands, StrandEdges& edges,
                            const geometry::SolidField& solids, double most);

}  // namespace rivulet::contact
