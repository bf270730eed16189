#include <rivulet/liquid/shear_faces.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/tile.h>
#include <rivulet/linear/vectors.h>
#include <rivulet/liquid/cell_neighbours.h>

namespace rivulet::liquid {
namespace {

using linear::for_entries;

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

/// Axis and face of a place among all faces.
std::pair<std::size_t, std::size_t> at(std::size_t place, std::size_t cells) {
    const std::size_t axis = std::size_t(place >= cells) + std::size_t(place >= 2 * cells);
    return {axis, place - axis * cells};
}

/// A block and one layer around it: which faces of one component are known, and where they are.
class KnownAround {
 public:
    using Tile = grid::Tile<1, 1, grid::kBlockEdge + 2, std::uint8_t>;

    /// Does nothing when it has been read already.
    template <class Kind>
    void read(const grid::Topology& topology, const Kind* kinds, std::size_t axis, std::size_t b, Kind first,
              Kind second) {
        if (axis == axis_ && b == block_) return;
        first_entry_ = axis * topology.cells();
        kind_.gather(topology, kinds + first_entry_, b, std::uint8_t(255));
        for (std::uint8_t& k : kind_.value) k = k == std::uint8_t(first) || k == std::uint8_t(second);
        if (b != block_ || axis_ == 3) find_entries(topology.neighbour[b]);
        axis_ = axis, block_ = b;
    }
    /// Writes the known faces around one, weights 4 across a cell face, 2 an edge, 1 a corner; their number.
    template <class Share>
    std::size_t list(const Vec3i& at, std::array<Share, 26>& shares) const {
        const int centre = Tile::at(at.x, at.y, at.z);
        std::size_t count = 0;  // no branches: what is known around a surface is hard to guess
        for (std::size_t d = 0; d < kOffset.size(); ++d) {
            const int n = centre + kOffset[d];
            shares[count] = {std::uint32_t(first_entry_) + entry_[std::size_t(n)], kWeight[d]};
            count += kind_.value[n];
        }
        return count;
    }

 private:
    /// Steps to the 26 places around, x fastest, and the weight of each.
    static constexpr std::array<int, 26> kOffset = [] {
        std::array<int, 26> offset{};
        for (std::size_t d = 0; d < 26; ++d) {
            const int n = int(d) + (d >= 13);
            offset[d] = Tile::at(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1) - Tile::at(0, 0, 0);
        }
        return offset;
    }();
    static constexpr std::array<float, 26> kWeight = [] {
        std::array<float, 26> weight{};
        for (std::size_t d = 0; d < 26; ++d) {
            const int n = int(d) + (d >= 13);
            const int steps = (n % 3 != 1) + (n / 3 % 3 != 1) + (n / 9 != 1);
            weight[d] = steps == 1 ? 4.0f : steps == 2 ? 2.0f : 1.0f;
        }
        return weight;
    }();

    void find_entries(const std::array<std::int32_t, 27>& near) {
        constexpr int e = grid::kBlockEdge;
        for (int k = -1; k <= e; ++k)
            for (int j = -1; j <= e; ++j)
                for (int i = -1; i <= e; ++i) {
                    const int dx = (i + e) / e - 1, dy = (j + e) / e - 1, dz = (k + e) / e - 1;
                    const std::int32_t n = near[std::size_t(grid::neighbour_slot(dx, dy, dz))];
                    entry_[std::size_t(Tile::at(i, j, k))] =
                        std::uint32_t(n * kCells + grid::cell_in_block(i - e * dx, j - e * dy, k - e * dz));
                }
    }

