#include <rivulet/grid/paths.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <rivulet/grid/kernel.h>
#include <rivulet/grid/stencil.h>

namespace rivulet::grid {

namespace {

/// What paths of half a step reach when a step is at most two cells. Rows have one entry more, for the idle
/// fourth lane.
constexpr int kBelow = 2, kAbove = 3;
using PathTile = Tile<kBelow, kAbove, kBelow + kBlockEdge + kAbove + 1>;
/// Positions, in cells from the corner, whose stencils lie inside the tile.
constexpr double kLowest = 1 - kBelow, kHighest = kBlockEdge + kAbove - 1.5;

/// Displacement over dt by the velocity, plus the shift, anywhere near a block.
class BlockSampler {
 public:
    BlockSampler(const Topology& topology, const FaceField& velocity, const FaceField* shift, double dt,
                 std::size_t b)
        : topology_(topology),
          velocity_(velocity),
          shift_(shift),
          dt_(dt),
          corner_(to_double(topology.corner[b])) {
        for (std::size_t a = 0; a < 3; ++a) {
            tile_[a].gather(topology, velocity[a].data(), b);
            for (double& v : tile_[a].value) v *= dt;
            if (!shift) continue;
            PathTile more;
            more.gather(topology, (*shift)[a].data(), b);
            for (int i = 0; i < PathTile::kSize; ++i) tile_[a].value[i] += more.value[i];
        }
    }

    Vec3d operator()(const Vec3d& position) const {
        const Vec3d s = position * (1 / topology_.cell) - corner_;
        for (int a = 0; a < 3; ++a)
            if (!(s[a] >= kLowest && s[a] < kHighest)) return far_away(position);
        // Shifted so that truncation to the nearest node rounds down.
        const Lanes local = Lanes{s.x, s.y, s.z, 0} + double(kBelow);
        AxisStencil centre, face;
        centre.set(local, 0);
        face.set(local, 0.5);
        return {component<0>(centre, face), component<1>(centre, face), component<2>(centre, face)};
    }

 private:
    Vec3d far_away(const Vec3d& position) const {
        const Vec3d moved = sample_velocity(topology_, velocity_, position) * dt_;
        return shift_ ? moved + sample_velocity(topology_, *shift_, position) : moved;
    }

    template <int Component>
    double component(const AxisStencil& centre, const AxisStencil& face) const {
        const AxisStencil& sx = Component == 0 ? face : centre;
        const AxisStencil& sy = Component == 1 ? face : centre;
        const AxisStencil& sz = Component == 2 ? face : centre;
        const double* nodes =
            tile_[Component].value +
            PathTile::at(sx.node[0] - 1 - kBelow, sy.node[1] - 1 - kBelow, sz.node[2] - 1 - kBelow);
        Lanes sum{};
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j)
                sum += (sy.weight[j][1] * sz.weight[k][2]) *
                       load_lanes(nodes + PathTile::kRow * j + PathTile::kSlab * k);
        sum *= sx.x_weights();
        return (sum[0] + sum[1]) + sum[2];
    }

    const Topology& topology_;
    const FaceField& velocity_;
    const FaceField* shift_;
    double dt_;
    Vec3d corner_;
    PathTile tile_[3];
};

}  // namespace

Vec3d sample_velocity(const Topology& topology, const FaceField& velocity, const Vec3d& position) {
    Vec3d result;
    for (int component = 0; component < 3; ++component) {
        Vec3i node;
        Vec3d d;
        for (int a = 0; a < 3; ++a) {
            const double s = position[a] / topology.cell - (a == component ? 0 : 0.5);
            if (!(std::abs(s) < double(kFarthestBlock) * kBlockEdge)) return {};
            node[a] = static_cast<int>(std::floor(s + 0.5));
            d[a] = s - node[a];
        }
        const QuadraticWeights wx(d.x), wy(d.y), wz(d.z);
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i) {
                    const std::int64_t f = topology.index(node + Vec3i{i - 1, j - 1, k - 1});
                    if (f >= 0)
                        result[component] +=
                            wx[i] * wy[j] * wz[k] * velocity[std::size_t(component)][std::size_t(f)];
                }
    }
    return result;
}

void trace_paths(const Topology& topology, const ParticleOrder& order, const FaceField& velocity,
                 const FaceField* shift, std::span<const Vec3d> position,
                 std::span<const Vec3d> start_velocity, double dt, const PathEnds& arrive) {
    assert(position.size() == start_velocity.size() && velocity[0].size() == topology.cells());
    assert(!shift || (*shift)[0].size() == topology.cells());
    for_blocks(topology, [&](std::size_t b) {
        const std::size_t begin = order.block_begin(b), end = order.block_end(b);
        if (begin == end) return;
        const BlockSampler displacement(topology, velocity, shift, dt, b);
        std::array<Vec3d, 128> ends;
        for (std::size_t first = begin; first < end; first += ends.size()) {
            const std::size_t count = std::min(ends.size(), end - first);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t p = first + i;
                ends[i] = position[p] + displacement(position[p] + start_velocity[p] * (0.5 * dt));
            }
            arrive(b, first, std::span(ends).first(count));
        }
    });
}

void trace_paths(const Topology& topology, const ParticleOrder& order, const FaceField& velocity,
                 const FaceField* shift, std::span<const Vec3d> position,
                 std::span<const Vec3d> start_velocity, double dt, std::span<Vec3d> result) {
    trace_paths(topology, order, velocity, shift, position, start_velocity, dt,
                [&](std::size_t, std::size_t first, std::span<const Vec3d> ends) {
                    std::copy(ends.begin(), ends.end(), result.begin() + std::ptrdiff_t(first));
                });
}

}  // namespace rivulet::grid
