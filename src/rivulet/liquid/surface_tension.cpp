#include <rivulet/liquid/surface_tension.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <rivulet/grid/kernel.h>
#include <rivulet/grid/tile.h>
#include <rivulet/grid/tile_sums.h>

namespace rivulet::liquid {
namespace {

using Tile = grid::Tile<1, 1>;

/// Curvature is measured in cells this near to the surface, in cells: one of the two cells beside every
/// crossing is, and all around it distances are below the 1.5 cells at which the particle level set is cut
/// off.
constexpr double kMeasuredBand = 0.5001;

/// The level set of particles is uneven by a few hundredths of a cell, and cut off at 1.5 cells. Curvature is
/// that of the kernel's filled part under a flat surface at that distance, smoothed over a cell (passes of 1,
/// 2, 1 along each axis): else the noise, twice differentiated, feeds the surface with energy. A sphere's
/// curvature stays, a wave 8 cells long keeps 63 % of its own, one of 16 cells 89 %.
constexpr int kSmoothings = 3;

double curvature_at(const Tile& phi, int i, int j, int k, double cell) {
    const auto at = [&](const Vec3i& d) { return phi(i + d.x, j + d.y, k + d.z); };
    Vec3d gradient;
    Mat3d hessian;
    for (int a = 0; a < 3; ++a) {
        Vec3i u;
        u[a] = 1;
        gradient[a] = (at(u) - at(-u)) / (2 * cell);
        hessian(a, a) = (at(u) - 2 * at({}) + at(-u)) / (cell * cell);
        for (int b = a + 1; b < 3; ++b) {
            Vec3i v;
            v[b] = 1;
            hessian(a, b) = hessian(b, a) =
                (at(u + v) - at(u - v) - at(v - u) + at(-(u + v))) / (4 * cell * cell);
        }
    }
    return std::clamp(level_set_curvature(gradient, hessian), -2 / cell, 2 / cell);
}

template <class F>
void for_cells(F&& body) {
    for (int k = 0; k < grid::kBlockEdge; ++k)
        for (int j = 0; j < grid::kBlockEdge; ++j)
            for (int i = 0; i < grid::kBlockEdge; ++i)
                body(i, j, k, std::size_t(grid::cell_in_block(i, j, k)));
}

}  // namespace

double level_set_curvature(const Vec3d& gradient, const Mat3d& hessian) {
    const double squared = squared_length(gradient);
    if (!(squared > 1e-12)) return 0;
    return (trace(hessian) - dot(gradient, hessian * gradient) / squared) / std::sqrt(squared);
}

void SurfaceTension::smooth(const grid::Topology& topology, const grid::Field& liquid_distance) {
    for (grid::Field* f : {&near_, &empty_}) f->resize(topology.cells());
    grid::for_blocks(topology, [&](std::size_t b) {
        for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c)
            empty_[c] = grid::quadratic_integral(liquid_distance[c] / topology.cell);
    });
    for (int pass = 0; pass < kSmoothings; ++pass) {
        grid::for_blocks(topology, [&](std::size_t b) {
            Tile tile;
            tile.gather(topology, empty_.data(), b, 1);
            double* out = near_.data() + b * grid::kBlockCells;
            grid::add_up_around(tile, out);
            for (int c = 0; c < grid::kBlockCells; ++c) out[c] /= 64;
        });
        std::swap(near_, empty_);
    }
}

void SurfaceTension::find_pressure(const grid::Topology& topology, const grid::Field& liquid_distance,
                                   double surface_tension, grid::Field& pressure) {
    const double cell = topology.cell;
    smooth(topology, liquid_distance);
    grid::fill(near_, topology.cells(), 0.0);
    grid::fill(known_, topology.cells(), 0.0);
    pressure.resize(topology.cells());
    grid::for_blocks(topology, [&](std::size_t b) {
        const double* phi = liquid_distance.data() + b * grid::kBlockCells;
        const auto measured = [&](double d) { return std::abs(d) <= kMeasuredBand * cell; };
        if (std::none_of(phi, phi + grid::kBlockCells, measured)) return;
        Tile tile;
        tile.gather(topology, empty_.data(), b, 1);
        for_cells([&](int i, int j, int k, std::size_t c) {
            if (!measured(phi[c])) return;
            near_[b * grid::kBlockCells + c] = surface_tension * curvature_at(tile, i, j, k, cell);
            known_[b * grid::kBlockCells + c] = 1;
        });
    });
    grid::for_blocks(topology, [&](std::size_t b) {
        Tile value, known;
        known.gather(topology, known_.data(), b);
        value.gather(topology, near_.data(), b);
        for_cells([&](int i, int j, int k, std::size_t c) {
            double sum = value(i, j, k), weight = known(i, j, k);
            if (weight == 0)
                for (int dk = -1; dk <= 1; ++dk)
                    for (int dj = -1; dj <= 1; ++dj)
                        for (int di = -1; di <= 1; ++di) {
                            sum += value(i + di, j + dj, k + dk);
                            weight += known(i + di, j + dj, k + dk);
                        }
            pressure[b * grid::kBlockCells + c] = weight > 0 ? sum / weight : 0.0;
        });
    });
}

}  // namespace rivulet::liquid
