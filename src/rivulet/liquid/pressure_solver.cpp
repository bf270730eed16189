#include <rivulet/liquid/pressure_solver.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/linear/components.h>
#include <rivulet/linear/multigrid.h>
#include <rivulet/linear/pcg.h>
#include <rivulet/liquid/solver_cells.h>
#include <rivulet/liquid/solver_terms.h>

namespace rivulet::liquid {
namespace {

constexpr std::size_t kGridCells = grid::kBlockCells;

/// Net wall flux into a closed pocket, over the sum of its parts' sizes, that still counts as rounding of the
/// cut cells (a full container that is carried or turned) and is spread over the pocket.
constexpr double kSqueezeTolerance = 0.05;
/// A squeeze by less than this part of the pocket per second is rounding too.
constexpr double kLeastSqueeze = 1e-6;  // 1/s
/// Smaller pockets are liquid caught where moving walls nearly touch: gaps the grid does not see let it out,
/// so they are balanced, never refused.
constexpr std::size_t kLeastContainer = 64;  // cells

/// Pressures this far below the limit, in parts of the largest pressure, do not make liquid leave a wall (in
/// a tank one metre deep, a millimetre of water); and rates this small, in parts of the largest rate, do not
/// bring it back.
constexpr double kSeparationTolerance = 1e-3, kReturnTolerance = 1e-4;
/// Relative residual at which it is known well enough which walls pull.
constexpr double kPauseTolerance = 1e-3;

/// The system on solver blocks of Edge³ cells; only blocks with liquid exist.
template <int Edge>
class BlockSolver {
 public:
    PressureReport solve(const grid::Topology& topology, const PressureSystem& system,
                         const PressureOptions& options, grid::Field& pressure) {
        begin(topology, system);
        find_wall_cells(system);
        return solve_begun(topology, system, options, pressure);
    }

    PressureReport solve_again(const grid::Topology& topology, const PressureSystem& system,
                               const PressureOptions& options, grid::Field& pressure) {
        copy_rhs(system);
        for (WallCell& cell : wall_cells_) cell.flips = 0;
        return solve_begun(topology, system, options, pressure);
    }

    void begin(const grid::Topology& topology, const PressureSystem& system) {
        map_.lay_out(topology, system.liquid);
        copy_system(system);
        components_.find(layout(), matrix_);
        gather_terms(system);
        cells_ = count_cells();
        prepared_ = false;
    }
    void begin_approximate(const grid::Topology& topology, const PressureSystem& system) {
        begin(topology, system);
        if (!x_.empty()) multigrid_.build(layout(), matrix_);
    }
    void balance(std::span<double> rhs) {
        if (x_.empty()) return;
        take_balanced(rhs);
        map_.for_each_row([&](std::size_t from, std::size_t to) {
            for (std::size_t i = 0; i < grid::kBlockEdge; ++i) rhs[to + i] = b_[from + i];
        });
    }
    void approximate(std::span<const double> rhs, std::span<double> pressure) {
        if (x_.empty()) return;
        take_balanced(rhs);
        multigrid_.apply(b_, x_);
        map_.for_each_row([&](std::size_t from, std::size_t to) {
            for (std::size_t i = 0; i < grid::kBlockEdge; ++i) pressure[to + i] = x_[from + i];
        });
    }

 private:
    PressureReport solve_begun(const grid::Topology& topology, const PressureSystem& system,
                               const PressureOptions& options, grid::Field& pressure) {
        PressureReport report;
        report.cells = cells_;
        report.released = released_cells_.size();
        report.closed_pockets = closed_count_;
        refuse_squeezed(system);
        balance_pockets();
        for (WallCell& cell : wall_cells_) cell.rhs = b_[cell.entry];
        for (int pass = 0;; ++pass) {
            const bool may_change = pass < options.most_separations;
            const bool paused = run_pcg(options, may_change, report);
            if (!paused) {
                raise_pockets();
                if (!may_change || !update_released(report)) break;
            }
            ++report.separation_passes;
        }
        scatter(topology.cells(), pressure);
        return report;
    }

    static constexpr std::size_t kCells = linear::kBlockCells<Edge>;

    const linear::BlockLayout& layout() const { return map_.layout(); }

    /// A cell that may leave its wall.
    struct WallCell {
        std::size_t entry;
        double least_pressure, rhs = 0;
        bool released = false;
        std::uint8_t flips = 0;  // how often that changed
    };

