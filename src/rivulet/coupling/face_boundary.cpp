#include <rivulet/coupling/face_boundary.h>

#include <algorithm>
#include <array>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/geometry/clip.h>
#include <rivulet/grid/tile.h>

namespace rivulet::coupling {
namespace {

constexpr int kEdge = grid::kBlockEdge, kCorners = kEdge + 1;
constexpr double kBand = 3;  // cells around solids in which faces know the solid's velocity

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

/// Looks at one block after the other; only blocks near a solid ask for distances.
class BlockBoundary {
 public:
    BlockBoundary(const grid::Topology& topology, const geometry::SolidField& solids,
                  std::span<const std::uint8_t> rule_of, SolidBoundary& boundary)
        : topology_(topology),
          solids_(solids),
          rule_of_(rule_of),
          boundary_(boundary),
          cell_(topology.cell),
          band_(kBand * topology.cell) {}

    void find(std::size_t b) {
        const Vec3d origin = to_double(topology_.corner[b]) * cell_;
        const double width = kEdge * cell_;
        solids_.near({origin, origin + Vec3d{width, width, width}}, band_, near_);
        if (near_.empty()) return;
        solids_.fill_distance(origin, cell_, {kCorners, kCorners, kCorners}, 1, corners_, band_);
        const double half = 0.5 * cell_;
        solids_.fill_distance(origin + Vec3d{half, half, half}, cell_, {kEdge, kEdge, kEdge}, 1, centres_,
                              band_);
        for (int k = 0; k < kEdge; ++k)
            for (int j = 0; j < kEdge; ++j)
                for (int i = 0; i < kEdge; ++i) find_cell(b, i, j, k);
    }

 private:
    void find_cell(std::size_t b, int i, int j, int k) {
        const std::size_t c = std::size_t(grid::cell_in_block(i, j, k)), e = b * grid::kBlockCells + c;
        std::array<double, 8> around;
        for (int n = 0; n < 8; ++n)
            around[std::size_t(n)] = corner(corners_, i + (n & 1), j + ((n >> 1) & 1), k + (n >> 2));
        const auto [low, high] = std::minmax_element(around.begin(), around.end());
        if (*low > band_) return;
        boundary_.distance[e] = std::min(band_, centres_[c]);
        // Walls on grid planes leave distances of round-off at the corners of whole cells.
        const double rounding = kRounding * cell_;
        boundary_.open_volume[e] = *low >= -rounding  ? 1.0
                                   : *high < rounding ? 0.0
                                                      : 1 - geometry::cell_fraction(around);
        for (int axis = 0; axis < 3; ++axis) {
            if (*low < 0)
                boundary_.faces.open[std::size_t(axis)][e] =
                    without_slivers(1 - geometry::square_fraction(face_corners(corners_, i, j, k, axis)));
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
        const std::size_t a = std::size_t(axis), obstacle = std::size_t(solids_.solid(nearest).obstacle);
        boundary_.faces.solid_velocity[a][e] = solids_.velocity_of(nearest, x, 1)[axis];
        boundary_.faces.wall[a][e] = obstacle < rule_of_.size() ? rule_of_[obstacle] : std::uint8_t{0};
    }

    static constexpr double kRounding = 1e-9;  // cells
    const grid::Topology& topology_;
    const geometry::SolidField& solids_;
    std::span<const std::uint8_t> rule_of_;
    SolidBoundary& boundary_;
    double cell_, band_;
    std::vector<std::size_t> near_;
    CornerDistances corners_;
    std::array<double, std::size_t(grid::kBlockCells)> centres_;
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
                   std::span<const obstacle::Wall> walls, SolidBoundary& boundary) {
    const std::size_t n = topology.cells();
    const double cell = topology.cell, band = kBand * cell;
    grid::FaceBoundary& faces = boundary.faces;
    faces.clear(n);
    grid::fill(boundary.distance, n, band);
    grid::fill(boundary.open_volume, n, 1.0);
    const std::vector<std::uint8_t> rule_of = collect_rules(walls, faces.rules);
    if (solids.empty()) return;

    parallel_chunks(topology.size(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
        BlockBoundary block{topology, solids, rule_of, boundary};
        for (std::size_t b = begin; b < end; ++b) block.find(b);
    });
}

void SolidContinuation::run(const grid::Topology& topology, const grid::Field& solid_distance,
                            grid::Field& phi) {
    using Tile = grid::Tile<1, 1>;
    constexpr int kLayers = 2;
    const double cell = topology.cell;
    // A cell is known when its centre is outside solids, or after the layer that reached it.
    known_.resize(phi.size());
    parallel_chunks(phi.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e) known_[e] = solid_distance[e] >= 0;
    });
    next_known_ = known_;
    next_ = phi;
    for (int layer = 0; layer < kLayers; ++layer) {
        grid::for_blocks(topology, [&](std::size_t b) {
            const double* distance = solid_distance.data() + b * grid::kBlockCells;
            const bool near = std::any_of(distance, distance + grid::kBlockCells,
                                          [&](double d) { return d < 0 && d > -kLayers * cell; });
            if (!near) return;
            Tile value, is_known;
            value.gather(topology, phi.data(), b);
            is_known.gather(topology, known_.data(), b);
            for (int k = 0; k < kEdge; ++k)
                for (int j = 0; j < kEdge; ++j)
                    for (int i = 0; i < kEdge; ++i) {
                        if (is_known(i, j, k) > 0) continue;
                        double sum = 0, weight = 0;
                        for (int dk = -1; dk <= 1; ++dk)
                            for (int dj = -1; dj <= 1; ++dj)
                                for (int di = -1; di <= 1; ++di) {
                                    const double w = (1 << (3 - di * di - dj * dj - dk * dk)) *
                                                     is_known(i + di, j + dj, k + dk);
                                    sum += w * value(i + di, j + dj, k + dk);
                                    weight += w;
                                }
                        if (weight == 0) continue;
                        const std::size_t e =
                            b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k));
                        next_[e] = sum / weight;
                        next_known_[e] = 1;
                    }
        });
        phi = next_;
        known_ = next_known_;
    }
}

}  // namespace rivulet::coupling
