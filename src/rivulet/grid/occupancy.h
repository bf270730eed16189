#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// Which blocks of an unbounded grid hold points: how many, and in which of their cells. Cheaper than a
/// Topology: no halo, no neighbours, no order. Blocks are listed as the points meet them; what is found
/// depends on nothing but the points. Rebuilding reuses memory.
class Occupancy {
 public:
    struct Block {
        Vec3i corner;  // lowest cell; on periodic axes in [0, period)
        std::uint32_t points = 0;
        std::uint64_t cells = 0;  // bit cell_in_block(i, j, k): a point is there
    };
    /// Points of some blocks: those of block b are [start[b], start[b + 1]) of `point`, increasing.
    struct Lists {
        std::vector<std::uint32_t> start, point;
    };

    /// `period` as of Topology. Points that are not finite, or too far out for blocks, are in none.
    void find(std::span<const Vec3d> points, double cell, const Vec3i& period);

    std::span<const Block> blocks() const { return table_.blocks; }
    /// Place in blocks() of the block with that corner (wrapped on periodic axes), or -1.
    std::int32_t at(const Vec3i& block_corner) const;
    /// Lists the points of the blocks that have at most so many.
    void list_sparse(std::uint32_t most, Lists& lists) const;

    /// A position in the frame of the blocks.
    Vec3d wrapped(const Vec3d& position) const { return periodic_ ? frame_.wrapped(position) : position; }

 private:
    /// Blocks by their corners, open addressing.
    struct Table {
        std::vector<std::int32_t> slot;
        std::vector<Block> blocks;

        void clear();
        std::int32_t at(const Vec3i& corner) const;
        std::int32_t at_or_new(const Vec3i& corner);
        void grow();
    };
    /// Points that follow each other in one block of the chunk.
    struct Run {
        std::uint32_t block, first, end;
    };
    struct Part {
        Table table;
        std::vector<Run> runs;
        std::vector<std::int32_t> whole;  // its blocks in blocks()
    };
    void look_at(std::span<const Vec3d> points, std::size_t begin, std::size_t end, Part& part) const;
    static std::size_t hash(const Vec3i& corner);

    Topology frame_;  // cell and period only
    bool periodic_ = false;
    std::size_t parts_used_ = 0;
    std::vector<Part> parts_;
    Table table_;
};

}  // namespace rivulet::grid
