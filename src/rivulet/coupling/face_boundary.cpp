#include <rivulet/coupling/face_boundary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/coupling/boundary_memory.h>
#include <rivulet/coupling/flat_walls.h>
#include <rivulet/geometry/clip.h>
#include <rivulet/grid/tile.h>

namespace rivulet::coupling {
namespace {

constexpr int kEdge = grid::kBlockEdge, kCorners = kEdge + 1;
constexpr double kBand = 3;  // cells around solids in which faces know the solid's velocity
/// How deep in solids liquid's distance is continued, and how far before their wall it is looked up [cells].
constexpr double kContinuedDepth = 2.5, kClearOfWall = 0.5;

/// Distances at the corners of the cells of one block.
using CornerDistances = std::array<double, std::size_t(kCorners* kCorners* kCorners)>;

double corner(const CornerDistances& d, int i, int j, int k) {
    return d[std::size_t(i + kCorners * (j + kCorners * k))];
}

std::array<double, 4> face_corners(const CornerDistances& d, int i, int j, int k, int axis) {
    const Vec3i u{axis == 0 ? 0 : 1, axis == 0 ? 1 : 0, 0}, v{0, axis == 2 ? 1 : 0, axis == 2 ? 0 : 1};
    const auto at = [&](const Vec3i& o) { return corner(d, i + o.x, j + o.y, k + o.z); };
    return {at({}), at(u), at(v), at(u + v)};
}

/// The open part of every eighth of a cell in a block and one cell around.
class Eighths {
 public:
    void find(const geometry::SolidField& solids, const Vec3d& origin, double cell) {
        const double half = 0.5 * cell, first = 0.25 * cell - cell;
        solids.fill_distance(origin + Vec3d{first, first, first}, half, {kWide, kWide, kWide}, 1, open_,
                             kBand * cell);
        const double scale = 1 / half;
        for (double& d : open_) d = std::max(0.0, std::min(1.0, 0.5 + d * scale));
    }

    /// Their mean over each cell of the block.
    void mean(double* out) const {
        for_cells([&](int i, int j, int k, int c) {
            double sum = 0;
            for (int n = 0; n < 8; ++n)
                sum += at(2 * i + 2 + (n & 1), 2 * j + 2 + (n >> 1 & 1), 2 * k + 2 + (n >> 2));
            out[c] = sum / 8;
        });
    }

    /// Their sum with the weights of the kernel around each cell, one axis after the other: the longest rows
    /// first. Uses them up.
    void sum_with_kernel(double* out) {
        add_up<kSlab>(open_.data());
        for (int k = 0; k < kEdge; ++k) add_up<kWide>(open_.data() + k * kSlab);
        for_cells([&](int i, int j, int k, int c) {
            double sum = 0;
            for (int t = 0; t < 6; ++t) sum += kWeight[t] * at(2 * i + t, j, k);
            out[c] = sum;
        });
    }

 private:
    static constexpr int kWide = 2 * (kEdge + 2), kSlab = kWide * kWide;
    /// Quadratic B-spline at ±1/4, ±3/4, ±5/4 cells, over two: what particles of a full lattice there bring.
    /// The spline's integrals would make a still tank 1 % too light at its walls.
    static constexpr double kWeight[6] = {1.0 / 64, 9.0 / 64, 22.0 / 64, 22.0 / 64, 9.0 / 64, 1.0 / 64};

    template <class F>
    static void for_cells(F&& body) {
        for (int k = 0; k < kEdge; ++k)
            for (int j = 0; j < kEdge; ++j)
                for (int i = 0; i < kEdge; ++i) body(i, j, k, grid::cell_in_block(i, j, k));
    }
    double at(int i, int j, int k) const { return open_[std::size_t(i + kWide * j + kSlab * k)]; }
    /// Rows of `Row` entries, one after the other: row c becomes the sum around cell c.
    template <int Row>
    static void add_up(double* rows) {
        // NOTE: sums are written over rows that no later sum reads.
        for (int c = 0; c < kEdge; ++c) {
            const double* in = rows + 2 * c * Row;
            double* out = rows + c * Row;
            for (int i = 0; i < Row; ++i)
                out[i] = kWeight[0] * (in[i] + in[i + 5 * Row]) +
                         kWeight[1] * (in[i + Row] + in[i + 4 * Row]) +
                         kWeight[2] * (in[i + 2 * Row] + in[i + 3 * Row]);
        }
    }

