#include <rivulet/liquid/shear_faces.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/cell_neighbours.h>

namespace rivulet::liquid {
namespace {

constexpr int kCells = grid::kBlockCells;
constexpr std::size_t kBlocksPerTask = 64;
/// A closed face of a slip wall is held by it when it looks across the wall rather than along it.
constexpr double kAcross = 0.7071;
/// Slopes below this are straight to the axis.
constexpr double kStraight = 1e-3;

bool sticks(const grid::FaceBoundary& boundary, std::size_t axis, std::size_t e) {
    const std::uint8_t wall = boundary.wall[axis][e];
    return wall < boundary.rules.size() && boundary.rules[wall].kind == grid::WallKind::no_slip;
}

Vec3i place_of(int cell) {
    return {cell % grid::kBlockEdge, cell / grid::kBlockEdge % grid::kBlockEdge,
            cell / (grid::kBlockEdge * grid::kBlockEdge)};
}

}  // namespace

void ShearFaces::build(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                       const grid::Field& liquid_distance, const grid::Field& solid_distance,
                       const grid::FaceField& mass) {
    cells_ = topology.cells();
    classify(topology, boundary, liquid_distance, solid_distance, mass);
    follow_layer(topology, Kind::first_layer, stages_[0]);
    follow_layer(topology, Kind::second_layer, stages_[1]);
    parallel_chunks(kind_.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
            if (kind_[i] == Kind::pending) kind_[i] = Kind::free;
    });
    follow_wall(topology, boundary, solid_distance, stages_[2]);
}

void ShearFaces::classify(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                          const grid::Field& liquid_distance, const grid::Field& solid_distance,
                          const grid::FaceField& mass) {
    kind_.resize(3 * cells_);
    mass_.resize(3 * cells_);
    parallel_chunks(topology.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const CellNeighbours near(topology, b);
            for (int c = 0; c < kCells; ++c) {
                const std::size_t e = b * kCells + std::size_t(c);
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const double m = mass[axis][e];
                    const std::ptrdiff_t low = near.lower(c, axis);
                    Kind kind = Kind::none;
                    if (m > 0 && low >= 0) {
                        const std::size_t l = std::size_t(low);
                        const double below = solid_distance[l], here = solid_distance[e];
                        const bool closed = boundary.open[axis][e] == 0;
                        const bool walled = sticks(boundary, axis, e)
                                                ? closed || here + below < 0
                                                : closed && std::abs(here - below) > kAcross * topology.cell;
                        const bool wet = liquid_distance[e] < 0 || liquid_distance[l] < 0;
                        kind = walled ? Kind::wall : wet && !closed ? Kind::free : Kind::pending;
                    }
                    kind_[axis * cells_ + e] = kind;
                    mass_[axis * cells_ + e] = m;
                }
            }
        }
    });
}

/// Lists the held faces of one kind. follow(held, block, place, axis, shares) adds the faces it follows to
/// the shares and returns whether it is held at all.
template <class Follow>
void ShearFaces::make_stage(const grid::Topology& topology, Kind kind, Stage& stage, Follow&& follow) {
    const Chunks split(topology.size(), kBlocksPerTask);
    chunks_.resize(std::max(chunks_.size(), split.count));
    const Kind from = kind == Kind::wall ? Kind::wall : Kind::pending;
    const auto visit = [&](std::size_t begin, std::size_t end, std::size_t number) {
        Chunk& chunk = chunks_[number];
        chunk.held.clear();
        chunk.share.clear();
        for (std::size_t b = begin; b < end; ++b)
            for (int c = 0; c < kCells; ++c)
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const std::size_t i = axis * cells_ + b * kCells + std::size_t(c);
                    if (kind_[i] != from) continue;
                    Held held{std::uint32_t(i), std::uint32_t(chunk.share.size()), 0, 0};
                    if (!follow(held, b, place_of(c), axis, chunk.share)) continue;
                    held.count = std::uint32_t(chunk.share.size()) - held.first;
                    chunk.held.push_back(held);
                }
    };
    parallel_chunks(topology.size(), kBlocksPerTask, visit);
    stage.held.clear();
    stage.share.clear();
    for (std::size_t n = 0; n < split.count; ++n) {
        const std::uint32_t first = std::uint32_t(stage.share.size());
        for (Held held : chunks_[n].held) {
            held.first += first;
            stage.held.push_back(held);
            kind_[held.face] = kind;
        }
        stage.share.insert(stage.share.end(), chunks_[n].share.begin(), chunks_[n].share.end());
    }
}