    Tile kind_;
    std::array<std::uint32_t, std::size_t(Tile::kSize)> entry_;
    std::size_t axis_ = 3, block_ = 0, first_entry_ = 0;
};

/// visit(i) for the entries of [begin, end) that hold `wanted`, in order.
template <class Kind, class F>
void for_each_of(const Kind* kinds, std::size_t begin, std::size_t end, Kind wanted, F&& visit) {
    static_assert(sizeof(Kind) == 1);
    constexpr std::uint64_t kOnes = 0x0101010101010101, kSeven = 0x7f * kOnes;
    std::size_t i = begin;
    for (; i + 8 <= end; i += 8) {
        std::uint64_t word;
        std::memcpy(&word, kinds + i, sizeof word);
        word ^= kOnes * std::uint64_t(wanted);
        // The highest bit of every byte that is 0 now.
        std::uint64_t found = ~(((word & kSeven) + kSeven) | word | kSeven);
        for (; found != 0; found &= found - 1) visit(i + std::size_t(std::countr_zero(found)) / 8);
    }
    for (; i < end; ++i)
        if (kinds[i] == wanted) visit(i);
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
    number(mass);
}

void ShearFaces::classify(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                          const grid::Field& liquid_distance, const grid::Field& solid_distance,
                          const grid::FaceField& mass) {
    kind_.resize(3 * cells_);
    has_held_.assign(topology.size(), 0);
    parallel_chunks(topology.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const CellNeighbours near(topology, b);
            bool touched = false;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                std::fill_n(kind_.data() + axis * cells_ + b * kCells, kCells, Kind::none);
                for (std::size_t e = b * kCells; e < (b + 1) * kCells; ++e) touched |= mass[axis][e] > 0;
            }
            if (!touched) continue;
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
                    has_held_[b] |= kind == Kind::wall || kind == Kind::pending;
                }
            }
        }
    });
}

/// Lists the held faces of one kind. What `start` returns, follow(held, block, place, axis, shares), adds the
/// faces it follows to the shares and returns whether it is held at all; it sees blocks and axes in turn.
template <class Start>
void ShearFaces::make_stage(const grid::Topology& topology, Kind kind, Stage& stage, Start&& start) {
    const Chunks split(topology.size(), kBlocksPerTask);
    stage.chunks.resize(std::max(stage.chunks.size(), split.count));
    stage.used = split.count;
    const Kind from = kind == Kind::wall ? Kind::wall : Kind::pending;
    const auto visit = [&](std::size_t begin, std::size_t end, std::size_t number) {
        Chunk& chunk = stage.chunks[number];
        chunk.held.clear();
        chunk.share.clear();
        auto follow = start();
        for (std::size_t b = begin; b < end; ++b)
            for (std::size_t axis = 0; has_held_[b] && axis < 3; ++axis)
                for_each_of(kind_.data() + axis * cells_ + b * kCells, 0, kCells, from, [&](std::size_t c) {
                    const std::size_t i = axis * cells_ + b * kCells + c;
                    Held held{std::uint32_t(i), std::uint32_t(chunk.share.size())};
                    if (!follow(held, b, place_in_block(int(c)), axis, chunk.share)) return;
                    held.count = std::uint32_t(chunk.share.size()) - held.first;
                    chunk.held.push_back(held);
                });
    };
    parallel_chunks(topology.size(), kBlocksPerTask, visit);
    for (const Chunk& chunk : stage.lists())
        for (const Held& held : chunk.held) kind_[held.face] = kind;
}

void ShearFaces::follow_layer(const grid::Topology& topology, Kind kind, Stage& stage) {
    const Kind known = kind == Kind::second_layer ? Kind::first_layer : Kind::free;
    make_stage(topology, kind, stage, [&] {
        return [this, &topology, known, tile = KnownAround()](Held& held, std::size_t b, const Vec3i& at,
                                                              std::size_t axis,
                                                              std::vector<Share>& share) mutable {
            tile.read(topology, kind_.data(), axis, b, Kind::free, known);
            std::array<Share, 26> around;
            const std::size_t count = tile.list(at, around);
            float total = 0;
            for (std::size_t n = 0; n < count; ++n) total += around[n].weight;
            share.insert(share.end(), around.begin(), around.begin() + std::ptrdiff_t(count));
            held.scale = 1 / double(total);
            return total > 0;
        };
    });
}

