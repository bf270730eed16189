#include <rivulet/liquid/viscous_operator.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/free_surface.h>

namespace rivulet::liquid {
namespace {

constexpr int kCells = grid::kBlockCells;
/// Edge pair q joins component first[q] differentiated along second[q] and the other way round.
constexpr std::array<std::size_t, 3> kFirst{0, 1, 2}, kSecond{1, 2, 0};
/// Closest a no-slip wall may lie to a face centre, in cells: bounds the stiffness of one row.
constexpr double kLeastWallFraction = 0.05;

/// Part of a cell's width around a point that lies on the negative side of a plane at that distance.
double part_inside(double distance, double cell) {
    return std::clamp(0.5 - distance / cell, 0.0, 1.0);
}

/// The four cells around the lower edge of pair q of a cell, −1 where absent: itself, below along either
/// axis, below along both.
std::array<std::ptrdiff_t, 4> cells_around_edge(const grid::Topology& topology, const CellNeighbours& near,
                                                std::size_t block, int c, std::size_t q) {
    const std::size_t p = kFirst[q], r = kSecond[q];
    Vec3i at{c % grid::kBlockEdge, (c / grid::kBlockEdge) % grid::kBlockEdge,
             c / (grid::kBlockEdge * grid::kBlockEdge)};
    --at[int(p)];
    --at[int(r)];
    return {std::ptrdiff_t(block) * kCells + c, near.lower(c, p), near.lower(c, r),
            std::ptrdiff_t(topology.index(block, at.x, at.y, at.z))};
}

/// Viscosity of the liquid around an edge, 0 where there is none: the harmonic mean. Shear stress is the same
/// on both sides where two liquids meet across either of the edge's axes, so that it is the strains that add
/// up; the arithmetic mean would tie a layer of the thin liquid to the thick one.
double edge_viscosity(const ViscousDomain& domain, const std::array<std::ptrdiff_t, 4>& around) {
    double count = 0, fluidity = 0, least = std::numeric_limits<double>::infinity(), most = 0;
    for (const std::ptrdiff_t n : around) {
        if (!domain.liquid[std::size_t(n)]) continue;
        const double viscosity = domain.viscosity[std::size_t(n)];
        least = std::min(least, viscosity);
        most = std::max(most, viscosity);
        fluidity += 1 / viscosity;
        ++count;
    }
    if (count == 0 || least == 0) return 0;
    return least == most ? least : count / fluidity;
}

}  // namespace

template <class F>
void ViscousOperator::for_active_blocks(F&& body) const {
    parallel_chunks(active_.size(), 32, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
            body(CellNeighbours(*topology_, active_[i]), active_[i], active_[i] * std::size_t(kCells));
    });
}

void ViscousOperator::build(const ViscousDomain& domain) {
    topology_ = &domain.flow.topology;
    cells_ = topology_->cells();
    classify(domain);
    weigh(domain);
    find_stiffness(domain);
}

void ViscousOperator::classify(const ViscousDomain& domain) {
    const auto& boundary = domain.flow.boundary;
    for (auto& f : face_) f.resize(cells_);
    is_active_.assign(topology_->size(), 0);
    parallel_chunks(topology_->size(), 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t block = begin; block < end; ++block) {
            const CellNeighbours near(*topology_, block);
            const std::size_t base = block * kCells;
            const auto surrounded = [&](int c) {
                for (std::size_t axis = 0; axis < 3; ++axis)
                    if (near.lower(c, axis) < 0 || near.upper(c, axis) < 0) return false;
                return true;
            };
            for (std::size_t axis = 0; axis < 3; ++axis)
                for (int c = 0; c < kCells; ++c) {
                    const std::size_t e = base + std::size_t(c);
                    const std::ptrdiff_t low = near.lower(c, axis);
                    const double open = domain.flow.flow.carried()[axis][e];
                    const std::uint8_t wall = boundary.wall[axis][e];
                    const bool holds =
                        wall < boundary.rules.size() && boundary.rules[wall].kind == grid::WallKind::no_slip;
                    const auto in_solid = [&] {
                        return open == 0 ||
                               (domain.solid_distance && low >= 0 &&
                                (*domain.solid_distance)[e] + (*domain.solid_distance)[std::size_t(low)] < 0);
                    };
                    Face kind = air;
                    if (holds && in_solid())
                        kind = fixed;
                    else if (open == 0)
                        kind = slip;
                    else if ((domain.liquid[e] || (low >= 0 && domain.liquid[std::size_t(low)])) &&
                             surrounded(c))
                        kind = unknown;
                    face_[axis][e] = kind;
                    if (kind == unknown) is_active_[block] = 1;
                }
        }
    });
    active_.clear();
    unknown_blocks_.clear();
    for (std::size_t block = 0; block < topology_->size(); ++block) {
        const auto& near = topology_->neighbour[block];
        if (is_active_[block]) unknown_blocks_.push_back(block);
        if (std::any_of(near.begin(), near.end(),
                        [&](std::int32_t n) { return n >= 0 && is_active_[std::size_t(n)]; }))
            active_.push_back(block);
    }
    std::fill(is_active_.begin(), is_active_.end(), std::uint8_t{0});
    for (const std::size_t block : active_) is_active_[block] = 1;
}

