#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/grid/topology.h>
#include <rivulet/liquid/state.h>
#include <rivulet/strand/state.h>

namespace rivulet::world {

/// How fast strands move that liquid is around. Holds scratch memory only.
class SubmergedSpeed {
 public:
    /// Speed of the fastest vertex that is faster than `least` [m/s] and has particles in the blocks that its
    /// kernel reaches; 0: none. Costs next to nothing when no vertex is that fast.
    double fastest(const strand::StrandState& strands, const liquid::LiquidState& liquid, double cell,
                   const Vec3i& period, double least);

 private:
    /// Which blocks around the fast vertices have particles in them.
    void mark_liquid(const liquid::LiquidState& liquid);
    bool near_liquid(const Vec3d& x) const;

    std::vector<Vec3d> place_;   // of fast vertices [m]
    std::vector<double> speed_;  // of these [m/s]
    grid::TopologyBuilder builder_;
    grid::Topology around_;
    std::vector<std::uint8_t> wet_;  // per block
};

}  // namespace rivulet::world