    void copy_system(const PressureSystem& system) {
        const std::size_t n = layout().size() * kCells;
        const bool stores = !system.storage.empty();
        matrix_.resize(n, stores);
        for (auto* v : {&b_, &x_}) v->resize(n);
        linear::for_each_block(layout(), [&](std::size_t block) {
            const std::size_t begin = block * kCells, end = begin + kCells;
            for (std::size_t i = begin; i < end; ++i) {
                for (auto& c : matrix_.coupling) c[i] = 0;
                matrix_.surface[i] = x_[i] = 0;
                if (stores) matrix_.storage[i] = 0;
            }
        });
        map_.for_each_row([&](std::size_t to, std::size_t from) {
            for (std::size_t i = 0; i < grid::kBlockEdge; ++i) {
                if (!system.liquid[from + i]) continue;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    matrix_.coupling[axis][to + i] = system.coupling[axis][from + i];
                matrix_.surface[to + i] = system.surface[from + i];
                if (stores) matrix_.storage[to + i] = system.storage[from + i];
            }
        });
        linear::finish_diagonal<Edge>(matrix_, layout());
        copy_rhs(system);
    }

    void copy_rhs(const PressureSystem& system) {
        linear::for_entries(b_.size(), [&](std::size_t i) { b_[i] = 0; });
        map_.for_each_row([&](std::size_t to, std::size_t from) {
            for (std::size_t i = 0; i < grid::kBlockEdge; ++i)
                if (system.liquid[from + i]) b_[to + i] = system.rhs[from + i];
        });
    }

    void take_balanced(std::span<const double> rhs) {
        map_.for_each_row([&](std::size_t to, std::size_t from) {
            for (std::size_t i = 0; i < grid::kBlockEdge; ++i)
                b_[to + i] = matrix_.diagonal[to + i] > 0 ? rhs[from + i] : 0.0;
        });
        balance_pockets();
    }

    void find_wall_cells(const PressureSystem& system) {
        released_cells_.clear();
        wall_cells_.clear();
        map_.for_cells([&](std::size_t cell) { return system.liquid[cell] && system.can_leave(cell); },
                       [&](std::size_t entry, std::size_t cell) {
                           wall_cells_.push_back({entry, system.least_pressure(cell)});
                       });
    }

    /// Extra terms, and which pockets they give a level.
    void gather_terms(const PressureSystem& system) {
        terms_.gather(system.terms, [&](std::size_t cell) {
            return system.liquid[cell] ? map_.entry(cell) : SolverTerms::kNone;
        });
        closed_.assign(components_.count(), 0);
        for (std::size_t c = 0; c < components_.count(); ++c) closed_[c] = components_.is_singular(c);
        yielding_.assign(components_.count(), 0);
        terms_.for_levels([&](std::size_t entry) {
            const auto c = std::size_t(components_.of(entry));
            yielding_[c] = components_.is_singular(c);
            closed_[c] = 0;
        });
        closed_count_ = std::size_t(std::count(closed_.begin(), closed_.end(), 1));
    }
    bool is_closed(std::int32_t component) const {
        return component >= 0 && closed_[std::size_t(component)] != 0;
    }

    /// ap ← A p without released cells.
    void multiply(std::span<const double> p, std::span<double> ap) {
        linear::multiply<Edge>(matrix_, layout(), p, ap);
        terms_.add(p, ap);
    }

    /// NOTE: where a closed pocket's walls yield a little, its constant is nearly singular: CG that has its
    /// mean taken out stops at 1e-1, and one that has not needs tens of iterations. Solved directly it needs
    /// none.
    void find_deflation() {
        deflation_.clear();
        if (terms_.empty()) return;
        const auto add = [&](std::span<double> z) {
            for (const std::size_t i : released_cells_) z[i] = 0;
            deflation_.add(z, [&](std::span<const double> v, std::span<double> av) {
                multiply(v, av);
                for (const std::size_t i : released_cells_) av[i] = 0;
            });
        };
        for (std::size_t c = 0; c < components_.count(); ++c) {
            if (!yielding_[c]) continue;
            constant_.assign(x_.size(), 0.0);
            for (std::size_t i = 0; i < x_.size(); ++i)
                if (components_.of(i) == std::int32_t(c)) constant_[i] = 1;
            add(constant_);
        }
        terms_.for_modes(x_.size(), add);
    }