void ViscousOperator::weigh(const ViscousDomain& domain) {
    // Only active blocks are ever read.
    mass_.resize(3 * cells_);
    normal_.resize(cells_);
    for (std::size_t q = 0; q < 3; ++q)
        for (auto* f : {&a_[q], &b_[q], &normal_stress_[q], &a_stress_[q], &b_stress_[q]}) f->resize(cells_);
    for_active_blocks([&](const CellNeighbours& near, std::size_t block, std::size_t base) {
        std::fill_n(normal_.data() + base, kCells, 0.0);
        for (std::size_t q = 0; q < 3; ++q) {
            std::fill_n(mass_.data() + q * cells_ + base, kCells, 1.0);
            for (auto* f : {&a_[q], &b_[q]}) std::fill_n(f->data() + base, kCells, 0.0);
        }
        for (int c = 0; c < kCells; ++c) {
            const std::size_t e = base + std::size_t(c);
            if (face_[0][e] == air && face_[1][e] == air && face_[2][e] == air) continue;
            weigh_cell(domain, near, c, e);
            for (std::size_t q = 0; q < 3; ++q)
                if (face_[kFirst[q]][e] != air && face_[kSecond[q]][e] != air)
                    weigh_edge(domain, cells_around_edge(*topology_, near, block, c, q), q, e);
        }
    });
}

/// Masses of the faces of a cell, and the weight of its stretching.
void ViscousOperator::weigh_cell(const ViscousDomain& domain, const CellNeighbours& near, int c,
                                 std::size_t e) {
    const PressureDomain& flow = domain.flow;
    const grid::Field& phi = flow.liquid_distance;
    const double cell = topology_->cell, scale = flow.dt / (cell * cell);
    bool bounded = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::ptrdiff_t up = near.upper(c, axis);
        bounded = bounded && up >= 0 && face_[axis][e] != air && face_[axis][std::size_t(up)] != air;
        if (face_[axis][e] != unknown) continue;
        const std::size_t low = std::size_t(near.lower(c, axis));
        // The same mass as the pressure sees: the part that liquid carries, up to the surface.
        const double reach = domain.liquid[e] && domain.liquid[low] ? 1.0
                             : domain.liquid[e]                     ? flow.way_to_surface(e, low)
                                                                    : flow.way_to_surface(low, e);
        mass_[axis * cells_ + e] = flow.flow.inertia(axis, e) * flow.flow.carried()[axis][e] * reach;
    }
    if (!domain.liquid[e] || !bounded) return;
    const double wet = part_inside(phi[e], cell);
    const double free = domain.solid_distance ? part_inside(-(*domain.solid_distance)[e], cell) : 1.0;
    normal_[e] = 2 * scale * domain.viscosity[e] * wet * free;
}

