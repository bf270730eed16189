#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/grid/field.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>
#include <rivulet/liquid/fill.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Bounds on particles. Their number counts as part of a full cell's, their volume in that of one of a full
/// cell, distances in the spacing there.
struct ResampleRule {
    std::vector<int> per_cell;  // particles in a full cell, by material; kUsualPerCell where not given
    double crowded = 1.5;       // number above which close pairs merge
    double sparse = 0.375;      // number in an inner cell up to which they split
    double largest = 2;         // volume above which a particle always splits and none is made
    double small = 0.5;         // volume up to which a particle merges with a near one
    double least_split = 0.75;  // volume from which a sparse particle may split
    double near = 0.4;          // distance of pairs that merge

    int in_full_cell(std::size_t material) const {
        return material < per_cell.size() ? per_cell[material] : kUsualPerCell;
    }
};

struct ResampleReport {
    std::size_t merged = 0, split = 0;
};

/// Two particles of one material as one: keeps volume, momentum and angular momentum (position and velocity
/// by volume; what the pair's own rotation loses goes into the affine matrix); strains are averaged and
/// brought back to determinant 1. Particle b is left as it is.
void merge_particles(LiquidState& state, std::size_t a, std::size_t b, double cell);

/// Merges crowded and small particles and splits sparse and large ones (after Ando et al. 2012), cell by cell
/// as they were sorted at the start of the step; runs at its end, when nothing has been added or removed
/// since the sort. Volume, momentum and angular momentum stay exactly; sizes stay within [3/8, 2] of a full
/// cell's particle, so that neither dust nor giants arise. Keeps scratch only.
class Resampler {
 public:
    /// `fraction`: filled part around cell centres at the start of the step (grid::find_level_set). Particles
    /// whose entry of `law_of` is not their material are torn (tearing.h): where they are sparse a gap opens,
    /// which splits would fill.
    ResampleReport run(LiquidState& state, const grid::Topology& topology, const grid::ParticleOrder& order,
                       const grid::Field& fraction, const SolidDistance& solids, std::uint64_t seed,
                       const ResampleRule& rule = {}, std::span<const std::uint8_t> law_of = {});

 private:
    struct Birth {
        std::uint32_t parent;
        Vec3d offset;
    };
    struct BlockChanges {
        std::vector<std::uint32_t> dead;
        std::vector<Birth> births;
    };
    std::vector<BlockChanges> changes_;
    std::vector<std::uint32_t> dead_;
};

}  // namespace rivulet::liquid
