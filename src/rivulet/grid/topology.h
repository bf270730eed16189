#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::grid {

/// Cells along the edge of a block; a power of two.
inline constexpr int kBlockEdge = 4;
inline constexpr int kBlockCells = kBlockEdge * kBlockEdge * kBlockEdge;
/// Blocks exist within this many blocks of the origin along each axis (21 bits of the key per axis).
inline constexpr int kFarthestBlock = (1 << 20) - 4;

/// Interleaved bits of the block index (cell index / kBlockEdge) of a corner: the order of blocks.
std::uint64_t morton_key(const Vec3i& block_corner);
Vec3i morton_corner(std::uint64_t key);

/// Position of a neighbour in Topology::neighbour, each of dx, dy, dz in {-1, 0, 1}.
constexpr int neighbour_slot(int dx, int dy, int dz) {
    return (dx + 1) + 3 * (dy + 1) + 9 * (dz + 1);
}
/// Cell (i, j, k) of a block, each in [0, kBlockEdge): x fastest.
constexpr int cell_in_block(int i, int j, int k) {
    return i + kBlockEdge * (j + kBlockEdge * k);
}

/// Which blocks of an unbounded grid exist, sorted by Morton key.
/// Cell (i,j,k) of a block has its centre at (corner + (i,j,k) + 0.5) * cell. A block owns the lower faces of
/// its cells: the face of component x at (corner + (i, j+0.5, k+0.5)) * cell, and so on.
/// Entry b * kBlockCells + cell_in_block(i,j,k) of a field belongs to that cell (or lower face).
/// On a periodic axis block corners lie in [0, period).
struct Topology {
    double cell = 1;                                      // m
    std::vector<std::uint64_t> key;                       // increasing
    std::vector<Vec3i> corner;                            // lowest cell of the block, cells
    std::vector<std::array<std::int32_t, 27>> neighbour;  // by neighbour_slot; -1 absent; 13: itself
    Vec3i period;                                         // cells, multiple of kBlockEdge; 0: not periodic
    /// Blocks of one colour, widened by half a block all around, share no cell: their tasks may add to those.
    /// `coloured` lists the blocks colour by colour, each in key order; 8 colours, more on odd periods.
    std::vector<std::int32_t> coloured;
    std::vector<std::size_t> colour_start;  // into coloured, one more than colours

    std::size_t size() const { return key.size(); }
    std::size_t cells() const { return key.size() * kBlockCells; }
    std::size_t colours() const { return colour_start.empty() ? 0 : colour_start.size() - 1; }

    /// Block with that corner (wrapped on periodic axes), or -1.
    std::int32_t find(const Vec3i& block_corner) const;

    /// Field index of the cell (i,j,k) counted from the corner of block b, each within one block of it
    /// ([-kBlockEdge, 2 kBlockEdge)); -1 when that block is absent.
    std::int64_t index(std::size_t b, int i, int j, int k) const {
        const int e = kBlockEdge;
        const auto shift = [](int v) { return (v >= e) - (v < 0); };
        const int dx = shift(i), dy = shift(j), dz = shift(k);
        const std::int32_t n = neighbour[b][std::size_t(neighbour_slot(dx, dy, dz))];
        return n < 0 ? -1 : std::int64_t{n} * kBlockCells + cell_in_block(i - e * dx, j - e * dy, k - e * dz);
    }
    /// Field index of any cell, by its index in the whole grid; -1 when absent. Slow: searches.
    std::int64_t index(const Vec3i& cell_index) const;

    Vec3d cell_centre(std::size_t b, int i, int j, int k) const {
        return (to_double(corner[b]) + Vec3d{i + 0.5, j + 0.5, k + 0.5}) * cell;
    }
    Vec3d face_centre(std::size_t b, int i, int j, int k, int axis) const {
        Vec3d c = to_double(corner[b]) + Vec3d{i + 0.5, j + 0.5, k + 0.5};
        c[axis] -= 0.5;
        return c * cell;
    }
    /// The image of a position with 0 <= x < period on periodic axes.
    Vec3d wrapped(const Vec3d& position) const;
    Vec3i wrapped(const Vec3i& cell_index) const;
};

/// Calls body(b) for every block, in parallel.
template <class F>
void for_blocks(const Topology& topology, F&& body);
/// Calls body(b) colour after colour; within a colour in parallel. A body may write to its block and to cells
/// and faces within kBlockEdge/2 cells around it.
template <class F>
void for_coloured_blocks(const Topology& topology, F&& body);

/// How many cells below and above that of a point there must be, along each axis; kBlockEdge and more: whole
/// blocks around that of the point.
struct Reach {
    int below = kBlockEdge, above = kBlockEdge;
};

/// Builds the topology of a step: blocks that hold points, and a halo of whole blocks around them where the
/// points' reach asks for them. Keeps scratch memory only; the result depends on nothing but the points.
class TopologyBuilder {
 public:
    /// Forgets earlier points. `period` in cells, multiples of kBlockEdge, 0 where not periodic.
    void start(double cell, const Vec3i& period, const Reach& reach = {});
    /// Throws StepFailed when a point is not finite or farther out than blocks can be.
    /// `id`: one per point or none, to name one that is lost.
    void add_points(std::span<const Vec3d> points, std::span<const std::uint64_t> id = {});
    void add_block(const Vec3i& block_corner);
    /// `halo`: rings of blocks around those added, at least 1, on the sides where there are any.
    void build(Topology& topology, int halo = 1);

 private:
    void widen(int axis, int halo);
    void connect(Topology& topology);
    static void colour(Topology& topology);

    double cell_ = 1;
    Vec3i period_;
    Reach reach_;
    /// A block, and the sides (bits 2 axis, below, and 2 axis + 1) on which it needs others.
    struct Wanted {
        std::uint64_t key;
        std::uint8_t sides;
    };
    static constexpr std::uint8_t kAllSides = 63;
    static void unite(std::vector<Wanted>& blocks);

    std::vector<std::vector<Wanted>> chunk_blocks_;
    std::vector<std::int64_t> bad_point_;
    std::vector<Wanted> blocks_, wider_;
    std::vector<std::int32_t> table_;
};

}  // namespace rivulet::grid

#include <rivulet/grid/topology_loops.h>