    std::array<double, std::size_t(kWide* kWide* kWide)> open_;
};

/// Looks at one block after the other; only blocks near a solid ask for distances.
class BlockBoundary {
 public:
    BlockBoundary(const grid::Topology& topology, const geometry::SolidField& solids,
                  const SplitSolids& split, std::span<const std::uint8_t> rule_of, SolidBoundary& boundary)
        : topology_(topology),
          solids_(solids),
          split_(split),
          rule_of_(rule_of),
          boundary_(boundary),
          moving_(!boundary.faces.solid_velocity[0].empty()),
          cell_(topology.cell),
          band_(kBand * topology.cell) {}

    /// False when no solid is near.
    bool find(std::size_t b) {
        const Vec3d origin = to_double(topology_.corner[b]) * cell_;
        const double width = kEdge * cell_;
        const geometry::Bounds box{origin, origin + Vec3d{width, width, width}};
        solids_.near(box, band_, near_);
        if (near_.empty()) return false;
        near_walls(split_.walls, box, kWallReach * cell_, walls_);
        near_curved_ = split_.curved.near(box, kKernelReach * cell_);
        if (near_curved_)
            split_.curved.fill_distance(origin, cell_, {kCorners, kCorners, kCorners}, 1, curved_, band_);
        solids_.fill_distance(origin, cell_, {kCorners, kCorners, kCorners}, 1, corners_, band_);
        const double half = 0.5 * cell_;
        solids_.fill_distance(origin + Vec3d{half, half, half}, cell_, {kEdge, kEdge, kEdge}, 1, centres_,
                              band_);
        for (int k = 0; k < kEdge; ++k)
            for (int j = 0; j < kEdge; ++j)
                for (int i = 0; i < kEdge; ++i) find_cell(b, i, j, k);
        find_free_kernel(b, origin);
        return true;
    }

 private:
    void find_free_kernel(std::size_t b, const Vec3d& origin) {
        double* free = boundary_.free_kernel.data() + b * grid::kBlockCells;
        if (near_curved_ && *std::min_element(curved_.begin(), curved_.end()) < kKernelReach * cell_) {
            eighths_.find(split_.curved, origin, cell_);
            eighths_.sum_with_kernel(free);
        }
        for (const FlatWall& wall : walls_)
            for (int k = 0; k < kEdge; ++k)
                for (int j = 0; j < kEdge; ++j)
                    for (int i = 0; i < kEdge; ++i)
                        free[grid::cell_in_block(i, j, k)] *=
                            lattice_before_wall(wall.distance(topology_.cell_centre(b, i, j, k)) / cell_);
    }

    /// Part of a face that no solid covers.
    double open_area(std::size_t b, int i, int j, int k, int axis) {
        cuts_.clear();
        // NOTE: a wall on the grid lies on corners up to round-off; those count as not covered.
        const auto add = [&](std::array<double, 4> distances) {
            for (double& d : distances)
                if (std::abs(d) < 1e-9 * cell_) d = 0;
            if (std::any_of(distances.begin(), distances.end(), [](double d) { return d < 0; }))
                cuts_.push_back(distances);
        };
        if (near_curved_) add(face_corners(curved_, i, j, k, axis));
        const Vec3i u{axis == 0 ? 0 : 1, axis == 0 ? 1 : 0, 0}, v{0, axis == 2 ? 1 : 0, axis == 2 ? 0 : 1};
        const Vec3d first = to_double(topology_.corner[b] + Vec3i{i, j, k}) * cell_;
        for (const FlatWall& wall : walls_) {
            const double here = wall.distance(first), along_u = dot(wall.normal, to_double(u)) * cell_,
                         along_v = dot(wall.normal, to_double(v)) * cell_;
            add({here, here + along_u, here + along_v, here + along_u + along_v});
        }
        return without_slivers(geometry::uncovered_square_fraction(cuts_));
    }

    void find_cell(std::size_t b, int i, int j, int k) {
        const std::size_t c = std::size_t(grid::cell_in_block(i, j, k)), e = b * grid::kBlockCells + c;
        std::array<double, 8> around;
        for (int n = 0; n < 8; ++n)
            around[std::size_t(n)] = corner(corners_, i + (n & 1), j + ((n >> 1) & 1), k + (n >> 2));
        const auto [low, high] = std::minmax_element(around.begin(), around.end());
        if (*low > band_) return;
        boundary_.distance[e] = std::min(band_, centres_[c]);
        if (*low >= 0 && near_.size() == 1 && !moving_) {
            for (auto& wall : boundary_.faces.wall) wall[e] = rule_of(near_[0]);
            return;
        }
        for (int axis = 0; axis < 3; ++axis) {
            if (*low < 0) boundary_.faces.open[std::size_t(axis)][e] = open_area(b, i, j, k, axis);
            if (*high < -band_) continue;  // deep inside: no liquid ever asks
            find_wall(topology_.face_centre(b, i, j, k, axis), axis, e);
        }
    }

