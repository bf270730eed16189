#include <rivulet/liquid/free_flight.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {

namespace {

/// Liquid on the grid may end a step faster than it began.
constexpr double kFaster = 1.2;
/// Who gets farther than this in a step is not looked around for [cells].
constexpr double kFarthest = 16;

/// Cells lo..hi of a block along one axis, as those bits of its 4³ whose cell lies there.
std::uint64_t slab(int axis, int lo, int hi) {
    constexpr std::uint64_t kPlane[3] = {0x1111111111111111ull, 0x000f000f000f000full, 0x000000000000ffffull};
    std::uint64_t bits = 0;
    for (int c = std::max(lo, 0); c <= std::min(hi, grid::kBlockEdge - 1); ++c)
        bits |= kPlane[axis] << (c * (axis == 0 ? 1 : axis == 1 ? 4 : 16));
    return bits;
}
static_assert(grid::kBlockEdge == 4, "the bits of planes are those of blocks of 4 cells");

}  // namespace

struct FreeFlight::Frame {
    const LiquidState& now;
    double cell;
    Vec3d period;  // m; 0: not periodic
    double dt;
    Vec3d kick;    // Δt g
    double reach;  // from a path to where others start that may touch it [m]
    std::span<const std::uint8_t> flies;
    const Near& near;

    Vec3d way(std::uint32_t p) const { return (now.velocity[p] + kick) * dt; }

    /// The paths of two particles come within kTouch cells of each other along every axis at once.
    bool touch(std::uint32_t p, std::uint32_t q) const {
        const Vec3d apart = now.position[q] - now.position[p];
        const Vec3d closing = (now.velocity[q] - now.velocity[p]) * dt;
        double from = 0, to = 1;  // the part of the step in which they are that near
        for (int a = 0; a < 3; ++a) {
            double d = apart[a];
            if (period[a] > 0) d -= period[a] * std::round(d / period[a]);
            const double w = closing[a], most = kTouch * cell;
            if (w == 0) {
                if (!(std::abs(d) <= most)) return false;
                continue;
            }
            const double s = (-most - d) / w, t = (most - d) / w;
            from = std::max(from, std::min(s, t));
            to = std::min(to, std::max(s, t));
            if (from > to) return false;
        }
        return true;
    }
};

namespace {

/// Calls visit(block, cells of it in the box) for every block that holds points and that the box meets; until
/// it returns true.
template <class Visit>
bool any_block(const grid::Occupancy& occupancy, const geometry::Bounds& box, double cell, Visit&& visit) {
    constexpr int kEdge = grid::kBlockEdge;
    const auto floored = [&](double x) { return static_cast<int>(std::floor(x / cell)); };
    const Vec3i lo{floored(box.min.x), floored(box.min.y), floored(box.min.z)};
    const Vec3i hi{floored(box.max.x), floored(box.max.y), floored(box.max.z)};
    const auto first = [](int c) { return c & ~(kEdge - 1); };
    for (int z = first(lo.z); z <= hi.z; z += kEdge)
        for (int y = first(lo.y); y <= hi.y; y += kEdge)
            for (int x = first(lo.x); x <= hi.x; x += kEdge) {
                const std::int32_t b = occupancy.at({x, y, z});
                if (b < 0) continue;
                const std::uint64_t inside =
                    slab(0, lo.x - x, hi.x - x) & slab(1, lo.y - y, hi.y - y) & slab(2, lo.z - z, hi.z - z);
                if (visit(std::size_t(b), inside)) return true;
            }
    return false;
}

geometry::Bounds path_box(const Vec3d& from, const Vec3d& way) {
    geometry::Bounds box;
    box.include(from);
    box.include(from + way);
    return box;
}

}  // namespace