void ShearFaces::follow_layer(const grid::Topology& topology, Kind kind, Stage& stage) {
    const bool second = kind == Kind::second_layer;
    make_stage(
        topology, kind, stage,
        [&](const Held& held, std::size_t b, const Vec3i& at, std::size_t axis, std::vector<Share>& share) {
            double total = 0;
            for (int d = 0; d < 27; ++d) {
                const Vec3i o{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
                const int steps = o.x * o.x + o.y * o.y + o.z * o.z;
                const std::int64_t n = topology.index(b, at.x + o.x, at.y + o.y, at.z + o.z);
                if (steps == 0 || n < 0) continue;
                const std::size_t i = axis * cells_ + std::size_t(n);
                if (!(kind_[i] == Kind::free || (second && kind_[i] == Kind::first_layer))) continue;
                const double weight = steps == 1 ? 4 : steps == 2 ? 2 : 1;
                share.push_back({std::uint32_t(i), weight});
                total += weight;
            }
            for (std::size_t s = held.first; s < share.size(); ++s) share[s].part /= total;
            return total > 0;
        });
}

void ShearFaces::follow_wall(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                             const grid::Field& solid_distance, Stage& stage) {
    make_stage(topology, Kind::wall, stage,
               [&](Held& held, std::size_t b, const Vec3i& at, std::size_t axis, std::vector<Share>& share) {
                   const auto distance = [&](const Vec3i& p) {
                       Vec3i q = p;
                       --q[int(axis)];
                       const std::int64_t i = topology.index(b, p.x, p.y, p.z),
                                          j = topology.index(b, q.x, q.y, q.z);
                       return i < 0 || j < 0
                                  ? 0.0
                                  : 0.5 * (solid_distance[std::size_t(i)] + solid_distance[std::size_t(j)]);
                   };
                   const std::size_t e = held.face - axis * cells_;
                   const double wall = boundary.solid_speed(axis, e);
                   held.offset = wall;
                   if (!sticks(boundary, axis, e)) {
                       follow_along(topology, boundary, solid_distance, b, at, axis, held, share);
                       return true;
                   }
                   const double depth = -distance(at);
                   double total = 0;
                   if (depth > 0)
                       for (int side = 0; side < 6; ++side) {
                           Vec3i p = at;
                           p[side / 2] += side % 2 ? 1 : -1;
                           const std::int64_t n = topology.index(b, p.x, p.y, p.z);
                           if (n < 0) continue;
                           const std::size_t i = axis * cells_ + std::size_t(n);
                           const double out = distance(p);
                           if (!moves_freely(i) || !(out > 0)) continue;
                           // Weighted by the distance: faces beside the wall say little about the slope.
                           share.push_back({std::uint32_t(i), -out * std::min(1.0, depth / out)});
                           total += out;
                       }
                   for (std::size_t s = held.first; s < share.size(); ++s) {
                       share[s].part /= total;
                       held.offset -= share[s].part * wall;
                   }
                   return true;
               });
}

void ShearFaces::follow_along(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                              const grid::Field& solid_distance, std::size_t b, const Vec3i& at,
                              std::size_t axis, Held& held, std::vector<Share>& share) const {
    const int a = int(axis);
    Vec3i below = at;
    --below[a];
    const auto index = [&](Vec3i p, int along, int by) {
        p[along] += by;
        return topology.index(b, p.x, p.y, p.z);
    };
    const std::int64_t here = index(at, a, 0), low = index(below, a, 0);
    if (low < 0) return;
    const double across = solid_distance[std::size_t(here)] - solid_distance[std::size_t(low)];
    for (int c = 0; c < 3; ++c) {
        if (c == a) continue;
        double slope = 0;
        std::size_t count = 0;
        std::int64_t faces[4];
        for (const Vec3i& side : {at, below}) {
            const std::int64_t own = index(side, c, 0), up = index(side, c, 1), down = index(side, c, -1);
            if (up < 0 || down < 0) return;
            slope += 0.25 * (solid_distance[std::size_t(up)] - solid_distance[std::size_t(down)]);
            for (const std::int64_t f : {own, up})
                if (moves_freely(std::size_t(c) * cells_ + std::size_t(f))) faces[count++] = f;
        }
        if (count == 0 || std::abs(slope) < kStraight * std::abs(across)) continue;
        const double part = -slope / across / double(count);
        for (std::size_t n = 0; n < count; ++n) {
            const std::size_t f = std::size_t(faces[n]);
            share.push_back({std::uint32_t(std::size_t(c) * cells_ + f), part});
            held.offset -= part * boundary.solid_speed(std::size_t(c), f);
        }
    }
}

template <class At>
void ShearFaces::hold_at(At&& at, double walls) const {
    for (const Stage& stage : stages_)
        parallel_chunks(stage.held.size(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t h = begin; h < end; ++h) {
                const Held& held = stage.held[h];
                double u = walls * held.offset;
                for (std::size_t s = held.first; s < held.first + held.count; ++s)
                    u += stage.share[s].part * at(stage.share[s].face);
                at(held.face) = u;
            }
        });
}