    /// Rule and velocity of the solid nearest to a face.
    void find_wall(const Vec3d& x, int axis, std::size_t e) {
        std::size_t nearest = near_[0];
        if (near_.size() > 1) {
            double least = geometry::kNoSolidDistance;
            for (const std::size_t solid : near_) {
                const double d = solids_.distance_to(solid, x, 1);
                if (d < least) least = d, nearest = solid;
            }
        }
        const std::size_t a = std::size_t(axis);
        if (moving_) boundary_.faces.solid_velocity[a][e] = solids_.velocity_of(nearest, x, 1)[axis];
        boundary_.faces.wall[a][e] = rule_of(nearest);
    }
    std::uint8_t rule_of(std::size_t solid) const {
        const std::size_t obstacle = std::size_t(solids_.solid(solid).obstacle);
        return obstacle < rule_of_.size() ? rule_of_[obstacle] : std::uint8_t{0};
    }

    /// Corners of a block this far from solids have none in the kernels of its cells: 1 cell to the cell's
    /// corner and 1 more from there, along the diagonal.
    static constexpr double kKernelReach = 2 * 1.7320508;
    /// The same across a flat wall: from centre to centre of the lattice's particles (lattice_before_wall).
    static constexpr double kWallReach = 1.25;
    const grid::Topology& topology_;
    const geometry::SolidField& solids_;
    const SplitSolids& split_;
    std::span<const std::uint8_t> rule_of_;
    SolidBoundary& boundary_;
    bool moving_;
    double cell_, band_;
    std::vector<std::size_t> near_;
    std::vector<FlatWall> walls_;  // close enough to matter to the kernels of the block's cells
    bool near_curved_ = false;     // so is a solid of another form
    CornerDistances corners_, curved_;
    std::vector<std::array<double, 4>> cuts_;
    std::array<double, std::size_t(grid::kBlockCells)> centres_;
    Eighths eighths_;
};

/// Rules without repeats, and which of them each obstacle has.
std::vector<std::uint8_t> collect_rules(std::span<const obstacle::Wall> walls,
                                        std::vector<grid::WallRule>& rules) {
    const auto same = [](const grid::WallRule& a, const grid::WallRule& b) {
        return a.kind == b.kind && a.friction == b.friction && a.separate == b.separate &&
               a.adhesion == b.adhesion;
    };
    std::vector<std::uint8_t> rule_of;
    rules.clear();
    for (const obstacle::Wall& wall : walls) {
        const grid::WallRule rule = wall_rule(wall);
        const auto found =
            std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return same(r, rule); });
        std::size_t index = std::size_t(found - rules.begin());
        if (found == rules.end() && rules.size() < grid::FaceBoundary::kNoWall)
            rules.push_back(rule);
        else if (found == rules.end())
            index = rules.size() - 1;
        rule_of.push_back(std::uint8_t(index));
    }
    if (rules.empty()) rules.push_back({});
    return rule_of;
}

}  // namespace

grid::WallRule wall_rule(const obstacle::Wall& wall) {
    const auto kind = wall.condition == obstacle::WallCondition::slip      ? grid::WallKind::slip
                      : wall.condition == obstacle::WallCondition::no_slip ? grid::WallKind::no_slip
                                                                           : grid::WallKind::friction;
    return {kind, wall.friction, wall.separate, wall.adhesion};
}

void find_boundary(const grid::Topology& topology, const geometry::SolidField& solids,
                   std::span<const obstacle::Wall> walls, SolidBoundary& boundary, BoundaryMemory* memory) {
    const std::size_t n = topology.cells();
    const double cell = topology.cell, band = kBand * cell;
    grid::FaceBoundary& faces = boundary.faces;
    faces.clear(n, !solids.at_rest());
    grid::fill(boundary.distance, n, band);
    grid::fill(boundary.free_kernel, n, 1.0);
    const std::vector<std::uint8_t> rule_of = collect_rules(walls, faces.rules);
    if (solids.empty()) return;

    const SplitSolids split(solids);
    if (memory) memory->start(topology, solids, rule_of);
    parallel_chunks(topology.size(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
        BlockBoundary block{topology, solids, split, rule_of, boundary};
        for (std::size_t b = begin; b < end; ++b)
            if (!(memory && memory->recall(b, boundary)) && block.find(b) && memory) memory->found(b);
    });
    if (memory) memory->keep(topology, boundary);
}

