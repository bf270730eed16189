#include <rivulet/liquid/wall_stress.h>

#include <rivulet/grid/topology_loops.h>
#include <rivulet/liquid/cell_stress.h>

namespace rivulet::liquid {
void find_wall_pull(const ShearParticles& p, const grid::Field& solid_distance, const grid::Field& skin,
                    grid::Field& pull) {
    grid::fill(pull, p.topology.cells(), 0.0);
    grid::for_blocks(p.topology, [&](std::size_t b) {
        if (p.order.block_begin(b) == p.order.block_end(b)) return;
        const CellNeighbours near(p.topology, b);
        for (int cell = 0; cell < grid::kBlockCells; ++cell) {
            const std::size_t c = b * grid::kBlockCells + std::size_t(cell);
            if (solid_distance[c] > 2 * p.topology.cell || p.order.cell_begin(c) == p.order.cell_end(c))
                continue;
            const Vec3d normal = slope_at(near, cell, solid_distance);
            const double size = squared_length(normal);
            if (size == 0) continue;
            pull[c] = dot(normal, to_matrix(cell_stress(p, c)) * normal) / size - skin[c];
        }
    });
}

}  // namespace rivulet::liquid
