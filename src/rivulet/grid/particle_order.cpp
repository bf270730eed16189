#include <rivulet/grid/particle_order.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

#include <rivulet/base/entity.h>
#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>

namespace rivulet::grid {

namespace {

constexpr std::uint32_t kLost = ~std::uint32_t{0};

/// Finds the cells of particles that mostly follow each other: stays in a block or steps to one beside it.
class CellFinder {
 public:
    explicit CellFinder(const Topology& topology) : topology_(topology), inverse_(1 / topology.cell) {}

    /// kLost outside the blocks.
    std::uint32_t cell_of(const Vec3d& position) {
        const Vec3d p = periodic() ? topology_.wrapped(position) : position;
        const Vec3d s = p * inverse_;
        const double farthest = double(kFarthestBlock) * kBlockEdge;
        if (!(std::abs(s.x) < farthest && std::abs(s.y) < farthest && std::abs(s.z) < farthest)) return kLost;
        const Vec3i cell = topology_.wrapped(Vec3i{floored(s.x), floored(s.y), floored(s.z)});
        const int low = kBlockEdge - 1;
        const Vec3i corner{cell.x & ~low, cell.y & ~low, cell.z & ~low};
        if (!(corner == corner_)) move_to(corner);
        if (block_ < 0) return kLost;
        return static_cast<std::uint32_t>(block_) * kBlockCells +
               static_cast<std::uint32_t>(cell_in_block(cell.x & low, cell.y & low, cell.z & low));
    }
    /// kLost also where a node of the kernel, on centres or faces, has no block.
    std::uint32_t cell_inside(const Vec3d& position) {
        const std::uint32_t found = cell_of(position);
        return found != kLost && kernel_fits(found) ? found : kLost;
    }

 private:
    /// Nodes lie from one cell below that of the position to two above (its upper face, and one more).
    bool kernel_fits(std::uint32_t found) const {
        const int c = static_cast<int>(found % kBlockCells);
        const int at[3] = {c % kBlockEdge, c / kBlockEdge % kBlockEdge, c / (kBlockEdge * kBlockEdge)};
        int low[3], high[3];
        for (int a = 0; a < 3; ++a) {
            low[a] = at[a] < 1 ? -1 : 0;
            high[a] = at[a] + 2 >= kBlockEdge ? 1 : 0;
        }
        const auto& near = topology_.neighbour[found / kBlockCells];
        for (int k = low[2]; k <= high[2]; ++k)
            for (int j = low[1]; j <= high[1]; ++j)
                for (int i = low[0]; i <= high[0]; ++i)
                    if (near[std::size_t(neighbour_slot(i, j, k))] < 0) return false;
        return true;
    }
    static int floored(double x) { return static_cast<int>(std::floor(x)); }
    bool periodic() const { return (topology_.period.x | topology_.period.y | topology_.period.z) != 0; }

    void move_to(const Vec3i& corner) {
        const Vec3i d{(corner.x - corner_.x) / kBlockEdge, (corner.y - corner_.y) / kBlockEdge,
                      (corner.z - corner_.z) / kBlockEdge};
        const bool near = block_ >= 0 && std::abs(d.x) <= 1 && std::abs(d.y) <= 1 && std::abs(d.z) <= 1;
        block_ = near ? topology_.neighbour[std::size_t(block_)][std::size_t(neighbour_slot(d.x, d.y, d.z))]
                      : topology_.find(corner);
        corner_ = corner;
    }