/// Weights of the shear strain at the edge along q of cell e; `around`: the cells that share it.
void ViscousOperator::weigh_edge(const ViscousDomain& domain, const std::array<std::ptrdiff_t, 4>& around,
                                 std::size_t q, std::size_t e) {
    const grid::Field& phi = domain.flow.liquid_distance;
    const grid::Field* solid = domain.solid_distance;
    const double cell = topology_->cell, scale = domain.flow.dt / (cell * cell);
    const std::size_t p = kFirst[q], r = kSecond[q];
    if (std::any_of(around.begin(), around.end(), [](std::ptrdiff_t n) { return n < 0; })) return;
    // Component p on the faces of this cell and the one below along r; component r likewise.
    const std::size_t below_r = std::size_t(around[2]), below_p = std::size_t(around[1]);
    const std::uint8_t kinds[4] = {face_[p][e], face_[p][below_r], face_[r][e], face_[r][below_p]};
    if (std::any_of(kinds, kinds + 4, [](std::uint8_t k) { return k == air || k == slip; })) return;
    if (std::all_of(kinds, kinds + 4, [](std::uint8_t k) { return k == fixed; })) return;
    double phi_edge = 0, solid_edge = 0;
    for (const std::ptrdiff_t n : around) {
        phi_edge += 0.25 * phi[std::size_t(n)];
        if (solid) solid_edge += 0.25 * (*solid)[std::size_t(n)];
    }
    const double viscosity = edge_viscosity(domain, around);
    if (viscosity == 0) return;
    // A no-slip wall between two faces: the velocity falls to the wall's over part of the way only.
    const auto way = [&](std::uint8_t k0, std::uint8_t k1, std::ptrdiff_t f0, std::ptrdiff_t low0,
                         std::ptrdiff_t f1, std::ptrdiff_t low1) {
        if (k0 == k1) return 1.0;
        if (!solid) return 0.5;
        const double d0 = 0.5 * ((*solid)[std::size_t(f0)] + (*solid)[std::size_t(low0)]),
                     d1 = 0.5 * ((*solid)[std::size_t(f1)] + (*solid)[std::size_t(low1)]);
        const double out = k0 == unknown ? d0 : d1, in = k0 == unknown ? d1 : d0;
        return std::clamp(out > in ? out / (out - in) : 1.0, kLeastWallFraction, 1.0);
    };
    const double way_r = way(kinds[0], kinds[1], around[0], around[1], around[2], around[3]);
    const double way_p = way(kinds[2], kinds[3], around[0], around[2], around[1], around[3]);
    double volume = part_inside(phi_edge, cell) * way_r * way_p;
    if (way_r == 1 && way_p == 1 && solid) volume *= part_inside(-solid_edge, cell);
    const double root = std::sqrt(scale * viscosity * volume);
    a_[q][e] = root / way_r;
    b_[q][e] = root / way_p;
}

/// Weights of the shear strains of component p at the edges beside its faces along `along`, and of the
/// difference of component `along` in them.
auto ViscousOperator::shear_weights(std::size_t p, std::size_t along) const {
    const std::size_t q = along == kSecond[p] ? p : along;
    return p == kFirst[q] ? std::pair<const grid::Field&, const grid::Field&>{a_[q], b_[q]}
                          : std::pair<const grid::Field&, const grid::Field&>{b_[q], a_[q]};
}

double ViscousOperator::viscous_diagonal(const CellNeighbours& near, std::size_t p, std::size_t e) const {
    const int c = int(e % kCells);
    double sum = normal_[std::size_t(near.lower(c, p))] + normal_[e];
    for (const std::size_t along : {(p + 1) % 3, (p + 2) % 3}) {
        const grid::Field& own = shear_weights(p, along).first;
        const double below = own[e], above = own[std::size_t(near.upper(c, along))];
        sum += below * below + above * above;
    }
    return sum;
}

ViscousOperator::Row ViscousOperator::row(const CellNeighbours& near, std::size_t p, std::size_t e) const {
    const std::size_t block = e / kCells;
    const int c = int(e % kCells);
    Row row;
    row.diagonal = mass_[p * cells_ + e];
    const auto add = [&](std::size_t axis, std::size_t face, double value) {
        if (value == 0 || face_[axis][face] != unknown) return;
        row.place[row.count] = axis * cells_ + face;
        row.value[row.count++] = value;
    };
    // Normal strains of the cells on both sides.
    const std::size_t low = std::size_t(near.lower(c, p)), up = std::size_t(near.upper(c, p));
    row.diagonal += normal_[low] + normal_[e];
    add(p, low, -normal_[low]);
    add(p, up, -normal_[e]);
    // Shear strains of the four edges: own difference along `along`, that of component `along` along p.
    for (const std::size_t along : {(p + 1) % 3, (p + 2) % 3}) {
        const auto [own, cross] = shear_weights(p, along);
        for (const int side : {0, 1}) {
            const std::size_t edge = side == 0 ? e : std::size_t(near.upper(c, along));
            const double w = own[edge], v = side == 0 ? w * cross[edge] : -w * cross[edge];
            if (w == 0) continue;
            row.diagonal += w * w;
            add(p, side == 0 ? std::size_t(near.lower(c, along)) : edge, -w * w);
            Vec3i below{c % grid::kBlockEdge, (c / grid::kBlockEdge) % grid::kBlockEdge,
                        c / (grid::kBlockEdge * grid::kBlockEdge)};
            below[int(along)] += side;
            below[int(p)] -= 1;
            add(along, edge, v);
            add(along, std::size_t(topology_->index(block, below.x, below.y, below.z)), -v);
        }
    }
    return row;
}

