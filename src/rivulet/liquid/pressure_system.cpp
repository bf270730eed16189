#include <rivulet/liquid/pressure_system.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/liquid/cell_outflow.h>
#include <rivulet/liquid/solver_terms.h>

namespace rivulet::liquid {
namespace {

constexpr std::size_t kBlocksPerTask = 64;
constexpr std::size_t kCells = grid::kBlockCells;

/// body(neighbours, entry of the block's first cell) for every block, in parallel.
template <class F>
void for_each_block(const grid::Topology& topology, F&& body) {
    parallel_chunks(topology.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) body(CellNeighbours(topology, b), b * kCells);
    });
}

constexpr std::size_t kNoCell = std::size_t(-1);

/// visit(entry, entry below or kNoCell) for the lower faces of a block with liquid on a side.
template <class F>
void for_wet_faces(const std::uint8_t* liquid, const CellNeighbours& near, std::size_t base, std::size_t axis,
                   F&& visit) {
    const auto read_row = [&](std::size_t e) {
        std::uint32_t row;
        static_assert(sizeof row == grid::kBlockEdge);
        std::memcpy(&row, liquid + e, sizeof row);
        return row;
    };
    for (int c = 0; c < int(kCells); c += grid::kBlockEdge) {
        const std::size_t e = base + std::size_t(c);
        const std::ptrdiff_t low = near.lower(c, axis);
        const std::size_t below = low < 0 ? kNoCell : std::size_t(low);
        const std::uint32_t here = read_row(e);
        std::uint32_t under = 0;
        if (axis == 0)
            under = here << 8 | (low < 0 ? 0u : std::uint32_t{liquid[below]});
        else if (low >= 0)
            under = read_row(below);
        // A byte is 0 or 1.
        for (std::uint32_t wet = here | under; wet != 0; wet &= wet - 1) {
            const std::size_t i = std::size_t(std::countr_zero(wet)) / 8;
            if (axis == 0)
                visit(e + i, i == 0 ? below : e + i - 1);
            else
                visit(e + i, low < 0 ? kNoCell : below + i);
        }
    }
}

/// Which of `known` (or kNoWall) and the wall at a face lets go first: the one that holds less.
std::uint8_t sooner_left(const grid::FaceBoundary& boundary, std::size_t axis, std::size_t face,
                         std::uint8_t known) {
    const std::uint8_t wall = boundary.wall[axis][face];
    if (boundary.open[axis][face] >= 1 || wall >= boundary.rules.size() || !boundary.rules[wall].separate)
        return known;
    return known != grid::FaceBoundary::kNoWall &&
                   boundary.rules[known].adhesion <= boundary.rules[wall].adhesion
               ? known
               : wall;
}

/// p(e) − p(below) over the part of the way between two cells that is liquid; one of them is.
double pressure_rise(const PressureDomain& domain, const PressureSystem& system, std::span<const double> p,
                     std::size_t e, std::size_t below) {
    const bool liquid_above = system.liquid[e], liquid_below = below != kNoCell && system.liquid[below];
    if (liquid_above && liquid_below) return p[e] - p[below];
    if (liquid_above) {
        const double t = domain.way_to_surface(e, below);
        return (p[e] - domain.pressure_at_surface(e, below, t)) / t;
    }
    const double t = domain.way_to_surface(below, e);
    return (domain.pressure_at_surface(below, e, t) - p[below]) / t;
}

/// How a face's flux, per cell width, answers a pressure difference: coupling of the matrix [1/(Pa s)].
class FaceWeights {
 public:
    explicit FaceWeights(const PressureDomain& domain)
        : flow_(domain.flow),
          carried_(domain.flow.carried()),
          answer_(domain.flow.answer()),
          answers_(!answer_[0].empty()),
          scale_(domain.dt / (domain.topology.cell * domain.topology.cell)) {}
    double operator()(std::size_t axis, std::size_t face) const {
        double weight = 0;
        if (carried_[axis][face] > 0) weight = scale_ * carried_[axis][face] / flow_.inertia(axis, face);
        if (answers_) weight += scale_ * answer_[axis][face];
        return weight;
    }
    /// Whether there is any, without the price of it.
    bool any(std::size_t axis, std::size_t face) const {
        return carried_[axis][face] > 0 || (answers_ && answer_[axis][face] > 0);
    }

