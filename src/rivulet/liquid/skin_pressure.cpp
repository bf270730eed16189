#include <rivulet/liquid/skin_pressure.h>

#include <algorithm>

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

}  // namespace rivulet::liquid