void ShearFaces::follow_wall(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                             const grid::Field& solid_distance, Stage& stage) {
    make_stage(topology, Kind::wall, stage, [&] {
        return [&](Held& held, std::size_t b, const Vec3i& at, std::size_t axis, std::vector<Share>& share) {
            const auto distance = [&](const Vec3i& p) {
                Vec3i q = p;
                --q[int(axis)];
                const std::int64_t i = topology.index(b, p.x, p.y, p.z), j = topology.index(b, q.x, q.y, q.z);
                return i < 0 || j < 0
                           ? 0.0
                           : 0.5 * (solid_distance[std::size_t(i)] + solid_distance[std::size_t(j)]);
            };
            const std::size_t e = held.face - axis * cells_;
            const double wall = boundary.solid_speed(axis, e);
            held.offset = wall;
            if (!sticks(boundary, axis, e)) {
                held.slides = true;
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
                    if (!moves_freely(i)) continue;
                    const double out = distance(p);
                    if (!(out > 0)) continue;
                    // Weighted by the distance: faces beside the wall say little about the slope.
                    share.push_back({std::uint32_t(i), -float(std::min(out, depth))});
                    total += out;
                }
            if (total > 0) held.scale = 1 / total;
            for (std::size_t s = held.first; s < share.size(); ++s)
                held.offset -= held.scale * share[s].weight * wall;
            return true;
        };
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
        const float part = float(-slope / across / double(count));
        for (std::size_t n = 0; n < count; ++n) {
            const std::size_t f = std::size_t(faces[n]);
            share.push_back({std::uint32_t(std::size_t(c) * cells_ + f), part});
            held.offset -= part * boundary.solid_speed(std::size_t(c), f);
        }
    }
}

/// Numbers the faces and puts the lists into these numbers.
void ShearFaces::number(const grid::FaceField& mass) {
    const std::size_t n = 3 * cells_;
    const Chunks split(n, 16384);
    std::array<std::uint32_t, Chunks::kMost + 1> first{};
    parallel_for(split.count, [&](std::size_t c) {
        const auto begin = kind_.begin() + std::ptrdiff_t(split.begin(c)),
                   end = kind_.begin() + std::ptrdiff_t(split.end(c));
        first[c + 1] = std::uint32_t(std::count(begin, end, Kind::free));
    });
    for (std::size_t c = 0; c < split.count; ++c) first[c + 1] += first[c];
    free_size_ = first[split.count];
    std::size_t size = free_size_;
    for (const Stage& stage : stages_)
        for (const Chunk& chunk : stage.lists()) size += chunk.held.size();
    place_.resize(size);
    entry_.resize(n);
    parallel_for(split.count, [&](std::size_t c) {
        std::uint32_t next = first[c];
        for_each_of(kind_.data(), split.begin(c), split.end(c), Kind::free, [&](std::size_t i) {
            place_[next] = std::uint32_t(i);
            entry_[i] = next++;
        });
    });
    std::uint32_t next = std::uint32_t(free_size_);
    for (Stage& stage : stages_) {
        for (std::size_t c = 0; c < stage.used; ++c)
            for (Held& held : stage.chunks[c].held) {
                place_[next] = held.face;
                entry_[held.face] = next;
                held.face = next++;
            }
        parallel_for(stage.used, [&](std::size_t c) {
            for (Share& share : stage.chunks[c].share) share.face = entry_[share.face];
        });
    }
    mass_.resize(size);
    gather(mass, mass_);
}

/// visit(face, part of its velocity) for the faces that a held one follows.
template <class F>
void ShearFaces::for_shares(const Chunk& chunk, const Held& held, F&& visit) {
    for (const Share& share : chunk.shares(held)) visit(share.face, held.scale * double(share.weight));
}

/// What a held face has from those it follows, walls apart.
double ShearFaces::followed(const Chunk& chunk, const Held& held, std::span<const double> velocity) {
    const std::span<const Share> shares = chunk.shares(held);
    const auto part = [&](std::size_t s) { return double(shares[s].weight) * velocity[shares[s].face]; };
    double even = 0, odd = 0;  // two sums that do not wait for each other
    std::size_t s = 0;
    for (; s + 1 < shares.size(); s += 2) {
        even += part(s);
        odd += part(s + 1);
    }
    if (s < shares.size()) even += part(s);
    return held.scale * (even + odd);
}

/// visit(chunk, held), last stage first, in the order of the lists: several held faces may follow one face.
template <class F>
void ShearFaces::for_held_backwards(F&& visit) const {
    for (std::size_t n = stages_.size(); n-- > 0;)
        for (const Chunk& chunk : stages_[n].lists())
            for (const Held& held : chunk.held) visit(chunk, held);
}

void ShearFaces::hold(std::span<double> velocity, double walls) const {
    for (const Stage& stage : stages_)
        parallel_for(stage.used, [&](std::size_t c) {
            const Chunk& chunk = stage.chunks[c];
            for (const Held& held : chunk.held)
                velocity[held.face] = walls * held.offset + followed(chunk, held, velocity);
        });
}
void ShearFaces::hold(std::span<double> velocity) const {
    hold(velocity, 1);
}
void ShearFaces::hold_change(std::span<double> change) const {
    hold(change, 0);
}

void ShearFaces::carry(std::span<double> change) const {
    for (const Stage& stage : stages_)
        parallel_for(stage.used, [&](std::size_t c) {
            const Chunk& chunk = stage.chunks[c];
            for (const Held& held : chunk.held) {
                double sum = 0, total = 0;
                for_shares(chunk, held, [&](std::size_t face, double part) {
                    const double weight = held.slides ? part : std::abs(part);
                    sum += weight * change[face];
                    total += weight;
                });
                change[held.face] = held.slides ? sum : total > 0 ? sum / total : 0;
            }
        });
}

void ShearFaces::slide(std::span<double> velocity) const {
    for (const Chunk& chunk : stages_[2].lists())
        for (const Held& held : chunk.held) {
            if (held.count == 0 || !held.slides) continue;
            velocity[held.face] = held.offset + followed(chunk, held, velocity);
        }
}

void ShearFaces::moved_mass(std::span<double> mass) const {
    std::copy(mass_.begin(), mass_.end(), mass.begin());
    for_held_backwards([&](const Chunk& chunk, const Held& held) {
        for_shares(chunk, held,
                   [&](std::size_t face, double part) { mass[face] += std::abs(part) * mass[held.face]; });
    });
}

void ShearFaces::release(std::span<double> force) const {
    for_held_backwards([&](const Chunk& chunk, const Held& held) {
        const double passed = held.scale * force[held.face];
        for (const Share& share : chunk.shares(held)) force[share.face] += double(share.weight) * passed;
    });
}

void ShearFaces::gather(std::span<const double> all, std::span<double> values) const {
    assert(values.size() == size());
    for_entries(size(), [&](std::size_t i) { values[i] = all[place_[i]]; });
}
void ShearFaces::scatter(std::span<const double> values, std::span<double> all) const {
    assert(values.size() == size());
    for_entries(size(), [&](std::size_t i) { all[place_[i]] = values[i]; });
}
void ShearFaces::gather(const grid::FaceField& all, std::span<double> values) const {
    assert(values.size() == size() && all[0].size() == cells_);
    for_entries(size(), [&](std::size_t i) {
        const auto [axis, face] = at(place_[i], cells_);
        values[i] = all[axis][face];
    });
}
void ShearFaces::scatter(std::span<const double> values, grid::FaceField& all) const {
    assert(values.size() == size() && all[0].size() == cells_);
    for_entries(size(), [&](std::size_t i) {
        const auto [axis, face] = at(place_[i], cells_);
        all[axis][face] = values[i];
    });
}
void ShearFaces::flag(std::uint8_t free, std::uint8_t held, grid::FaceFlags& all) const {
    for_entries(size(), [&](std::size_t i) {
        const auto [axis, face] = at(place_[i], cells_);
        all[axis][face] = i < free_size_ ? free : held;
    });
}

}  // namespace rivulet::liquid