void find_open_volume(const grid::Topology& topology, const geometry::SolidField& solids, grid::Field& open) {
    grid::fill(open, topology.cells(), 1.0);
    if (solids.empty()) return;
    const SplitSolids split(solids);
    const double cell = topology.cell, width = kEdge * cell;
    grid::for_blocks(topology, [&](std::size_t b) {
        const Vec3d origin = to_double(topology.corner[b]) * cell;
        const geometry::Bounds box{origin, origin + Vec3d{width, width, width}};
        double* part = open.data() + b * grid::kBlockCells;
        if (split.curved.near(box, cell)) {
            Eighths eighths;
            eighths.find(split.curved, origin, cell);
            eighths.mean(part);
        }
        std::vector<FlatWall> walls;
        near_walls(split.walls, box, 0, walls);
        for (const FlatWall& wall : walls)
            for (int k = 0; k < kEdge; ++k)
                for (int j = 0; j < kEdge; ++j)
                    for (int i = 0; i < kEdge; ++i) {
                        const Vec3d low = origin + Vec3d{double(i), double(j), double(k)} * cell;
                        part[grid::cell_in_block(i, j, k)] *=
                            1 - geometry::box_fraction_below_plane({low, low + Vec3d{cell, cell, cell}},
                                                                   wall.normal, wall.offset);
                    }
    });
}

bool closer_to_solids(const SolidBoundary& boundary, std::size_t b, double distance) {
    bool closer = false;  // no early end: looked at many at once
    for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c)
        closer |= boundary.distance[c] < distance;
    return closer;
}

bool far_from_solids(const grid::Topology& topology, const SolidBoundary& boundary, std::size_t b) {
    return !closer_to_solids(boundary, b, kBand * topology.cell);
}

Vec3d distance_slope(const grid::Topology& topology, const grid::Field& distance, std::size_t b,
                     const Vec3i& at) {
    Vec3d slope;
    for (int a = 0; a < 3; ++a) {
        Vec3i low = at, high = at;
        low[a] -= 1;
        high[a] += 1;
        const std::int64_t l = topology.index(b, low.x, low.y, low.z),
                           h = topology.index(b, high.x, high.y, high.z);
        if (l < 0 || h < 0) return {};
        slope[a] = distance[std::size_t(h)] - distance[std::size_t(l)];
    }
    return slope;
}

namespace {

/// Cells with less of their kernel free cannot tell where the surface is.
constexpr double kLeastFreeKernel = 1.0 / 3;

/// Trilinear between the centres that can tell, in cells from the block's corner; false when none can.
bool sample_known(const grid::Topology& topology, const SolidBoundary& boundary, const grid::Field& phi,
                  std::size_t b, const Vec3d& at, double& result) {
    const Vec3d s = at - Vec3d{0.5, 0.5, 0.5};
    const Vec3i low{int(std::floor(s.x)), int(std::floor(s.y)), int(std::floor(s.z))};
    const Vec3d f = s - to_double(low);
    double sum = 0, weight = 0;
    for (int n = 0; n < 8; ++n) {
        const int x = n & 1, y = n >> 1 & 1, z = n >> 2;
        const std::int64_t e = topology.index(b, low.x + x, low.y + y, low.z + z);
        if (e < 0 || boundary.free_kernel[std::size_t(e)] < kLeastFreeKernel) continue;
        const double w = (x ? f.x : 1 - f.x) * (y ? f.y : 1 - f.y) * (z ? f.z : 1 - f.z);
        sum += w * phi[std::size_t(e)];
        weight += w;
    }
    // NOTE: a sliver of weight would only magnify round-off.
    if (weight < 1e-3) return false;
    result = sum / weight;
    return true;
}

}  // namespace

void continue_into_solids(const grid::Topology& topology, const SolidBoundary& boundary, grid::Field& phi) {
    const double cell = topology.cell;
    grid::for_blocks(topology, [&](std::size_t b) {
        const double* free = boundary.free_kernel.data() + b * grid::kBlockCells;
        if (std::none_of(free, free + grid::kBlockCells, [](double v) { return v < kLeastFreeKernel; }))
            return;
        for (int k = 0; k < kEdge; ++k)
            for (int j = 0; j < kEdge; ++j)
                for (int i = 0; i < kEdge; ++i) {
                    const std::size_t c = std::size_t(grid::cell_in_block(i, j, k));
                    const std::size_t e = b * grid::kBlockCells + c;
                    const double depth = -boundary.distance[e];
                    if (free[c] >= kLeastFreeKernel || depth > kContinuedDepth * cell) continue;
                    const Vec3d slope = distance_slope(topology, boundary.distance, b, {i, j, k});
                    const double steep = length(slope);
                    if (!(steep > 0)) continue;
                    const Vec3d out = slope * ((std::max(0.0, depth) / cell + kClearOfWall) / steep);
                    sample_known(topology, boundary, phi, b, Vec3d{i + 0.5, j + 0.5, k + 0.5} + out, phi[e]);
                }
    });
}

}  // namespace rivulet::coupling