 private:
    const grid::FaceFlow& flow_;
    const grid::FaceField &carried_, &answer_;
    bool answers_;
    double scale_;
};

/// What pressures given at the surface add to the right-hand side of a cell [1/s].
double surface_push(const PressureDomain& domain, const PressureSystem& system, const FaceWeights& weight,
                    const CellNeighbours& near, int c, std::size_t e) {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t sides[2] = {std::size_t(near.lower(c, axis)), std::size_t(near.upper(c, axis))};
        for (int side = 0; side < 2; ++side) {
            const std::size_t other = sides[side];
            const double w = weight(axis, side == 0 ? e : other);
            if (system.liquid[other] || w == 0) continue;
            const double t = domain.way_to_surface(e, other);
            sum += w / t * domain.pressure_at_surface(e, other, t);
        }
    }
    return sum;
}

/// Cells with liquid and a face whose flux answers a pressure: others have nothing that a pressure could do.
void find_liquid(const PressureDomain& domain, PressureSystem& system) {
    const grid::Topology& topology = domain.topology;
    const grid::Field& phi = domain.liquid_distance;
    const FaceWeights weight(domain);
    const std::size_t at_edge = ordered_reduce(
        topology.size(), kBlocksPerTask, std::size_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::size_t lost = 0;
            for (std::size_t b = begin; b < end; ++b) {
                const CellNeighbours near(topology, b);
                for (int c = 0; c < int(kCells); ++c) {
                    const std::size_t e = b * kCells + std::size_t(c);
                    system.liquid[e] = 0;
                    if (!(phi[e] < 0)) continue;
                    bool answers = false, inside = true;
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        const std::ptrdiff_t up = near.upper(c, axis);
                        inside = inside && up >= 0 && near.lower(c, axis) >= 0;
                        answers =
                            answers || weight.any(axis, e) || (up >= 0 && weight.any(axis, std::size_t(up)));
                    }
                    if (!answers) continue;
                    lost += !inside;
                    system.liquid[e] = inside;
                }
            }
            return lost;
        },
        [](std::size_t a, std::size_t b) { return a + b; });
    if (at_edge > 0)
        throw StepFailed("liquid", std::to_string(at_edge) + " cells reach the edge of the grid");
}

}  // namespace

