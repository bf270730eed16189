#include <rivulet/grid/operators.h>

#include <rivulet/grid/tile.h>

namespace rivulet::grid {

namespace {

constexpr int kE = kBlockEdge;
using HaloTile = Tile<1, 1>;

template <class F>
void for_cells(F&& body) {
    for (int k = 0; k < kE; ++k)
        for (int j = 0; j < kE; ++j)
            for (int i = 0; i < kE; ++i) body(i, j, k);
}

}  // namespace

void divergence(const Topology& topology, const FaceField& faces, Field& result) {
    result.resize(topology.cells());
    const double inverse = 1 / topology.cell;
    for_blocks(topology, [&](std::size_t b) {
        double* out = result.data() + b * kBlockCells;
        for (std::size_t i = 0; i < kBlockCells; ++i) out[i] = 0;
        HaloTile u;
        for (int a = 0; a < 3; ++a) {
            u.gather(topology, faces[std::size_t(a)].data(), b);
            const int dx = a == 0, dy = a == 1, dz = a == 2;
            for_cells([&](int i, int j, int k) {
                out[cell_in_block(i, j, k)] += (u(i + dx, j + dy, k + dz) - u(i, j, k)) * inverse;
            });
        }
    });
}

void gradient(const Topology& topology, const Field& cells, FaceField& result) {
    for (Field& f : result) f.resize(topology.cells());
    const double inverse = 1 / topology.cell;
    for_blocks(topology, [&](std::size_t b) {
        HaloTile p;
        p.gather(topology, cells.data(), b);
        for_cells([&](int i, int j, int k) {
            const std::size_t f = b * kBlockCells + std::size_t(cell_in_block(i, j, k));
            const double here = p(i, j, k);
            result[0][f] = (here - p(i - 1, j, k)) * inverse;
            result[1][f] = (here - p(i, j - 1, k)) * inverse;
            result[2][f] = (here - p(i, j, k - 1)) * inverse;
        });
    });
}

double component_at_face(const Topology& topology, const FaceField& field, std::size_t b, const Vec3i& at,
                         int axis, int c) {
    double sum = 0;
    int count = 0;
    for (int side = 0; side < 4; ++side) {
        Vec3i p = at;
        p[axis] -= side & 1;
        p[c] += side >> 1;
        const std::int64_t e = topology.index(b, p.x, p.y, p.z);
        if (e < 0) continue;
        sum += field[std::size_t(c)][std::size_t(e)];
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

}  // namespace rivulet::grid