    std::size_t count_cells() const {
        return ordered_reduce(
            matrix_.diagonal.size(), 16384, std::size_t{0},
            [&](std::size_t begin, std::size_t end) {
                std::size_t count = 0;
                for (std::size_t i = begin; i < end; ++i) count += matrix_.diagonal[i] > 0;
                return count;
            },
            [](std::size_t a, std::size_t b) { return a + b; });
    }

    void refuse_squeezed(const PressureSystem& system) {
        if (closed_count_ == 0 || system.wall_flux.empty()) return;
        work_.resize(b_.size());
        std::fill(work_.ap.begin(), work_.ap.end(), 0.0);
        map_.for_each_row([&](std::size_t to, std::size_t from) {
            for (std::size_t i = 0; i < grid::kBlockEdge; ++i)
                if (system.liquid[from + i]) work_.ap[to + i] = system.wall_flux[from + i];
        });
        components_.sums(work_.ap, net_);
        for (double& flux : work_.ap) flux = std::abs(flux);
        components_.sums(work_.ap, gross_);
        for (std::size_t c = 0; c < components_.count(); ++c)
            if (is_closed(std::int32_t(c)) && components_.size_of(c) >= kLeastContainer &&
                -net_[c] > kSqueezeTolerance * gross_[c] &&
                -net_[c] > kLeastSqueeze * static_cast<double>(components_.size_of(c)))
                throw StepFailed(
                    "liquid",
                    fmt::format(
                        "a closed space of {} cells is full and its walls move inward, {:.3g} cells of "
                        "liquid per second have nowhere to go; leave a free surface or an outlet",
                        components_.size_of(c), -net_[c]),
                    -net_[c]);
    }

    /// Makes the right-hand side of every closed pocket sum to zero.
    void balance_pockets() {
        if (closed_count_ == 0) return;
        components_.sums(b_, sum_);
        for (std::size_t i = 0; i < b_.size(); ++i)
            if (const std::int32_t c = components_.of(i); is_closed(c))
                b_[i] -= sum_[std::size_t(c)] / double(components_.size_of(std::size_t(c)));
    }