void assemble_matrix(const PressureDomain& domain, PressureSystem& system) {
    system.wall_pull = domain.wall_pull;
    system.terms.assign(domain.terms.begin(), domain.terms.end());
    const grid::Topology& topology = domain.topology;
    const std::size_t n = topology.cells();
    for (auto& c : system.coupling) c.resize(n);
    system.surface.resize(n);
    system.storage.resize(domain.compliance ? n : 0);
    system.liquid.resize(n);
    system.leaves.resize(n);
    system.rules = domain.boundary.rules;

    find_liquid(domain, system);
    const FaceWeights weight(domain);
    for_each_block(topology, [&](const CellNeighbours& near, std::size_t base) {
        if (!any_liquid(system.liquid.data() + base)) {
            for (auto& coupling : system.coupling) std::fill_n(coupling.data() + base, kCells, 0.0);
            std::fill_n(system.surface.data() + base, kCells, 0.0);
            if (domain.compliance) std::fill_n(system.storage.data() + base, kCells, 0.0);
            std::fill_n(system.leaves.data() + base, kCells, grid::FaceBoundary::kNoWall);
            return;
        }
        for (int c = 0; c < int(kCells); ++c) {
            const std::size_t e = base + std::size_t(c);
            if (!system.liquid[e]) {
                for (auto& coupling : system.coupling) coupling[e] = 0;
                system.surface[e] = 0;
                if (domain.compliance) system.storage[e] = 0;
                system.leaves[e] = grid::FaceBoundary::kNoWall;
                continue;
            }
            double surface = 0;
            std::uint8_t leaves = grid::FaceBoundary::kNoWall;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                double joined = 0;
                const std::ptrdiff_t sides[2] = {near.lower(c, axis), near.upper(c, axis)};
                for (int side = 0; side < 2; ++side) {
                    const std::size_t other = std::size_t(sides[side]), face = side == 0 ? e : other;
                    leaves = sooner_left(domain.boundary, axis, face, leaves);
                    const double w = weight(axis, face);
                    if (w == 0) continue;
                    if (!system.liquid[other])
                        surface += w / domain.way_to_surface(e, other);
                    else if (side == 0)
                        joined = w;
                }
                system.coupling[axis][e] = joined;
            }
            if (domain.compliance) system.storage[e] = (*domain.compliance)[e];
            system.surface[e] = surface;
            system.leaves[e] = leaves;
        }
    });
}

void assemble_rhs(const PressureDomain& domain, const grid::FaceField& velocity, PressureSystem& system) {
    const grid::Topology& topology = domain.topology;
    const grid::FaceField &carried = domain.flow.carried(), &others = domain.others_flux();
    const FaceWeights weight(domain);
    const auto of_liquid = [&](std::size_t axis, std::size_t face) {
        return carried[axis][face] * velocity[axis][face];
    };
    const auto of_others = [&](std::size_t axis, std::size_t face) { return others[axis][face]; };
    const double inverse = 1 / topology.cell;
    system.rhs.resize(topology.cells());
    const bool moving = !others[0].empty();
    system.wall_flux.resize(moving ? topology.cells() : 0);
    for_each_block(topology, [&](const CellNeighbours& near, std::size_t base) {
        if (!any_liquid(system.liquid.data() + base)) {
            std::fill_n(system.rhs.data() + base, kCells, 0.0);
            if (moving) std::fill_n(system.wall_flux.data() + base, kCells, 0.0);
            return;
        }
        for (int c = 0; c < int(kCells); ++c) {
            const std::size_t e = base + std::size_t(c);
            system.rhs[e] = 0;
            if (moving) system.wall_flux[e] = 0;
            if (!system.liquid[e]) continue;
            const double through = cell_outflow(near, c, e, of_liquid);
            const double walls = moving ? cell_outflow(near, c, e, of_others) : 0.0;
            const double surface =
                domain.surface_pressure ? surface_push(domain, system, weight, near, c, e) : 0.0;
            if (moving) system.wall_flux[e] = walls * inverse;
            system.rhs[e] = surface - (through + walls) * inverse;
            if (domain.expansion) system.rhs[e] += (*domain.expansion)[e];
            if (domain.rebound) system.rhs[e] += (*domain.rebound)[e];
        }
    });
    if (!domain.acting.empty() && !system.terms.empty()) {
        grid::Field yielded(topology.cells(), 0.0);
        add_terms(system, domain.acting, yielded);
        for (std::size_t e = 0; e < yielded.size(); ++e) system.rhs[e] -= yielded[e];
    }
}

void add_terms(const PressureSystem& system, std::span<const double> p, std::span<double> out) {
    if (system.terms.empty() || p.empty()) return;
    assert(p.size() == system.liquid.size() && out.size() == p.size());
    SolverTerms terms;
    terms.gather(system.terms,
                 [&](std::size_t cell) { return system.liquid[cell] ? cell : SolverTerms::kNone; });
    terms.add(p, out);
}

