#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/strand/material.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

struct SagFreeReport {
    std::size_t balanced = 0;  // strands whose elastic forces balance gravity where they are
    std::size_t unstable = 0;  // of these: the balance is one that the least touch destroys, so they may fall
    std::size_t not_found =
        0;  // left as they were: root not clamped, tip held, or bent beyond what a joint holds
    std::vector<std::uint32_t> unstable_strands, not_found_strands;  // the first few of each
    double residual = 0;  // largest force left on a vertex of a balanced strand, over the strand's weight
};

/// Finds natural curvatures, twists and edge lengths of the strands [first, last) so that they are in balance
/// under gravity in their present shape, exactly for the discrete energies: docs/models/grooms.md.
SagFreeReport make_sag_free(StrandState& state, std::size_t first, std::size_t last,
                            std::span<const StrandMaterial> materials, const Vec3d& gravity);

}  // namespace rivulet::strand