    /// The level of a closed pocket is free: its lowest pressure becomes 0.
    void raise_pockets() {
        if (closed_count_ == 0 || !released_cells_.empty()) return;
        sum_.assign(components_.count(), std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (const std::int32_t c = components_.of(i); c >= 0)
                sum_[std::size_t(c)] = std::min(sum_[std::size_t(c)], x_[i]);
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (const std::int32_t c = components_.of(i); is_closed(c)) x_[i] -= sum_[std::size_t(c)];
    }

    /// Solves with the walls that are released now. While they may change, which ones pull is looked at on
    /// the way: true when that has changed and the solve stopped there.
    bool run_pcg(const PressureOptions& options, bool may_change, PressureReport& report) {
        if (x_.empty()) return false;
        if (!prepared_) {
            multigrid_.build(layout(), matrix_, released_cells_);
            find_deflation();
        }
        prepared_ = true;
        // A released cell has p = 0 and no equation. Its neighbours' diagonals count the way to it already.
        for (const WallCell& cell : wall_cells_) b_[cell.entry] = cell.released ? 0 : cell.rhs;
        for (const std::size_t i : released_cells_) x_[i] = 0;
        const auto without_released = [&](std::span<const double> p, std::span<double> ap) {
            multiply(p, ap);
            for (const std::size_t i : released_cells_) ap[i] = 0;
        };
        if (deflation_.size() > 0) {
            work_.resize(x_.size());
            without_released(x_, work_.ap);
            linear::for_entries(x_.size(), [&](std::size_t i) { work_.r[i] = b_[i] - work_.ap[i]; });
            deflation_.start(work_.r, x_);
        }
        const auto result = linear::pcg(
            without_released,
            [&](std::span<const double> r, std::span<double> z) {
                multigrid_.apply(r, z);
                deflation_.project(z);
            },
            b_, x_, work_, {options.tolerance, options.most_iterations, may_change ? kPauseTolerance : 0.0},
            [&] {
                raise_pockets();
                return update_released(report);
            });
        report.iterations += result.iterations;
        // CG itself: product 6 arrays, its dot 2, directions 3, update 6, dot 2.
        report.bytes_per_iteration = double(multigrid_.bytes_per_cycle() + x_.size() * 19 * sizeof(double));
        report.relative_residual = result.relative_residual;
        if (!result.converged && !result.paused)
            throw StepFailed("liquid",
                             fmt::format("pressure not found: residual {:.2g} after {} iterations",
                                         result.relative_residual, result.iterations),
                             result.relative_residual);
        return result.paused;
    }

    /// Lets go of walls that pull, takes back cells that fill again. False when nothing changes.
    bool update_released(PressureReport& report) {
        const std::size_t n = x_.size();
        const double p_scale = parallel_max(n, 0, [&](std::size_t i) { return std::abs(x_[i]); });
        double b_scale = parallel_max(n, 0, [&](std::size_t i) { return std::abs(b_[i]); });
        for (const WallCell& cell : wall_cells_) b_scale = std::max(b_scale, std::abs(cell.rhs));
        if (report.released > 0) {
            work_.resize(n);
            multiply(x_, work_.ap);
        }
        bool changed = false;
        released_cells_.clear();
        for (WallCell& cell : wall_cells_) {
            const std::size_t i = cell.entry;
            const bool flips =
                cell.released
                    ? work_.ap[i] - cell.rhs < -kReturnTolerance * b_scale
                    : matrix_.diagonal[i] > 0 && x_[i] < cell.least_pressure - kSeparationTolerance * p_scale;
            if (flips && cell.flips < 2) {
                cell.released = !cell.released;
                ++cell.flips;
                changed = true;
            }
            if (cell.released) released_cells_.push_back(i);
        }
        report.released = released_cells_.size();
        if (changed) prepared_ = false;
        return changed;
    }

    void scatter(std::size_t cells, grid::Field& pressure) const {
        grid::fill(pressure, cells, 0.0);
        map_.for_each_row([&](std::size_t from, std::size_t to) {
            for (std::size_t i = 0; i < grid::kBlockEdge; ++i) pressure[to + i] = x_[from + i];
        });
    }

    SolverCells<Edge> map_;
    linear::BlockOperator<double> matrix_;
    linear::AlignedVector<double> b_, x_;  // b is 0 in released cells
    std::vector<WallCell> wall_cells_;
    std::vector<std::size_t> released_cells_;
    std::vector<double> sum_, net_, gross_;
    linear::Components<Edge> components_;
    SolverTerms terms_;
    std::vector<std::uint8_t> closed_, yielding_;  // by component: without a level; with one by a term only
    std::size_t closed_count_ = 0;
    linear::Deflation deflation_;
    linear::AlignedVector<double> constant_;
    linear::Multigrid<Edge> multigrid_;
    std::size_t cells_ = 0;
    bool prepared_ = false;  // the multigrid is that of the matrix and the released cells
    linear::PcgWorkspace work_;
};

/// Blocks of 8³ cells are worked on faster per cell, but carry air along where liquid is thin.
constexpr double kNarrowCost = 1.7;

/// Whether to solve on blocks of 8³ cells rather than 4³.
bool prefers_wide(const grid::Topology& topology, const PressureSystem& system) {
    const Vec3i& p = topology.period;
    if (p.x % 8 != 0 || p.y % 8 != 0 || p.z % 8 != 0) return false;
    std::size_t narrow = 0, wide = 0;
    Vec3i last{std::numeric_limits<int>::max(), 0, 0};
    for (std::size_t g = 0; g < topology.size(); ++g) {
        if (!any_liquid(system.liquid.data() + g * kGridCells)) continue;
        const Vec3i& corner = topology.corner[g];
        const Vec3i at{corner.x >> 3, corner.y >> 3, corner.z >> 3};
        ++narrow;
        wide += at != last;
        last = at;
    }
    return kNarrowCost * double(narrow) >= 8 * double(wide);
}

}  // namespace

struct PressureSolver::Memory {
    BlockSolver<8> wide;
    BlockSolver<4> narrow;
    bool is_wide = true;

