#include <rivulet/liquid/shear_faces.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/cell_neighbours.h>

namespace rivulet::liquid {
namespace {

constexpr int kCells = grid::kBlockCells;
constexpr std::size_t kBlocksPerTask = 64;
/// A closed face of a slip wall is held when it looks across the wall rather than along it.
constexpr double kAcross = 0.7071;

bool sticks(const grid::FaceBoundary& boundary, std::size_t axis, std::size_t e) {
    const std::uint8_t wall = boundary.wall[axis][e];
    return wall < boundary.rules.size() && boundary.rules[wall].kind == grid::WallKind::no_slip;
}

}  // namespace

void ShearFaces::build(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                       const grid::Field& solid_distance, const grid::FaceField& mass) {
    cells_ = topology.cells();
    classify(topology, boundary, solid_distance, mass);
    follow(topology, boundary, solid_distance);
}

void ShearFaces::classify(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                          const grid::Field& solid_distance, const grid::FaceField& mass) {
    kind_.resize(3 * cells_);
    mass_.resize(3 * cells_);
    parallel_chunks(topology.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const CellNeighbours near(topology, b);
            for (int c = 0; c < kCells; ++c) {
                const std::size_t e = b * kCells + std::size_t(c);
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const double m = mass[axis][e];
                    Kind kind = m > 0 ? Kind::free : Kind::none;
                    const std::ptrdiff_t low = near.lower(c, axis);
                    if (kind == Kind::free && low >= 0) {
                        const double below = solid_distance[std::size_t(low)], here = solid_distance[e];
                        const bool closed = boundary.open[axis][e] == 0;
                        const bool held = sticks(boundary, axis, e)
                                              ? closed || here + below < 0
                                              : closed && std::abs(here - below) > kAcross * topology.cell;
                        if (held) kind = Kind::held;
                    }
                    kind_[axis * cells_ + e] = kind;
                    mass_[axis * cells_ + e] = m;
                }
            }
        }
    });
}

void ShearFaces::follow(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                        const grid::Field& solid_distance) {
    const Chunks split(topology.size(), kBlocksPerTask);
    chunks_.resize(std::max(chunks_.size(), split.count));
    parallel_chunks(
        topology.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end, std::size_t number) {
            Chunk& chunk = chunks_[number];
            chunk.held.clear();
            chunk.share.clear();
            for (std::size_t b = begin; b < end; ++b)
                for (int c = 0; c < kCells; ++c) {
                    const std::size_t e = b * kCells + std::size_t(c);
                    const Vec3i at{c % grid::kBlockEdge, c / grid::kBlockEdge % grid::kBlockEdge,
                                   c / (grid::kBlockEdge * grid::kBlockEdge)};
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        if (kind_[axis * cells_ + e] != Kind::held) continue;
                        Held held{std::uint32_t(axis * cells_ + e), std::uint32_t(chunk.share.size()), 0,
                                  boundary.solid_velocity[axis][e]};
                        const auto distance = [&](const Vec3i& p) {
                            Vec3i q = p;
                            --q[int(axis)];
                            const std::int64_t i = topology.index(b, p.x, p.y, p.z),
                                               j = topology.index(b, q.x, q.y, q.z);
                            return i < 0 || j < 0 ? 0.0
                                                  : 0.5 * (solid_distance[std::size_t(i)] +
                                                           solid_distance[std::size_t(j)]);
                        };
                        const double depth = -distance(at);
                        double total = 0;
                        if (sticks(boundary, axis, e) && depth > 0)
                            for (int side = 0; side < 6; ++side) {
                                Vec3i p = at;
                                p[side / 2] += side % 2 ? 1 : -1;
                                const std::int64_t n = topology.index(b, p.x, p.y, p.z);
                                if (n < 0 || !free(axis * cells_ + std::size_t(n))) continue;
                                const double out = distance(p);
                                if (!(out > 0)) continue;
                                // Weighted by the distance: faces beside the wall say little about the slope.
                                chunk.share.push_back({std::uint32_t(axis * cells_ + std::size_t(n)),
                                                       -out * std::min(1.0, depth / out)});
                                total += out;
                                ++held.count;
                            }
                        for (std::size_t s = held.first; s < chunk.share.size(); ++s)
                            chunk.share[s].part /= total;
                        chunk.held.push_back(held);
                    }
                }
        });
    held_.clear();
    share_.clear();
    for (std::size_t n = 0; n < split.count; ++n) {
        const std::uint32_t first = std::uint32_t(share_.size());
        for (Held held : chunks_[n].held) {
            held.first += first;
            held_.push_back(held);
        }
        share_.insert(share_.end(), chunks_[n].share.begin(), chunks_[n].share.end());
    }
}

template <class Get, class Set>
void ShearFaces::hold_from(Get&& get, Set&& set, double walls) const {
    parallel_chunks(held_.size(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t h = begin; h < end; ++h) {
            const Held& held = held_[h];
            const double wall = walls * held.wall;
            double u = wall;
            for (std::size_t s = held.first; s < held.first + held.count; ++s)
                u += share_[s].part * (get(share_[s].face) - wall);
            set(held.face, u);
        }
    });
}

void ShearFaces::hold(std::span<double> velocity) const {
    hold_from([&](std::size_t i) { return velocity[i]; }, [&](std::size_t i, double u) { velocity[i] = u; },
              1);
}
void ShearFaces::hold_change(std::span<double> change) const {
    hold_from([&](std::size_t i) { return change[i]; }, [&](std::size_t i, double u) { change[i] = u; }, 0);
}
void ShearFaces::hold(grid::FaceField& velocity) const {
    const auto at = [&](std::size_t i) -> double& { return velocity[i / cells_][i % cells_]; };
    hold_from(
        at, [&](std::size_t i, double u) { at(i) = u; }, 1);
}

void ShearFaces::release(std::span<double> force) const {
    // In the order of the list: several held faces may follow one free face.
    for (const Held& held : held_)
        for (std::size_t s = held.first; s < held.first + held.count; ++s)
            force[share_[s].face] += share_[s].part * force[held.face];
    parallel_chunks(force.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
            if (!free(i)) force[i] = 0;
    });
}

}  // namespace rivulet::liquid
