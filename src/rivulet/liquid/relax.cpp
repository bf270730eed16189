#include <rivulet/liquid/relax.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/operators.h>
#include <rivulet/grid/tile.h>

namespace rivulet::liquid {

namespace {

constexpr int kE = grid::kBlockEdge;
constexpr std::size_t kCells = grid::kBlockCells;
// Eigenvalues of the operator over its diagonal lie in (0, 2]; the sweeps aim at those above 2/400: errors
// shorter than about 60 cells.
constexpr double kLargest = 2, kSmallest = 2.0 / 400;

/// Fraction below which a cell is air, and the one above which a cell near air is crowded for certain.
constexpr double kAir = 0.1, kCrowded = 1.15;

using HaloTile = grid::Tile<1, 1>;

/// Open areas of the faces of a block's cells; 1 without solids.
struct OpenFaces {
    using UpperTile = grid::Tile<0, 1>;
    UpperTile tile[3];
    OpenFaces(const grid::Topology& topology, const grid::FaceField* open, std::size_t b) {
        for (std::size_t a = 0; a < 3; ++a) {
            std::fill_n(tile[a].value, UpperTile::kSize, 1.0);
            if (open) tile[a].gather_across_faces(topology, (*open)[a].data(), b, 0);
        }
    }
    bool all_open() const {
        return std::all_of(std::begin(tile), std::end(tile), [](const UpperTile& t) {
            return std::all_of(t.value, t.value + UpperTile::kSize, [](double area) { return area == 1; });
        });
    }
    /// Lower and upper faces along x, y, z.
    std::array<double, 6> of(int i, int j, int k) const {
        return {tile[0](i, j, k),     tile[0](i + 1, j, k), tile[1](i, j, k),
                tile[1](i, j + 1, k), tile[2](i, j, k),     tile[2](i, j, k + 1)};
    }
};

template <class F>
void for_cells(F&& body) {
    for (int k = 0; k < kE; ++k)
        for (int j = 0; j < kE; ++j)
            for (int i = 0; i < kE; ++i) body(i, j, k, std::size_t(grid::cell_in_block(i, j, k)));
}

/// Which cells of a block have air within two cells (a box of 5³): there the fraction also tells of the
/// surface.
class NearAir {
 public:
    NearAir(const grid::Topology& topology, const std::uint8_t* air, std::size_t b) {
        Wide tile;
        tile.gather(topology, air, b, 1);
        // A row of the tile is one word, a cell a byte. The first ones and the last are not of the block.
        static_assert(Wide::kRow == sizeof(std::uint64_t));
        constexpr int kW = Wide::kWidth;
        std::uint64_t along_x[kW * kW], along_y[kW * kE];
        std::memcpy(along_x, tile.value, sizeof along_x);
        std::uint64_t any = 0;
        for (std::uint64_t& row : along_x) {
            row |= row << 8 | row << 16 | row >> 8 | row >> 16;
            any |= row;
        }
        any_ = any != 0;
        if (!any_) return;
        const auto five = [](const std::uint64_t* v, int stride) {
            return v[0] | v[stride] | v[2 * stride] | v[3 * stride] | v[4 * stride];
        };
        for (int k = 0; k < kW; ++k)
            for (int j = 0; j < kE; ++j) along_y[kE * k + j] = five(along_x + kW * k + j, 1);
        for (int row = 0; row < kE * kE; ++row) {
            const std::uint64_t around = five(along_y + row, kE);
            std::memcpy(found_ + kE * row, reinterpret_cast<const char*>(&around) + 2, kE);
        }
    }
    bool at(std::size_t cell) const { return any_ && found_[cell] > 0; }

