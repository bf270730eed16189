#include <rivulet/grid/particle_order.h>

#include <algorithm>
#include <array>
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

    std::uint32_t cell_of(const Vec3d& position) {
        const Vec3d p = periodic() ? topology_.wrapped(position) : position;
        const Vec3d s = p * inverse_;
        const double farthest = double(kFarthestBlock) * kBlockEdge;
        if (!(std::abs(s.x) < farthest && std::abs(s.y) < farthest && std::abs(s.z) < farthest)) return kLost;
        const Vec3i cell = topology_.wrapped(Vec3i{floored(s.x), floored(s.y), floored(s.z)});
        const int low = kBlockEdge - 1;
        const Vec3i corner{cell.x & ~low, cell.y & ~low, cell.z & ~low};
        if (!(corner == corner_)) {
            move_to(corner);
            if (block_ < 0) return kLost;
        }
        return static_cast<std::uint32_t>(block_) * kBlockCells +
               static_cast<std::uint32_t>(cell_in_block(cell.x & low, cell.y & low, cell.z & low));
    }

 private:
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
/// within a cell.
void sort_block(std::uint32_t first_cell, std::span<std::uint32_t> source,
                std::span<const std::uint32_t> cell_of, std::uint32_t place, std::uint32_t* cell_start,
                std::vector<std::uint32_t>& particles) {
    particles.assign(source.begin(), source.end());
    std::array<std::uint32_t, kBlockCells> next{};
    for (const std::uint32_t p : particles) ++next[cell_of[p] - first_cell];
    std::uint32_t begin = 0;
    for (std::size_t c = 0; c < kBlockCells; ++c) {
        if (c > 0) cell_start[c] = place + begin;  // the first is there already, and read by the block before
        const std::uint32_t count = next[c];
        next[c] = begin;
        begin += count;
    }
    for (const std::uint32_t p : particles) source[next[cell_of[p] - first_cell]++] = p;
}

}  // namespace

void ParticleSorter::sort(const Topology& topology, std::span<const Vec3d> position, ParticleOrder& order,
                          std::span<const std::uint64_t> id) {
    const std::size_t n = position.size(), blocks = topology.size();
    if (n >= kLost || topology.cells() >= kLost)
        throw StepFailed("particles", "more than 2^32 particles or cells");
    // NOTE: few chunks when blocks are many, so that the table of counts stays linear in n + blocks.
    const std::size_t most = std::clamp<std::size_t>(2 * n / std::max<std::size_t>(blocks, 1), 1, 64);
    const Chunks chunks(n, std::max<std::size_t>(4096, (n + most - 1) / most));
    cell_of_.resize(n);
    order.source.resize(n);
    order.cell_start.resize(topology.cells() + 1);
    next_.assign(chunks.count * blocks, 0);
    lost_.assign(chunks.count, -1);
    parallel_for(chunks.count, [&](std::size_t c) {
        CellFinder finder(topology);
        std::uint32_t* count = next_.data() + c * blocks;
        for (std::size_t p = chunks.begin(c); p < chunks.end(c); ++p) {
            cell_of_[p] = finder.cell_of(position[p]);
            if (cell_of_[p] != kLost)
                ++count[cell_of_[p] / kBlockCells];
            else if (lost_[c] < 0)
                lost_[c] = static_cast<std::int64_t>(p);
        }
    });
    for (const std::int64_t p : lost_)
        if (p >= 0) throw StepFailed(particle_name(id, std::size_t(p)), "it lies outside the grid");

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
    parallel_for(chunks.count, [&](std::size_t c) {
        std::uint32_t* next = next_.data() + c * blocks;
        for (std::size_t p = chunks.begin(c); p < chunks.end(c); ++p)
            order.source[next[cell_of_[p] / kBlockCells]++] = static_cast<std::uint32_t>(p);
    });
    parallel_chunks(blocks, 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::vector<std::uint32_t> particles;
        for (std::size_t b = begin; b < end; ++b) {
            const std::uint32_t first = order.cell_start[b * kBlockCells];
            const std::uint32_t last =
                b + 1 < blocks ? order.cell_start[(b + 1) * kBlockCells] : static_cast<std::uint32_t>(n);
            sort_block(static_cast<std::uint32_t>(b) * kBlockCells,
                       std::span(order.source).subspan(first, last - first), cell_of_, first,
                       order.cell_start.data() + b * kBlockCells, particles);
        }
    });
}

}  // namespace rivulet::grid
