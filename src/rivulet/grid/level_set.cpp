#include <rivulet/grid/level_set.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/grid/tile.h>
#include <rivulet/grid/transfer.h>

namespace rivulet::grid {

namespace {

constexpr int kE = kBlockEdge;
constexpr double kFarthest = 1.5;    // cells, support of the kernel
constexpr double kLeastFree = 0.05;  // of the kernel, below which a cell is taken for solid
// Spheres come in when the fullest cell around is below kFull, and are complete at kThin: a half-space of
// liquid always has a cell of more than 0.83 beside its surface, a sheet one cell thick at most 0.67.
constexpr double kFull = 0.8, kThin = 0.65, kSpray = 0.4;

/// Radius in cells of a particle of cell³/8, by the fullest cell around it. Touching its neighbours in a
/// lattice (1/4) beside full cells; reaching the cell centres (sqrt(3)/4 away) in sheets a cell thick; for a
/// single layer of particles reaching them from half-way between two layers of centres (0.61 away).
double sphere_radius(double fullest) {
    const auto between = [&](double from, double to, double radius_from, double radius_to) {
        return radius_from + (radius_to - radius_from) * std::clamp((from - fullest) / (from - to), 0.0, 1.0);
    };
    return fullest > kThin ? between(kFull, kThin, 0.25, 0.48) : between(kThin, kSpray, 0.48, 0.63);
}

/// Spheres of the particles' volumes around their positions.
struct Spheres {
    const Topology& topology;
    const ParticleOrder& order;
    std::span<const Vec3d> position;
    std::span<const double> volume;
    double largest;  // radius of any, over that of cell³/8