/// Whether a candidate is held by what it touches, flies alone, or is left open as part of a piece.
void FreeFlight::judge(const Frame& f, std::uint32_t at) {
    const std::uint32_t p = lists_.point[at];
    const Vec3d x = occupancy_.wrapped(f.now.position[p]), way = f.way(p);
    fate_[at] = Fate::held;
    if (!f.flies[f.now.material[p]] || !(squared_length(way) < kFarthest * kFarthest * f.cell * f.cell))
        return;
    bool alone = true;
    const geometry::Bounds path = path_box(x, way);
    const bool held =
        any_block(occupancy_, path.grown(f.reach), f.cell, [&](std::size_t b, std::uint64_t inside) {
            const grid::Occupancy::Block& block = occupancy_.blocks()[b];
            if (block.points > kMostFlying) return (block.cells & inside) != 0;
            for (std::uint32_t q = lists_.start[b]; q < lists_.start[b + 1] && alone; ++q)
                alone = q == at || !f.touch(p, lists_.point[q]);
            return false;
        });
    if (held) return;
    // On a periodic axis solids count where they are for the particle at either end of its path.
    if (f.near &&
        (f.near(path) || (f.period != Vec3d{} && f.near(path_box(occupancy_.wrapped(x + way), -way)))))
        return;
    fate_[at] =
        !alone ? Fate::open
               : (f.now.volume[p] <= kMostFlyingVolume * f.cell * f.cell * f.cell ? Fate::flies : Fate::held);
}

/// Follows a piece from one of its particles until it is complete or known to be held.
void FreeFlight::follow(const Frame& f, std::uint32_t at) {
    piece_.assign(1, at);
    seen_[at] = 1;
    double volume = 0;
    bool held = false;
    for (std::size_t n = 0; n < piece_.size() && !held; ++n) {
        const std::uint32_t p = lists_.point[piece_[n]];
        volume += f.now.volume[p];
        held = volume > kMostFlyingVolume * f.cell * f.cell * f.cell;
        if (held) break;
        const Vec3d x = occupancy_.wrapped(f.now.position[p]);
        held = any_block(occupancy_, path_box(x, f.way(p)).grown(f.reach), f.cell,
                         [&](std::size_t b, std::uint64_t) {
                             for (std::uint32_t q = lists_.start[b]; q < lists_.start[b + 1]; ++q) {
                                 if (seen_[q] || !f.touch(p, lists_.point[q])) continue;
                                 if (fate_[q] == Fate::held) return true;
                                 seen_[q] = 1;
                                 piece_.push_back(q);
                                 if (piece_.size() > kMostFlying) return true;
                             }
                             return false;
                         });
    }
    for (const std::uint32_t q : piece_) {
        fate_[q] = held ? Fate::held : Fate::flies;
        seen_[q] = 0;
    }
}

void FreeFlight::find(const LiquidState& now, double cell, const Vec3i& period, const StepView& view,
                      double fastest, std::span<const std::uint8_t> flies, const Near& near) {
    found_.clear();
    const Vec3d kick = view.gravity * view.dt;
    // NOTE: a speed that is not finite ends here too; the end of the step says whose it is.
    const double others = (kFaster * fastest + length(kick)) * view.dt;
    if (now.size() == 0 || !(others < kFarthest * cell) ||
        std::none_of(flies.begin(), flies.end(), [](std::uint8_t f) { return f != 0; }))
        return;
    occupancy_.find(now.position, cell, period);
    occupancy_.list_sparse(kMostFlying, lists_);
    const std::size_t candidates = lists_.point.size();
    if (candidates == 0) return;
    const Frame frame{now,   cell, to_double(period) * cell, view.dt, kick, kTouch * cell + others,
                      flies, near};
    fate_.resize(candidates);
    seen_.assign(candidates, 0);
    parallel_chunks(candidates, 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t at = begin; at < end; ++at) judge(frame, static_cast<std::uint32_t>(at));
    });
    for (std::size_t at = 0; at < candidates; ++at)
        if (fate_[at] == Fate::open) follow(frame, static_cast<std::uint32_t>(at));
    for (std::size_t at = 0; at < candidates; ++at)
        if (fate_[at] == Fate::flies) found_.push_back(lists_.point[at]);
    std::sort(found_.begin(), found_.end());
}

void fly(LiquidState& state, std::size_t first, const StepView& view) {
    parallel_chunks(state.size() - first, 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t p = first + begin; p < first + end; ++p) {
            state.velocity[p] += view.gravity * view.dt;
            state.position[p] += state.velocity[p] * view.dt;
            state.age[p] += static_cast<float>(view.dt);
        }
    });
}

}  // namespace rivulet::liquid