void ShearFaces::hold(std::span<double> velocity) const {
    hold_at([&](std::size_t i) -> double& { return velocity[i]; }, 1);
}
void ShearFaces::hold(grid::FaceField& velocity) const {
    hold_at([&](std::size_t i) -> double& { return velocity[i / cells_][i % cells_]; }, 1);
}
void ShearFaces::hold_change(std::span<double> change) const {
    hold_at([&](std::size_t i) -> double& { return change[i]; }, 0);
}

void ShearFaces::carry(grid::FaceField& change) const {
    const auto at = [&](std::size_t i) -> double& { return change[i / cells_][i % cells_]; };
    for (const Stage& stage : stages_)
        for (const Held& held : stage.held) {
            double sum = 0, total = 0, along = 0;
            for (std::size_t s = held.first; s < held.first + held.count; ++s) {
                const Share& share = stage.share[s];
                if (share.face / cells_ != held.face / cells_) {
                    along += share.part * at(share.face);
                    continue;
                }
                sum += std::abs(share.part) * at(share.face);
                total += std::abs(share.part);
            }
            at(held.face) = along + (total > 0 ? sum / total : 0);
        }
}

void ShearFaces::slide(grid::FaceField& velocity) const {
    const auto at = [&](std::size_t i) -> double& { return velocity[i / cells_][i % cells_]; };
    const Stage& walls = stages_[2];
    for (const Held& held : walls.held) {
        if (held.count == 0 || walls.share[held.first].face / cells_ == held.face / cells_) continue;
        double u = held.offset;
        for (std::size_t s = held.first; s < held.first + held.count; ++s)
            u += walls.share[s].part * at(walls.share[s].face);
        at(held.face) = u;
    }
}

void ShearFaces::moved_mass(std::span<double> mass) const {
    std::copy(mass_.begin(), mass_.end(), mass.begin());
    for (std::size_t n = stages_.size(); n-- > 0;)
        for (const Held& held : stages_[n].held)
            for (std::size_t s = held.first; s < held.first + held.count; ++s) {
                const Share& share = stages_[n].share[s];
                mass[share.face] += std::abs(share.part) * mass[held.face];
            }
}

void ShearFaces::release(std::span<double> force) const {
    // In the order of the lists, last stage first: several held faces may follow one face.
    for (std::size_t n = stages_.size(); n-- > 0;)
        for (const Held& held : stages_[n].held)
            for (std::size_t s = held.first; s < held.first + held.count; ++s)
                force[stages_[n].share[s].face] += stages_[n].share[s].part * force[held.face];
    parallel_chunks(force.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
            if (!free(i)) force[i] = 0;
    });
}

}  // namespace rivulet::liquid
