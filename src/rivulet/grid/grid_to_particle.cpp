#include <rivulet/grid/kernel.h>
#include <rivulet/grid/stencil.h>
#include <rivulet/grid/transfer.h>

namespace rivulet::grid {

namespace {

struct ComponentSample {
    double value;
    Vec3d first_moment;  // sum of weight * value * (node - particle) / cell
    Vec3d derivative;    // times the cell
};

template <int Component, bool WithGradient>
inline ComponentSample sample_component(const TransferTile& tile, const ParticleStencil& stencil) {
    const AxisStencil& sx = stencil.along<Component>(0);
    const AxisStencil& sy = stencil.along<Component>(1);
    const AxisStencil& sz = stencil.along<Component>(2);
    const double* nodes = tile.value + stencil.first<Component>();
    Lanes plain{}, arm_y{}, arm_z{}, slope_y{}, slope_z{};
    for (int k = 0; k < 3; ++k) {
        Lanes row{}, row_arm{}, row_slope{};
        for (int j = 0; j < 3; ++j) {
            const Lanes v = load_lanes(nodes + TransferTile::kRow * j + TransferTile::kSlab * k);
            const double w = sy.weight[j][1];
            row += w * v;
            row_arm += (w * sy.arm(1, j)) * v;
            if constexpr (WithGradient) row_slope += sy.slope(1, j) * v;
        }
        const double w = sz.weight[k][2];
        plain += w * row;
        arm_z += (w * sz.arm(2, k)) * row;
        arm_y += w * row_arm;
        if constexpr (WithGradient) {
            slope_y += w * row_slope;
            slope_z += sz.slope(2, k) * row;
        }
    }
    const Lanes x_weights = sx.x_weights();
    const Lanes weighted = x_weights * plain;
    const Lanes sums = lane_sums(weighted, weighted * sx.x_arms(), x_weights * arm_y, x_weights * arm_z);
    ComponentSample s{sums[0], {sums[1], sums[2], sums[3]}, {}};
    if constexpr (WithGradient) {
        const Lanes g = lane_sums(sx.x_slopes() * plain, x_weights * slope_y, x_weights * slope_z, Lanes{});
        s.derivative = {g[0], g[1], g[2]};
    }
    return s;
}

template <bool WithGradient>
void sample_block(const Topology& topology, const ParticleOrder& order, const FaceField& velocity,
                  std::span<const Vec3d> position, std::span<Vec3d> particle_velocity,
                  std::span<Mat3d> affine, std::span<Mat3d> gradient, std::size_t b) {
    const std::size_t begin = order.block_begin(b), end = order.block_end(b);
    if (begin == end) return;
    TransferTile tile[3];
    for (std::size_t a = 0; a < 3; ++a) tile[a].gather(topology, velocity[a].data(), b);
    const Vec3d corner = to_double(topology.corner[b]);
    const double inverse = 1 / topology.cell, to_affine = kAffineScale * inverse;
    for (std::size_t p = begin; p < end; ++p) {
        const ParticleStencil stencil(position[p], corner, inverse);
        const ComponentSample x = sample_component<0, WithGradient>(tile[0], stencil);
        const ComponentSample y = sample_component<1, WithGradient>(tile[1], stencil);
        const ComponentSample z = sample_component<2, WithGradient>(tile[2], stencil);
        particle_velocity[p] = {x.value, y.value, z.value};
        affine[p] = Mat3d::from_rows(x.first_moment * to_affine, y.first_moment * to_affine,
                                     z.first_moment * to_affine);
        if constexpr (WithGradient)
            gradient[p] =
                Mat3d::from_rows(x.derivative * inverse, y.derivative * inverse, z.derivative * inverse);
    }
}

}  // namespace

void grid_to_particle(const Topology& topology, const ParticleOrder& order, const FaceField& velocity,
                      std::span<const Vec3d> position, std::span<Vec3d> particle_velocity,
                      std::span<Mat3d> affine, std::span<Mat3d> gradient) {
    for_blocks(topology, [&](std::size_t b) {
        if (gradient.empty())
            sample_block<false>(topology, order, velocity, position, particle_velocity, affine, gradient, b);
        else
            sample_block<true>(topology, order, velocity, position, particle_velocity, affine, gradient, b);
    });
}

}  // namespace rivulet::grid
