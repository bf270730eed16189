#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/strand/lanes.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

/// Which strands share a pack: equal vertex counts, in order of strand number.
struct PackPlan {
    struct PackOf {
        Lanes<Pack> lanes;
        std::size_t used;

        /// Whether one of its strands is marked; empty: all are.
        bool wanted(std::span<const std::uint8_t> only) const {
            return only.empty() || std::any_of(lanes.strand.begin(), lanes.strand.end(),
                                               [&](std::size_t s) { return only[s] != 0; });
        }
    };
    std::vector<std::int64_t> start;  // of the state it was made for
    std::vector<PackOf> packs;
    std::vector<std::size_t> slot;  // where each strand is: pack * Pack::kWidth + lane

    /// Returns whether it had to be made anew.
    bool make(const StrandState& state);

    std::size_t vertices(std::size_t pack) const {
        const std::size_t strand = packs[pack].lanes.strand[0];
        return static_cast<std::size_t>(start[strand + 1] - start[strand]);
    }
    std::size_t memory() const {
        return packs.capacity() * sizeof(PackOf) + slot.capacity() * sizeof(std::size_t) +
               start.capacity() * sizeof(std::int64_t);
    }
};

}  // namespace rivulet::strand