 private:
    using Wide = grid::Tile<2, 2, 8, std::uint8_t>;
    bool any_ = false;
    std::uint8_t found_[grid::kBlockCells];
};

double density_error(double fraction, bool near_air) {
    return near_air ? std::clamp(fraction - kCrowded, 0.0, 1.0) : std::clamp(fraction - 1, -0.5, 1.0);
}

}  // namespace

void DensityRelaxation::find_air(const grid::Topology& topology, const grid::Field& fraction,
                                 const grid::FaceField* open) {
    air_.resize(topology.cells());
    grid::for_blocks(topology, [&](std::size_t b) {
        const bool full = std::all_of(fraction.data() + b * kCells, fraction.data() + (b + 1) * kCells,
                                      [](double f) { return f >= kAir; });
        if (full) {
            std::fill_n(air_.data() + b * kCells, kCells, std::uint8_t{0});
            return;
        }
        // Faces of solid cells are all closed, the lower one along x too.
        bool may_be_solid = false;
        for (std::size_t n = b * kCells; open && n < (b + 1) * kCells; ++n)
            may_be_solid |= (*open)[0][n] == 0;
        if (!may_be_solid) {
            for (std::size_t n = b * kCells; n < (b + 1) * kCells; ++n) air_[n] = fraction[n] < kAir;
            return;
        }
        const OpenFaces faces(topology, open, b);
        for_cells([&](int i, int j, int k, std::size_t c) {
            const auto f = faces.of(i, j, k);
            const bool solid = std::all_of(f.begin(), f.end(), [](double area) { return area == 0; });
            air_[b * kCells + c] = !solid && fraction[b * kCells + c] < kAir;
        });
    });
}

void DensityRelaxation::start(const grid::Topology& topology, const grid::Field& fraction,
                              const grid::Field& phi, const grid::FaceField* open, const RelaxRule& rule,
                              Work& work) {
    const std::size_t cells = topology.cells();
    for (grid::Field* f : {&work.potential, &work.residual, &work.step, &inverse_diagonal_})
        grid::fill(*f, cells, 0.0);
    active_.resize(topology.size());
    all_open_.resize(topology.size());
    const double scale = rule.strength * topology.cell * topology.cell;
    find_air(topology, fraction, open);
    grid::for_blocks(topology, [&](std::size_t b) {
        bool any = false;
        for (std::size_t c = 0; c < kCells; ++c) any |= phi[b * kCells + c] < 0;
        active_[b] = any;
        if (!any) return;
        const NearAir near_air(topology, air_.data(), b);
        const OpenFaces faces(topology, open, b);
        all_open_[b] = faces.all_open();
        for_cells([&](int i, int j, int k, std::size_t c) {
            const std::size_t n = b * kCells + c;
            if (!(phi[n] < 0)) return;
            double diagonal = 0;
            for (const double area : faces.of(i, j, k)) diagonal += area;
            // NOTE: a cell shut in by solids has nowhere to send its liquid.
            if (diagonal < 0.01) return;
            inverse_diagonal_[n] = 1 / diagonal;
            work.residual[n] = scale * density_error(fraction[n], near_air.at(c));
        });
    });
}

/// residual -= A step, with (A q)_c = sum over faces of open * (q_c - q_neighbour).
void DensityRelaxation::subtract_operator(const grid::Topology& topology, const grid::FaceField* open,
                                          Work& work) {
    grid::for_blocks(topology, [&](std::size_t b) {
        if (!active_[b]) return;
        HaloTile q;
        q.gather_across_faces(topology, work.step.data(), b);
        double* residual = work.residual.data() + b * kCells;
        const double* inverse = inverse_diagonal_.data() + b * kCells;
        if (all_open_[b]) {
            for_cells([&](int i, int j, int k, std::size_t c) {
                const double across = 6 * q(i, j, k) - (q(i - 1, j, k) + q(i + 1, j, k)) -
                                      (q(i, j - 1, k) + q(i, j + 1, k)) - (q(i, j, k - 1) + q(i, j, k + 1));
                residual[c] -= inverse[c] == 0 ? 0 : across;
            });
            return;
        }
        const OpenFaces faces(topology, open, b);
        for_cells([&](int i, int j, int k, std::size_t c) {
            if (inverse[c] == 0) return;
            const auto f = faces.of(i, j, k);
            const double here = q(i, j, k);
            residual[c] -= f[0] * (here - q(i - 1, j, k)) + f[1] * (here - q(i + 1, j, k)) +
                           (f[2] * (here - q(i, j - 1, k)) + f[3] * (here - q(i, j + 1, k))) +
                           (f[4] * (here - q(i, j, k - 1)) + f[5] * (here - q(i, j, k + 1)));
        });
    });
}

void DensityRelaxation::solve(const grid::Topology& topology, const grid::Field& fraction,
                              const grid::Field& phi, const grid::FaceField* open, const RelaxRule& rule,
                              grid::FaceField& fields, grid::FaceField& shift) {
    Work work{fields[0], fields[1], fields[2]};
    start(topology, fraction, phi, open, rule, work);
    const double middle = 0.5 * (kLargest + kSmallest), half = 0.5 * (kLargest - kSmallest);
    const double sigma = middle / half;
    double rho = 1 / sigma;
    for (int sweep = 0; sweep < rule.sweeps; ++sweep) {
        const double next = 1 / (2 * sigma - rho);
        const double keep = sweep == 0 ? 0 : next * rho, add = sweep == 0 ? 1 / middle : 2 * next / half;
        if (sweep > 0) rho = next;
        grid::for_blocks(topology, [&](std::size_t b) {
            if (!active_[b]) return;
            for (std::size_t n = b * kCells; n < (b + 1) * kCells; ++n) {
                work.step[n] = keep * work.step[n] + add * work.residual[n] * inverse_diagonal_[n];
                work.potential[n] += work.step[n];
            }
        });
        if (sweep + 1 < rule.sweeps) subtract_operator(topology, open, work);
    }
    grid::gradient(topology, work.potential, shift);
    const double farthest = rule.farthest * topology.cell;
    for (std::size_t a = 0; a < 3; ++a)
        parallel_chunks(topology.cells(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f) {
                const double area = open ? (*open)[a][f] : 1;
                shift[a][f] = area > 0 ? std::clamp(-shift[a][f], -farthest, farthest) : 0;
            }
        });
}

}  // namespace rivulet::liquid