    /// Distance in cells from a cell centre to the union of the spheres of the particles in the 27 cells
    /// around, `farthest` when they are no closer. `radius` in cells, of cell³/8.
    double distance(std::size_t b, const Vec3i& at, double radius, double farthest) const;
};

/// 1 / the volume of a particle of cell³/8 [1/m^3].
double to_relative_volume(double cell) {
    return 8 / (cell * cell * cell);
}

double Spheres::distance(std::size_t b, const Vec3i& at, double radius, double farthest) const {
    const double inverse = 1 / topology.cell, rest = to_relative_volume(topology.cell);
    const Vec3d centre = to_double(topology.corner[b] + at) + Vec3d{0.5, 0.5, 0.5};
    const bool periodic = topology.period != Vec3i{};
    double nearest = farthest;
    const auto look_at = [&](int i, int j, int k, int cells) {
        const std::int64_t c = topology.index(b, i, j, k);
        if (c < 0) return;
        const std::size_t end = order.cell_end(std::size_t(c) + std::size_t(cells - 1));
        for (std::size_t p = order.cell_begin(std::size_t(c)); p < end; ++p) {
            Vec3d d = position[p] * inverse - centre;
            if (periodic)
                for (int a = 0; a < 3; ++a)
                    if (topology.period[a] > 0)
                        d[a] -= topology.period[a] * std::round(d[a] / topology.period[a]);
            // Most are too far away: tangents of the root at 1 and 1/8 tell without one; the rest is for
            // round-off.
            const double relative = volume[p] * rest;
            const double root = std::min((relative + 2) * (1.0 / 3), (4 * relative + 1) * (1.0 / 3));
            const double reach = nearest + radius * root + 1e-9;
            const double square = squared_length(d);
            if (reach < 0 || square > reach * reach) continue;
            nearest = std::min(nearest, std::sqrt(square) - radius * std::cbrt(relative));
        }
    };
    // The cell itself comes first, then the rows around, those beside before those across edges, unless they
    // are too far away for any sphere to be nearer. The cells of a row within one block follow each other,
    // and so do their particles.
    look_at(at.x, at.y, at.z, 1);
    const auto too_far = [&](double away) { return away - radius * largest - 1e-9 > nearest; };
    if (too_far(0.5)) return nearest;
    look_at(at.x - 1, at.y, at.z, 1);
    look_at(at.x + 1, at.y, at.z, 1);
    const int low = std::max(at.x - 1, 0), high = std::min(at.x + 1, kE - 1);
    constexpr int kRows[8][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    for (int row = 0; row < 8; ++row) {
        if (too_far(row < 4 ? 0.5 : std::sqrt(0.5))) break;
        const int j = at.y + kRows[row][0], k = at.z + kRows[row][1];
        look_at(low, j, k, high - low + 1);
        if (at.x == 0) look_at(-1, j, k, 1);
        if (at.x == kE - 1) look_at(kE, j, k, 1);
    }
    return nearest;
}

/// Largest of the 27 values around each cell of the tile's block.
void largest_around(const Tile<1, 1>& in, double* out) {
    constexpr int kW = Tile<1, 1>::kWidth;
    const auto three = [](const double* v, int stride) {
        return std::max(std::max(v[0], v[stride]), v[2 * stride]);
    };
    double along_x[kW * kW][kE], along_y[kW * kE][kE];
    for (int r = 0; r < kW * kW; ++r)
        for (int i = 0; i < kE; ++i) along_x[r][i] = three(in.value + Tile<1, 1>::kRow * r + i, 1);
    for (int k = 0; k < kW; ++k)
        for (int j = 0; j < kE; ++j)
            for (int i = 0; i < kE; ++i) along_y[kE * k + j][i] = three(&along_x[kW * k + j][i], kE);
    for (int c = 0; c < kBlockCells; ++c) out[c] = three(&along_y[c / kE][c % kE], kE * kE);
}

/// Part of cell (i,j,k) of the tile's block where the trilinear interpolant of phi is negative.
double part_inside(const Tile<1, 1>& level, int i, int j, int k, double cell) {
    double least = level(i, j, k), most = least;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                least = std::min(least, level(i + dx, j + dy, k + dz));
                most = std::max(most, level(i + dx, j + dy, k + dz));
            }
    constexpr int kSplit = 4;  // samples per cell and axis, each smoothed over its width
    const double width = cell / kSplit;
    if (least > width) return 0;
    if (most < -width) return 1;
    const auto place = [](int s) { return (s + 0.5) / kSplit - 0.5; };
    double inside = 0;
    for (int s = 0; s < kSplit * kSplit * kSplit; ++s) {
        const Vec3d at{place(s % kSplit), place(s / kSplit % kSplit), place(s / (kSplit * kSplit))};
        const int i0 = i - (at.x < 0), j0 = j - (at.y < 0), k0 = k - (at.z < 0);
        const Vec3d f{at.x + (i - i0), at.y + (j - j0), at.z + (k - k0)};
        double value = 0;
        for (int n = 0; n < 8; ++n)
            value += level(i0 + (n & 1), j0 + (n >> 1 & 1), k0 + (n >> 2)) * (n & 1 ? f.x : 1 - f.x) *
                     (n & 2 ? f.y : 1 - f.y) * (n & 4 ? f.z : 1 - f.z);
        inside += std::clamp(0.5 - value / width, 0.0, 1.0);
    }
    return inside / (kSplit * kSplit * kSplit);
}

}  // namespace

void find_level_set(const Topology& topology, const ParticleOrder& order, std::span<const Vec3d> position,
                    std::span<const double> volume, const Field* free_kernel, Field& fraction, Field& phi) {
    assert(position.size() == volume.size());
    assert(!free_kernel || free_kernel->size() == topology.cells());
    particle_fraction(topology, order, position, volume, fraction);
    if (free_kernel) {
        parallel_chunks(topology.cells(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t c = begin; c < end; ++c)
                fraction[c] = (*free_kernel)[c] > kLeastFree ? fraction[c] / (*free_kernel)[c] : 0;
        });
    }
    phi.resize(topology.cells());
    const double biggest = parallel_max(volume.size(), 0.0, [&](std::size_t p) { return volume[p]; });
    const Spheres spheres{topology, order, position, volume,
                          std::cbrt(biggest * to_relative_volume(topology.cell))};
    for_blocks(topology, [&](std::size_t b) {
        Tile<1, 1> filled;
        filled.gather(topology, fraction.data(), b);
        double largest[kBlockCells];
        largest_around(filled, largest);
        if (std::all_of(largest, largest + kBlockCells, [](double f) { return !(f > 0); })) {
            std::fill_n(phi.data() + b * kBlockCells, kBlockCells, kFarthest * topology.cell);
            return;
        }
        for (int k = 0; k < kE; ++k)
            for (int j = 0; j < kE; ++j)
                for (int i = 0; i < kE; ++i) {
                    const double here = filled(i, j, k);
                    double distance = -quadratic_integral_inverse(here);
                    const std::size_t c = std::size_t(cell_in_block(i, j, k));
                    const double fullest = largest[c];
                    const double thin = std::clamp((kFull - fullest) / (kFull - kThin), 0.0, 1.0);
                    if (thin > 0 && fullest > 0) {
                        const double nearest = spheres.distance(b, {i, j, k}, sphere_radius(fullest),
                                                                std::min(kFarthest, distance));
                        distance += thin * std::min(0.0, nearest - distance);
                    }
                    phi[b * kBlockCells + c] = distance * topology.cell;
                }
    });
}

double volume_inside(const Topology& topology, const Field& phi, const Field* open_volume) {
    const double cell = topology.cell;
    const auto block_volume = [&](std::size_t b) {
        Tile<1, 1> level;
        level.gather(topology, phi.data(), b, kFarthest * cell);
        double sum = 0;
        for (int k = 0; k < kE; ++k)
            for (int j = 0; j < kE; ++j)
                for (int i = 0; i < kE; ++i) {
                    const std::size_t c = b * kBlockCells + std::size_t(cell_in_block(i, j, k));
                    sum += part_inside(level, i, j, k, cell) * (open_volume ? (*open_volume)[c] : 1);
                }
        return sum;
    };
    return accurate_sum(topology.size(), block_volume) * cell * cell * cell;
}

}  // namespace rivulet::grid