    template <class F>
    auto visit(F&& use) {
        return is_wide ? use(wide) : use(narrow);
    }
};

PressureSolver::PressureSolver() : memory_(std::make_unique<Memory>()) {}
PressureSolver::~PressureSolver() = default;
PressureSolver::PressureSolver(PressureSolver&&) noexcept = default;
PressureSolver& PressureSolver::operator=(PressureSolver&&) noexcept = default;

PressureReport PressureSolver::solve(const grid::Topology& topology, const PressureSystem& system,
                                     const PressureOptions& options, grid::Field& pressure) {
    memory_->is_wide = prefers_wide(topology, system);
    return memory_->visit([&](auto& solver) { return solver.solve(topology, system, options, pressure); });
}

PressureReport PressureSolver::solve_again(const grid::Topology& topology, const PressureSystem& system,
                                           const PressureOptions& options, grid::Field& pressure) {
    return memory_->visit(
        [&](auto& solver) { return solver.solve_again(topology, system, options, pressure); });
}

void PressureSolver::begin_approximate(const grid::Topology& topology, const PressureSystem& system) {
    memory_->is_wide = prefers_wide(topology, system);
    memory_->visit([&](auto& solver) { solver.begin_approximate(topology, system); });
}

void PressureSolver::approximate(std::span<const double> rhs, std::span<double> pressure) {
    memory_->visit([&](auto& solver) { solver.approximate(rhs, pressure); });
}

void PressureSolver::balance(std::span<double> rhs) {
    memory_->visit([&](auto& solver) { solver.balance(rhs); });
}

void Projection::press(const PressureDomain& domain, grid::FaceField& velocity, grid::Field& pressure) {
    const grid::Field &rebound = *domain.rebound, &compliance = *domain.compliance;
    const auto for_liquid = [&](auto&& value) {
        grid::fill(pressure, domain.topology.cells(), 0.0);
        for (std::size_t c = 0; c < pressure.size(); ++c)
            if (system_.liquid[c] && compliance[c] > 0) pressure[c] = value(c) / compliance[c];
    };
    for_liquid([&](std::size_t c) { return rebound[c]; });
    flow_divergence(domain, system_, velocity, apply(domain, pressure, velocity), divergence_);
    for_liquid([&](std::size_t c) { return rebound[c] - divergence_[c]; });
}

const grid::FaceField& Projection::apply(const PressureDomain& domain, const grid::Field& pressure,
                                         grid::FaceField& velocity) {
    apply_pressure(domain, system_, pressure, velocity, others_);
    return domain.flow.answer()[0].empty() ? domain.others_flux() : others_;
}

PressureReport Projection::project(const PressureDomain& domain, const PressureOptions& options,
                                   grid::FaceField& velocity, grid::Field& pressure) {
    assemble(domain);
    return project_assembled(domain, options, velocity, pressure);
}

PressureReport Projection::project_assembled(const PressureDomain& domain, const PressureOptions& options,
                                             grid::FaceField& velocity, grid::Field& pressure) {
    assemble_rhs(domain, velocity, system_);
    return finish(domain, options, solver_.solve(domain.topology, system_, options, pressure), velocity,
                  pressure);
}

PressureReport Projection::project_again(const PressureDomain& domain, const PressureOptions& options,
                                         grid::FaceField& velocity, grid::Field& pressure) {
    assemble_rhs(domain, velocity, system_);
    return finish(domain, options, solver_.solve_again(domain.topology, system_, options, pressure), velocity,
                  pressure);
}

PressureReport Projection::finish(const PressureDomain& domain, const PressureOptions& options,
                                  PressureReport report, grid::FaceField& velocity,
                                  const grid::Field& pressure) {
    const grid::FaceField& others = apply(domain, pressure, velocity);
    if (!options.measure) return report;
    flow_divergence(domain, system_, velocity, others, divergence_);
    add_terms(system_, pressure, divergence_);
    add_terms(system_, domain.acting, divergence_);
    const auto error = [&](std::size_t i) {
        if (!system_.liquid[i] || (pressure[i] == 0 && system_.can_leave(i))) return 0.0;  // let go
        double wanted = domain.expansion ? (*domain.expansion)[i] : 0.0;
        if (domain.compliance) wanted += (*domain.rebound)[i] - (*domain.compliance)[i] * pressure[i];
        return std::abs(divergence_[i] - wanted);
    };
    report.max_divergence = parallel_max(domain.topology.size(), 0, [&](std::size_t b) {
        double most = 0;
        if (!any_liquid(system_.liquid.data() + b * kGridCells)) return most;
        for (std::size_t i = b * kGridCells; i < (b + 1) * kGridCells; ++i) {
            const double e = error(i);
            most = e > most || e != e ? e : most;
            if (e != e) break;
        }
        return most;
    });
    return report;
}

}  // namespace rivulet::liquid
