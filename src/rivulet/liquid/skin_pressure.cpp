#include <rivulet/liquid/skin_pressure.h>

#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/grid/stencil.h>
#include <rivulet/grid/topology_loops.h>
#include <rivulet/liquid/cell_stress.h>

namespace rivulet::liquid {
namespace {

/// Depths in cells down to which the skin is whole, and where it ends. NOTE: it must end short of the depth
/// where distances are cut off (grid::find_level_set): else liquid at rest trembles where they just are.
constexpr double kWhole = 0.7, kEnd = 1.4;
/// Slopes of the distance below this, squared, have no direction: the middle of threads and sheets.
constexpr double kFlat = 0.1;

double weight_at(double depth) {
    return std::clamp((kEnd - depth) / (kEnd - kWhole), 0.0, 1.0);
}

bool slips(const grid::FaceBoundary& boundary, std::size_t e) {
    const std::uint8_t wall = boundary.wall[0][e];
    return wall < boundary.rules.size() && boundary.rules[wall].kind != grid::WallKind::no_slip;
}

/// Adds amount * weight * (node - particle) / cell along the axis of a component to its faces.
template <int Component>
void add_along(const grid::ParticleStencil& at, double amount, grid::TransferTile& tile) {
    using grid::TransferTile;
    const grid::AxisStencil &x = at.along<Component>(0), &y = at.along<Component>(1),
                            &z = at.along<Component>(2);
    const grid::Lanes row = Component == 0 ? x.x_weights() * x.x_arms() : x.x_weights();
    double* nodes = tile.value + at.first<Component>();
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j) {
            double part = amount * y.weight[j][1] * z.weight[k][2];
            if (Component == 1) part *= y.arm(1, j);
            if (Component == 2) part *= z.arm(2, k);
            double* to = nodes + TransferTile::kRow * j + TransferTile::kSlab * k;
            grid::store_lanes(to, grid::load_lanes(to) + part * row);
        }
}

}  // namespace

void find_skin_pressure(const ShearParticles& p, const PressureDomain& domain,
                        const grid::Field* solid_distance, grid::Field& skin) {
    const double cell = p.topology.cell;
    skin.resize(p.topology.cells());
    grid::for_blocks(p.topology, [&](std::size_t b) {
        if (p.order.block_begin(b) == p.order.block_end(b)) {
            std::fill_n(skin.data() + b * grid::kBlockCells, grid::kBlockCells, 0.0);
            return;
        }
        const CellNeighbours near(p.topology, b);
        for (int n = 0; n < grid::kBlockCells; ++n) {
            const std::size_t c = b * grid::kBlockCells + std::size_t(n);
            skin[c] = 0;
            if (p.order.cell_begin(c) == p.order.cell_end(c)) continue;
            const double air = weight_at(-domain.liquid_distance[c] / cell);
            const double wall =
                solid_distance && slips(domain.boundary, c) ? weight_at((*solid_distance)[c] / cell) : 0;
            if (air + wall == 0) continue;
            const Mat3d stress = to_matrix(cell_stress(p, c));
            const auto across = [&](const grid::Field& distance) {
                const Vec3d normal = slope_at(near, n, distance) / (2 * cell);
                return dot(normal, stress * normal) / std::max(squared_length(normal), kFlat);
            };
            const double sum = (air > 0 ? air * across(domain.liquid_distance) : 0) +
                               (wall > 0 ? wall * across(*solid_distance) : 0);
            skin[c] = sum / std::max(1.0, air + wall);
        }
    });
}

void skin_impulse(const ShearParticles& p, const grid::Field& skin, std::span<double> impulse) {
    const grid::Topology& topology = p.topology;
    parallel_chunks(impulse.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::fill(impulse.begin() + std::ptrdiff_t(begin), impulse.begin() + std::ptrdiff_t(end), 0.0);
    });
    const double inverse = 1 / topology.cell, reach = grid::kAffineScale * inverse * p.dt;
    grid::for_coloured_blocks(topology, [&](std::size_t b) {
        bool any = false;
        for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c) any |= skin[c] != 0;
        if (!any) return;
        grid::TransferTile tile[3];
        for (auto& t : tile) t.clear();
        const Vec3d corner = to_double(topology.corner[b]);
        for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c) {
            if (skin[c] == 0) continue;
            for (std::size_t i = p.order.cell_begin(c); i < p.order.cell_end(c); ++i) {
                // Kirchhoff stress with rest volumes: Cauchy stress with present ones.
                const double amount = reach * skin[c] * p.state.volume[i] * p.state.volume_ratio[i];
                const grid::ParticleStencil at(p.state.position[i], corner, inverse);
                add_along<0>(at, amount, tile[0]);
                add_along<1>(at, amount, tile[1]);
                add_along<2>(at, amount, tile[2]);
            }
        }
        for (std::size_t a = 0; a < 3; ++a)
            tile[a].add_to(topology, impulse.data() + a * topology.cells(), b);
    });
}

}  // namespace rivulet::liquid
