#include <rivulet/grid/stencil.h>
#include <rivulet/grid/transfer.h>

namespace rivulet::grid {

namespace {

struct FaceTiles {
    TransferTile mass, momentum, volume;
};

/// Adds one particle's share of one velocity component to the tiles. `slope`: row of the affine matrix times
/// the cell, m/s per cell.
template <int Component, bool WithVolume>
inline void add_component(FaceTiles& tiles, const ParticleStencil& stencil, double particle_mass,
                          double particle_volume, double velocity, const Vec3d& slope) {
    const AxisStencil& sx = stencil.along<Component>(0);
    const AxisStencil& sy = stencil.along<Component>(1);
    const AxisStencil& sz = stencil.along<Component>(2);
    const Lanes x_weights = sx.x_weights();
    const Lanes x_mass = x_weights * particle_mass;
    const Lanes x_velocity = velocity + slope.x * sx.x_arms();
    const int first = stencil.first<Component>();
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j) {
            const double across = sy.weight[j][1] * sz.weight[k][2];
            const double rise = slope.y * sy.arm(1, j) + slope.z * sz.arm(2, k);
            const Lanes m = x_mass * across;
            const int row = first + TransferTile::kRow * j + TransferTile::kSlab * k;
            double* mass = tiles.mass.value + row;
            double* momentum = tiles.momentum.value + row;
            store_lanes(mass, load_lanes(mass) + m);
            store_lanes(momentum, load_lanes(momentum) + m * (x_velocity + rise));
            if constexpr (WithVolume) {
                double* volume = tiles.volume.value + row;
                store_lanes(volume, load_lanes(volume) + x_weights * (across * particle_volume));
            }
        }
}

template <bool WithVolume>
void add_block(const Topology& topology, const ParticleOrder& order, const ParticleView& particles,
               std::size_t b, FaceField& mass, FaceField& momentum, FaceField* volume) {
    const std::size_t begin = order.block_begin(b), end = order.block_end(b);
    if (begin == end) return;
    FaceTiles tiles[3];
    for (FaceTiles& t : tiles) {
        t.mass.clear();
        t.momentum.clear();
        if constexpr (WithVolume) t.volume.clear();
    }
    const Vec3d corner = to_double(topology.corner[b]);
    const double cell = topology.cell, inverse = 1 / cell;
    for (std::size_t p = begin; p < end; ++p) {
        const ParticleStencil stencil(particles.position[p], corner, inverse);
        const std::size_t material = particles.material.empty() ? 0 : particles.material[p];
        const double v = particles.volume[p], m = v * particles.density[material];
        const Vec3d u = particles.velocity[p];
        const Mat3d& c = particles.affine[p];
        add_component<0, WithVolume>(tiles[0], stencil, m, v, u.x, c.row(0) * cell);
        add_component<1, WithVolume>(tiles[1], stencil, m, v, u.y, c.row(1) * cell);
        add_component<2, WithVolume>(tiles[2], stencil, m, v, u.z, c.row(2) * cell);
    }
    for (std::size_t a = 0; a < 3; ++a) {
        tiles[a].mass.add_to(topology, mass[a].data(), b);
        tiles[a].momentum.add_to(topology, momentum[a].data(), b);
        if constexpr (WithVolume) tiles[a].volume.add_to(topology, (*volume)[a].data(), b);
    }
}

}  // namespace

void particle_to_grid(const Topology& topology, const ParticleOrder& order, const ParticleView& particles,
                      FaceField& mass, FaceField& momentum, FaceField* volume) {
    fill(mass, topology.cells(), 0.0);
    fill(momentum, topology.cells(), 0.0);
    if (volume) fill(*volume, topology.cells(), 0.0);
    for_coloured_blocks(topology, [&](std::size_t b) {
        if (volume)
            add_block<true>(topology, order, particles, b, mass, momentum, volume);
        else
            add_block<false>(topology, order, particles, b, mass, momentum, volume);
    });
}

void velocity_from_momentum(const FaceField& mass, FaceField& momentum) {
    for (std::size_t a = 0; a < 3; ++a)
        parallel_chunks(mass[a].size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i)
                momentum[a][i] = mass[a][i] > 0 ? momentum[a][i] / mass[a][i] : 0;
        });
}

void particle_fraction(const Topology& topology, const ParticleOrder& order, std::span<const Vec3d> position,
                       std::span<const double> volume, Field& fraction) {
    fill(fraction, topology.cells(), 0.0);
    const double inverse = 1 / topology.cell, inverse_volume = inverse * inverse * inverse;
    for_coloured_blocks(topology, [&](std::size_t b) {
        const std::size_t begin = order.block_begin(b), end = order.block_end(b);
        if (begin == end) return;
        TransferTile tile;
        tile.clear();
        const Vec3d corner = to_double(topology.corner[b]);
        for (std::size_t p = begin; p < end; ++p) {
            const ParticleStencil stencil(position[p], corner, inverse);
            const AxisStencil& s = stencil.centre;
            const Lanes x_weights = s.x_weights() * (volume[p] * inverse_volume);
            const int first = stencil.first<3>();
            for (int k = 0; k < 3; ++k)
                for (int j = 0; j < 3; ++j) {
                    double* row = tile.value + first + TransferTile::kRow * j + TransferTile::kSlab * k;
                    store_lanes(row, load_lanes(row) + x_weights * (s.weight[j][1] * s.weight[k][2]));
                }
        }
        tile.add_to(topology, fraction.data(), b);
    });
}

}  // namespace rivulet::grid
