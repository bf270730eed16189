#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/coupling/face_boundary.h>

namespace rivulet::coupling {

/// What blocks near solids know of them, from one step to the next while no solid moves: only blocks that
/// were not there before ask the solids. Scratch memory: results are the same without it.
class BoundaryMemory {
 public:
    /// Looks up the blocks of a step. Forgets everything unless the solids are at rest where they were, with
    /// the same rules. `rule_of`: of each obstacle.
    void start(const grid::Topology& topology, const geometry::SolidField& solids,
               std::span<const std::uint8_t> rule_of);
    /// Copies what is known of block b into the boundary; false when nothing is.
    bool recall(std::size_t b, SolidBoundary& boundary) const;
    /// Block b has been found near solids. Safe in parallel for different blocks.
    void found(std::size_t b) { slot_[b] = kNew; }
    /// Keeps what was found, and of the rest what this step recalled.
    void keep(const grid::Topology& topology, const SolidBoundary& boundary);

 private:
    static constexpr std::int32_t kNone = -1, kNew = -2;
    struct Block {
        template <class T>
        using Cells = std::array<T, std::size_t(grid::kBlockCells)>;
        std::array<Cells<double>, 3> open;
        std::array<Cells<std::uint8_t>, 3> wall;
        Cells<double> distance, free_kernel;
    };
    bool is_as_before(double cell, const geometry::SolidField& solids,
                      std::span<const std::uint8_t> rule_of) const;

    bool at_rest_ = false;
    double cell_ = 0;
    std::vector<geometry::Solid> solids_;
    std::vector<std::uint8_t> rule_of_;
    std::vector<std::uint64_t> key_;       // of the blocks kept, increasing
    std::vector<std::int32_t> key_slot_;   // where
    std::vector<Block> blocks_;            // by slot
    std::vector<std::int32_t> slot_;       // by block of this step: a slot, kNone or kNew
    std::vector<std::uint8_t> used_;       // by slot
    std::vector<std::size_t> new_blocks_;  // of this step
};

}  // namespace rivulet::coupling
