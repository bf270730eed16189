#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/geometry/bounds.h>
#include <rivulet/strand/state.h>

namespace rivulet::world {

/// Coarse cells that strands may pass through during a step: a quick answer to whether anything comes near
/// one.
class StrandCells {
 public:
    /// `reach`: how near counts [m]; `longest`: the longest that the step may be [s].
    void find(const strand::StrandState& strands, double cell, double reach, double longest);
    void clear() { keys_.clear(); }
    /// Whether a strand may come within reach of the box.
    bool near(const geometry::Bounds& box) const;

 private:
    template <class F>
    void for_keys(const geometry::Bounds& box, F&& visit) const;

    double inverse_ = 1;               // coarse cells per metre
    std::vector<std::uint64_t> keys_;  // ascending
};

}  // namespace rivulet::world