    const Topology& topology_;
    double inverse_;
    Vec3i corner_{1, 0, 0};  // no block corner
    std::int32_t block_ = -1;
};

/// Orders the particles of one block, now anyhow at [place, ...) of `source`, by cell, keeping their order
/// within a cell. `copy` is as long as `source`.
void sort_block(std::uint32_t first_cell, std::span<std::uint32_t> source,
                std::span<const std::uint32_t> cell_of, std::uint32_t place, std::uint32_t* cell_start,
                std::span<std::uint32_t> copy) {
    std::copy(source.begin(), source.end(), copy.begin());
    std::array<std::uint32_t, kBlockCells> next{};
    for (const std::uint32_t p : copy) ++next[cell_of[p] - first_cell];
    std::uint32_t begin = 0;
    for (std::size_t c = 0; c < kBlockCells; ++c) {
        if (c > 0) cell_start[c] = place + begin;  // the first is there already, and read by the block before
        const std::uint32_t count = next[c];
        next[c] = begin;
        begin += count;
    }
    for (const std::uint32_t p : copy) source[next[cell_of[p] - first_cell]++] = p;
}

}  // namespace

/// Cells of all particles, and how many of each chunk each block has.
template <class CellOf>
void ParticleSorter::find_cells(const Topology& topology, std::size_t n, CellOf&& cell_of) {
    const std::size_t blocks = topology.size();
    if (n >= kLost || topology.cells() >= kLost)
        throw StepFailed("particles", "more than 2^32 particles or cells");
    // NOTE: few chunks when blocks are many, so that the table of counts stays linear in n + blocks.
    const std::size_t most = std::clamp<std::size_t>(2 * n / std::max<std::size_t>(blocks, 1), 1, 64);
    chunk_size_ = std::max<std::size_t>(4096, (n + most - 1) / most);
    const Chunks chunks(n, chunk_size_);
    cell_of_.resize(n);
    next_.assign(chunks.count * blocks, 0);
    lost_.assign(chunks.count, -1);
    parallel_for(chunks.count, [&](std::size_t c) {
        CellFinder finder(topology);
        std::uint32_t* count = next_.data() + c * blocks;
        for (std::size_t p = chunks.begin(c); p < chunks.end(c); ++p) {
            cell_of_[p] = cell_of(finder, p);
            if (cell_of_[p] != kLost)
                ++count[cell_of_[p] / kBlockCells];
            else if (lost_[c] < 0)
                lost_[c] = static_cast<std::int64_t>(p);
        }
    });
}

/// Those that have a cell, by block and cell.
void ParticleSorter::arrange(const Topology& topology, ParticleOrder& order) {
    const std::size_t blocks = topology.size();
    const Chunks chunks(cell_of_.size(), chunk_size_);
    order.cell_start.resize(topology.cells() + 1);
    std::uint32_t place = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        order.cell_start[b * kBlockCells] = place;
        for (std::size_t c = 0; c < chunks.count; ++c) {
            const std::uint32_t count = next_[c * blocks + b];
            next_[c * blocks + b] = place;
            place += count;
        }
    }
    order.cell_start[topology.cells()] = place;
    order.source.resize(place);
    block_.resize(place);
    parallel_for(chunks.count, [&](std::size_t c) {
        std::uint32_t* next = next_.data() + c * blocks;
        for (std::size_t p = chunks.begin(c); p < chunks.end(c); ++p)
            if (cell_of_[p] != kLost)
                order.source[next[cell_of_[p] / kBlockCells]++] = static_cast<std::uint32_t>(p);
    });
    parallel_chunks(blocks, 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const std::uint32_t first = order.cell_start[b * kBlockCells];
            const std::uint32_t last = order.cell_start[(b + 1) * kBlockCells];
            sort_block(static_cast<std::uint32_t>(b) * kBlockCells,
                       std::span(order.source).subspan(first, last - first), cell_of_, first,
                       order.cell_start.data() + b * kBlockCells,
                       std::span(block_).subspan(first, last - first));
        }
    });
}

void ParticleSorter::sort(const Topology& topology, std::span<const Vec3d> position, ParticleOrder& order,
                          std::span<const std::uint64_t> id) {
    assert(id.empty() || id.size() == position.size());
    find_cells(topology, position.size(),
               [&](CellFinder& finder, std::size_t p) { return finder.cell_of(position[p]); });
    for (const std::int64_t p : lost_)
        if (p >= 0) throw StepFailed(particle_name(id, std::size_t(p)), "it lies outside the grid");
    arrange(topology, order);
}

void ParticleSorter::sort_inside(const Topology& topology, std::span<const Vec3d> position,
                                 ParticleOrder& order) {
    find_cells(topology, position.size(),
               [&](CellFinder& finder, std::size_t p) { return finder.cell_inside(position[p]); });
    arrange(topology, order);
}

}  // namespace rivulet::grid
