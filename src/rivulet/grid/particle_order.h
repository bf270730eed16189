#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// The order of particles by block, then cell, then their order before: a stable counting sort over fixed
/// chunks. Sorted particle i was particle source[i]; those of cell c (field index) are
/// [cell_start[c], cell_start[c + 1]).
struct ParticleOrder {
    std::vector<std::uint32_t> source;
    std::vector<std::uint32_t> cell_start;  // cells + 1

    std::size_t block_begin(std::size_t b) const { return cell_start[b * kBlockCells]; }
    std::size_t block_end(std::size_t b) const { return cell_start[(b + 1) * kBlockCells]; }
    std::size_t cell_begin(std::size_t c) const { return cell_start[c]; }
    std::size_t cell_end(std::size_t c) const { return cell_start[c + 1]; }
};

class ParticleSorter {
 public:
    /// Every position must lie in a block of the topology (positions outside [0, period) are wrapped);
    /// otherwise StepFailed, which names the particle by its id when `id` has one for each.
    void sort(const Topology& topology, std::span<const Vec3d> position, ParticleOrder& order,
              std::span<const std::uint64_t> id = {});
    /// Leaves out positions that are not finite, lie outside the blocks, or so near their rim that the kernel
    /// around them reaches past it.
    void sort_inside(const Topology& topology, std::span<const Vec3d> position, ParticleOrder& order);

 private:
    template <class CellOf>
    void find_cells(const Topology& topology, std::size_t n, CellOf&& cell_of);
    void arrange(const Topology& topology, ParticleOrder& order);

    std::size_t chunk_size_ = 1;
    std::vector<std::uint32_t> cell_of_;  // field index of each particle's cell
    std::vector<std::uint32_t> block_;    // a block's particles before they are ordered by cell
    std::vector<std::uint32_t> next_;     // per chunk and block: next free place
    std::vector<std::int64_t> lost_;      // first lost particle of each chunk, or -1
};

/// out[i] = in[source[i]] for every sorted particle. `out` gets room for some more, so that the few born in a
/// step do not make it move: two copies of an array that grows would be the peak of a run's memory.
template <class In, class Out>
void reorder(const ParticleOrder& order, const In& in, Out& out) {
    const std::size_t n = order.source.size();
    if (out.capacity() < n + n / 64) {
        Out().swap(out);
        out.reserve(n + n / 8);
    }
    out.resize(n);
    parallel_chunks(order.source.size(), 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) out[i] = in[order.source[i]];
    });
}

}  // namespace rivulet::grid
