#include <rivulet/coupling/boundary_memory.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::coupling {

bool BoundaryMemory::is_as_before(double cell, const geometry::SolidField& solids,
                                  std::span<const std::uint8_t> rule_of) const {
    if (cell != cell_ || solids.size() != solids_.size() || !std::ranges::equal(rule_of, rule_of_))
        return false;
    for (std::size_t i = 0; i < solids.size(); ++i) {
        const geometry::Solid &now = solids.solid(i), &before = solids_[i];
        // The shape is kept alive: no other one can have taken its place.
        if (now.shape != before.shape || now.liquid_inside != before.liquid_inside ||
            now.obstacle != before.obstacle || now.motion.end() != before.motion.end())
            return false;
    }
    return true;
}

void BoundaryMemory::start(const grid::Topology& topology, const geometry::SolidField& solids,
                           std::span<const std::uint8_t> rule_of) {
    slot_.assign(topology.size(), kNone);
    at_rest_ = solids.at_rest();
    if (!at_rest_ || !is_as_before(topology.cell, solids, rule_of)) {
        key_.clear();
        key_slot_.clear();
        cell_ = topology.cell;
        solids_.clear();
        for (std::size_t i = 0; i < solids.size(); ++i) solids_.push_back(solids.solid(i));
        rule_of_.assign(rule_of.begin(), rule_of.end());
        return;
    }
    for (std::size_t b = 0, k = 0; b < topology.size() && k < key_.size();) {
        if (key_[k] == topology.key[b]) slot_[b] = key_slot_[k];
        const bool next = topology.key[b] <= key_[k];
        k += key_[k] <= topology.key[b];
        b += next;
    }
}

bool BoundaryMemory::recall(std::size_t b, SolidBoundary& boundary) const {
    if (slot_[b] < 0) return false;
    const Block& block = blocks_[std::size_t(slot_[b])];
    const std::size_t first = b * grid::kBlockCells;
    for (std::size_t a = 0; a < 3; ++a) {
        std::ranges::copy(block.open[a], boundary.faces.open[a].data() + first);
        std::ranges::copy(block.wall[a], boundary.faces.wall[a].data() + first);
    }
    std::ranges::copy(block.distance, boundary.distance.data() + first);
    std::ranges::copy(block.free_kernel, boundary.free_kernel.data() + first);
    return true;
}

void BoundaryMemory::keep(const grid::Topology& topology, const SolidBoundary& boundary) {
    if (!at_rest_) return;
    used_.assign(blocks_.size(), 0);
    new_blocks_.clear();
    for (std::size_t b = 0; b < slot_.size(); ++b)
        if (slot_[b] >= 0)
            used_[std::size_t(slot_[b])] = 1;
        else if (slot_[b] == kNew)
            new_blocks_.push_back(b);
    std::size_t free = 0;
    for (const std::size_t b : new_blocks_) {
        while (free < used_.size() && used_[free]) ++free;
        slot_[b] = std::int32_t(free++);
    }
    blocks_.resize(std::max(blocks_.size(), free));
    parallel_for(new_blocks_.size(), [&](std::size_t n) {
        Block& block = blocks_[std::size_t(slot_[new_blocks_[n]])];
        const std::size_t first = new_blocks_[n] * grid::kBlockCells;
        for (std::size_t a = 0; a < 3; ++a) {
            std::copy_n(boundary.faces.open[a].data() + first, grid::kBlockCells, block.open[a].data());
            std::copy_n(boundary.faces.wall[a].data() + first, grid::kBlockCells, block.wall[a].data());
        }
        std::copy_n(boundary.distance.data() + first, grid::kBlockCells, block.distance.data());
        std::copy_n(boundary.free_kernel.data() + first, grid::kBlockCells, block.free_kernel.data());
    });
    key_.clear();
    key_slot_.clear();
    for (std::size_t b = 0; b < slot_.size(); ++b)
        if (slot_[b] >= 0) {
            key_.push_back(topology.key[b]);
            key_slot_.push_back(slot_[b]);
        }
}

}  // namespace rivulet::coupling
