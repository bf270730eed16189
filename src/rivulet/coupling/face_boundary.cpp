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
        CornerDistances d;
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3d origin = to_double(topology.corner[b]) * cell;
            const double width = kEdge * cell;
            const geometry::Bounds box{origin, origin + Vec3d{width, width, width}};
            if (!solids.near(box, band)) continue;
            solids.fill_distance(origin, cell, {kCorners, kCorners, kCorners}, 1, d, band);
            for (int k = 0; k < kEdge; ++k)
                for (int j = 0; j < kEdge; ++j)
                    for (int i = 0; i < kEdge; ++i) {
                        const std::size_t e =
                            b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k));
                        std::array<double, 8> around;
                        for (int c = 0; c < 8; ++c)
                            around[std::size_t(c)] = corner(d, i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
                        const auto [low, high] = std::minmax_element(around.begin(), around.end());
                        if (*low > band) continue;
                        boundary.distance[e] =
                            std::min(band, solids.distance(topology.cell_centre(b, i, j, k), 1));
                        boundary.open_volume[e] = *low >= 0   ? 1.0
                                                  : *high < 0 ? 0.0
                                                              : 1 - geometry::cell_fraction(around);
                        for (int axis = 0; axis < 3; ++axis) {
                            const std::size_t a = std::size_t(axis);
                            const double covered = geometry::square_fraction(face_corners(d, i, j, k, axis));
                            faces.open[a][e] = without_slivers(1 - covered);
                            if (*high < -band) continue;  // deep inside: no liquid ever asks
                            const auto s = solids.sample(topology.face_centre(b, i, j, k, axis), 1);
                            if (s.solid < 0) continue;
                            faces.solid_velocity[a][e] = s.velocity[axis];
                            const std::size_t obstacle = std::size_t(s.solid);
                            faces.wall[a][e] =
                                obstacle < rule_of.size() ? rule_of[obstacle] : std::uint8_t{0};
                        }
                    }
        }
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
