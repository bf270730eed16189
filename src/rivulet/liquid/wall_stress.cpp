#include <rivulet/liquid/wall_stress.h>

#include <rivulet/grid/topology_loops.h>
#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/particle_strain.h>

namespace rivulet::liquid {
namespace {

/// Mean Cauchy stress, deviatoric, of a cell's particles [Pa].
Strain cell_stress(const ShearParticles& p, std::size_t c) {
    Strain sum;
    double volume = 0;
    for (std::size_t i = p.order.cell_begin(c); i < p.order.cell_end(c); ++i) {
        const double modulus = p.law(i).shear_modulus, v = p.state.volume[i];
        if (modulus > 0)
            sum = mean(1, sum, v / p.state.volume_ratio[i], shear_stress(modulus, strain_of(p.state, i)));
        volume += v;
    }
    return volume > 0 ? scaled(1 / volume, sum) : Strain{};
}

}  // namespace

void find_wall_pull(const ShearParticles& p, const grid::Field& solid_distance, grid::Field& pull) {
    grid::fill(pull, p.topology.cells(), 0.0);
    grid::for_blocks(p.topology, [&](std::size_t b) {
        const CellNeighbours near(p.topology, b);
        for (int cell = 0; cell < grid::kBlockCells; ++cell) {
            const std::size_t c = b * grid::kBlockCells + std::size_t(cell);
            if (solid_distance[c] > 2 * p.topology.cell || p.order.cell_begin(c) == p.order.cell_end(c))
                continue;
            Vec3d normal;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::ptrdiff_t low = near.lower(cell, axis), up = near.upper(cell, axis);
                if (low >= 0 && up >= 0)
                    normal[int(axis)] = solid_distance[std::size_t(up)] - solid_distance[std::size_t(low)];
            }
            const double size = squared_length(normal);
            if (size == 0) continue;
            pull[c] = dot(normal, to_matrix(cell_stress(p, c)) * normal) / size;
        }
    });
}

}  // namespace rivulet::liquid