void ViscousOperator::find_stiffness(const ViscousDomain& domain) {
    stiffness_ = parallel_max(unknown_blocks_.size(), 0.0, [&](std::size_t i) {
        const CellNeighbours near(*topology_, unknown_blocks_[i]);
        const std::size_t base = unknown_blocks_[i] * std::size_t(kCells);
        double stiffest = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t e = base; e < base + kCells; ++e)
                if (face_[axis][e] == unknown)
                    stiffest = std::max(stiffest,
                                        viscous_diagonal(near, axis, e) / domain.flow.flow.inertia(axis, e));
        return stiffest;
    });
}

void ViscousOperator::component_rows(std::size_t axis, std::size_t block, double* x, double* y, double* z,
                                     double* walls, double* mass) const {
    const CellNeighbours near(*topology_, block);
    double* coupling[3] = {x, y, z};
    const auto square = [](double v) { return v * v; };
    for (int c = 0; c < kCells; ++c) {
        const std::size_t e = block * kCells + std::size_t(c);
        for (auto* w : coupling) w[c] = 0;
        walls[c] = mass[c] = 0;
        if (face_[axis][e] != unknown) continue;
        mass[c] = mass_[axis * cells_ + e];
        for (std::size_t along = 0; along < 3; ++along) {
            const std::size_t low = std::size_t(near.lower(c, along)), up = std::size_t(near.upper(c, along));
            double below, above;
            if (along == axis) {
                below = normal_[low];
                above = normal_[e];
            } else {
                const std::size_t q = kSecond[axis] == along ? axis : along;  // pair that joins the two
                const auto& root = axis == kFirst[q] ? a_[q] : b_[q];
                below = square(root[e]);
                above = square(root[up]);
            }
            if (face_[axis][low] == unknown)
                coupling[along][c] = below;
            else
                walls[c] += below;
            if (face_[axis][up] != unknown) walls[c] += above;
        }
    }
}

void ViscousOperator::apply(std::span<const double> x, std::span<double> out) {
    assert(x.size() == 3 * cells_ && out.size() == x.size());
    const double* u[3] = {x.data(), x.data() + cells_, x.data() + 2 * cells_};
    parallel_for(topology_->size(), [&](std::size_t block) {
        if (is_active_[block]) return;
        for (std::size_t p = 0; p < 3; ++p)
            std::fill_n(out.data() + p * cells_ + block * kCells, kCells, 0.0);
    });
    for_active_blocks([&](const CellNeighbours& near, std::size_t, std::size_t base) {
        for (int c = 0; c < kCells; ++c) {
            const std::size_t e = base + std::size_t(c);
            for (std::size_t p = 0; p < 3; ++p)
                normal_stress_[p][e] =
                    normal_[e] == 0 ? 0.0 : normal_[e] * (u[p][std::size_t(near.upper(c, p))] - u[p][e]);
            for (std::size_t q = 0; q < 3; ++q) {
                const double a = a_[q][e], b = b_[q][e];
                if (a == 0) {
                    a_stress_[q][e] = b_stress_[q][e] = 0;
                    continue;
                }
                const std::size_t p = kFirst[q], r = kSecond[q];
                const double stress = a * (u[p][e] - u[p][std::size_t(near.lower(c, r))]) +
                                      b * (u[r][e] - u[r][std::size_t(near.lower(c, p))]);
                a_stress_[q][e] = a * stress;
                b_stress_[q][e] = b * stress;
            }
        }
    });
    for_active_blocks([&](const CellNeighbours& near, std::size_t, std::size_t base) {
        for (int c = 0; c < kCells; ++c) {
            const std::size_t e = base + std::size_t(c);
            for (std::size_t p = 0; p < 3; ++p) {
                double sum = 0;
                if (face_[p][e] == unknown) {
                    // Component p is first in pair p and second in the pair before it.
                    const std::size_t other = (p + 2) % 3;
                    sum = mass_[p * cells_ + e] * u[p][e] + normal_stress_[p][std::size_t(near.lower(c, p))] -
                          normal_stress_[p][e] + a_stress_[p][e] -
                          a_stress_[p][std::size_t(near.upper(c, kSecond[p]))] + b_stress_[other][e] -
                          b_stress_[other][std::size_t(near.upper(c, kFirst[other]))];
                }
                out[p * cells_ + e] = sum;
            }
        }
    });
}

}  // namespace rivulet::liquid