void apply_pressure(const PressureDomain& domain, const PressureSystem& system, const grid::Field& pressure,
                    grid::FaceField& velocity, grid::FaceField& others) {
    const grid::Topology& topology = domain.topology;
    const auto has_liquid = [&](std::ptrdiff_t block_base) {
        return block_base >= 0 && any_liquid(system.liquid.data() + block_base);
    };
    const auto stop_at_walls = [&](std::size_t base) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double* open = domain.boundary.open[axis].data() + base;
            double* u = velocity[axis].data() + base;
            if (domain.boundary.solid_velocity[axis].empty())
                for (std::size_t c = 0; c < kCells; ++c) u[c] = open[c] == 0 ? 0 : u[c];
            else
                for (std::size_t c = 0; c < kCells; ++c)
                    u[c] = open[c] == 0 ? domain.boundary.solid_velocity[axis][base + c] : u[c];
        }
    };
    for_each_block(topology, [&](const CellNeighbours& near, std::size_t base) {
        stop_at_walls(base);
        const bool wet = has_liquid(std::ptrdiff_t(base)) || has_liquid(near.block_below(0)) ||
                         has_liquid(near.block_below(1)) || has_liquid(near.block_below(2));
        if (!wet) return;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for_wet_faces(system.liquid.data(), near, base, axis, [&](std::size_t e, std::size_t below) {
                if (domain.boundary.open[axis][e] == 0) return;
                const double rise = pressure_rise(domain, system, pressure, e, below);
                velocity[axis][e] -= domain.dt / (domain.flow.inertia(axis, e) * topology.cell) * rise;
            });
    });
    if (domain.flow.answer()[0].empty()) return;
    others = domain.others_flux();
    answer_pressure(domain, system, pressure, others);
}

void answer_pressure(const PressureDomain& domain, const PressureSystem& system, std::span<const double> p,
                     grid::FaceField& flux) {
    const grid::FaceField& answer = domain.flow.answer();
    const double scale = domain.dt / domain.topology.cell;
    for_each_block(domain.topology, [&](const CellNeighbours& near, std::size_t base) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            for_wet_faces(system.liquid.data(), near, base, axis, [&](std::size_t e, std::size_t below) {
                flux[axis][e] -= scale * answer[axis][e] * pressure_rise(domain, system, p, e, below);
            });
    });
}

void pressure_impulse(const PressureDomain& domain, const PressureSystem& system, std::span<const double> p,
                      grid::FaceField& impulse) {
    const double scale = domain.dt / domain.topology.cell;
    grid::fill(impulse, domain.topology.cells(), 0.0);
    for_each_block(domain.topology, [&](const CellNeighbours& near, std::size_t base) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            for_wet_faces(system.liquid.data(), near, base, axis, [&](std::size_t e, std::size_t below) {
                if (domain.boundary.open[axis][e] == 0) return;
                impulse[axis][e] = scale * pressure_rise(domain, system, p, e, below);
            });
    });
}

void flow_divergence(const PressureDomain& domain, const PressureSystem& system,
                     const grid::FaceField& velocity, const grid::FaceField& others,
                     grid::Field& divergence) {
    const grid::FaceField& carried = domain.flow.carried();
    const bool moving = !others[0].empty();
    const auto of_all = [&](std::size_t axis, std::size_t face) {
        return carried[axis][face] * velocity[axis][face] + (moving ? others[axis][face] : 0.0);
    };
    divergence.resize(domain.topology.cells());
    for_each_block(domain.topology, [&](const CellNeighbours& near, std::size_t base) {
        if (!any_liquid(system.liquid.data() + base)) {
            std::fill_n(divergence.data() + base, kCells, 0.0);
            return;
        }
        for (int c = 0; c < int(kCells); ++c) {
            const std::size_t e = base + std::size_t(c);
            divergence[e] = 0;
            if (!system.liquid[e]) continue;
            divergence[e] = cell_outflow(near, c, e, of_all) / domain.topology.cell;
        }
    });
}

}  // namespace rivulet::liquid
