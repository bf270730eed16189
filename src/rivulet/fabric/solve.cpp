#include <rivulet/fabric/solve.h>

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod_frame.h>
#include <rivulet/fabric/patches.h>
#include <rivulet/fabric/step_problem.h>
#include <rivulet/linear/pcg.h>

namespace rivulet::fabric {

namespace {

constexpr int kVerticesPerPatch = 36;
constexpr int kMostLinear = 3000;
/// Patches pay where blocks of the diagonal would take many iterations: where stiffness beats inertia.
constexpr double kStiffStep = 30;
constexpr int kMostHalvings = 30;

}  // namespace

struct Solver::Memory {
    const void* prepared = nullptr;  // the topology's arrays this is made for
    std::size_t triangles = 0;
    StepProblem problem;
    StepMatrix matrix;
    Patches patches;
    std::vector<Element> elements;
    std::vector<elastic::Voigt> across;
    std::vector<Vec3d> position, director, trial_position, trial_director, way;
    std::vector<Mat3d> inverse_block;
    std::vector<double> gradient, right, step;
    linear::PcgWorkspace work;

    void prepare(const Topology& t);
    void start(const FabricState& state, const Topology& t, const Motion& motion, double dt,
               bool guess_given);
    void move(const FabricState& state, const Topology& t, double part, double length);
    void invert_blocks();
    /// The Newton step from the present elements; false when the matrix is not positive.
    bool find_step(const FabricState& state, const Mesh& mesh, const SolveOptions& options, double dt,
                   SolveReport& report);
    bool factor_and_solve();
    double stiffness(const Mesh& mesh, double dt) const;
    double largest_change(double dt) const;
};

Solver::Solver() : memory_(std::make_unique<Memory>()) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::Memory::prepare(const Topology& t) {
    if (prepared == t.triangle.data() && triangles == t.triangles()) return;
    prepared = t.triangle.data();
    triangles = t.triangles();
    matrix.prepare(t);
    patches.prepare(t, matrix, kVerticesPerPatch);
    for (auto* v : {&position, &trial_position, &way}) v->resize(t.vertices);
    for (auto* v : {&director, &trial_director}) v->resize(t.edges());
    inverse_block.resize(t.vertices);
    for (auto* v : {&gradient, &right, &step}) v->resize(matrix.size());
}

/// Free flight, or the motion given; what is held is where it will be.
void Solver::Memory::start(const FabricState& state, const Topology& t, const Motion& motion, double dt,
                           bool guess_given) {
    parallel_chunks(t.vertices, 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v)
            position[v] = state.held.vertex[v] ? state.held.position[v]
                          : guess_given        ? state.position[v] + dt * motion.velocity[v]
                                               : problem.flown(v);
    });
    parallel_chunks(t.edges(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e) {
            const auto a = std::size_t(t.edge[e][0]), b = std::size_t(t.edge[e][1]);
            const Vec3d to = position[b] - position[a];
            if (state.held.edge[e])
                director[e] = elastic::squared_up(state.held.director[e], normalized(to));
            else if (guess_given)
                director[e] = elastic::squared_up(motion.director[e], normalized(to));
            else
                director[e] = carried(state.director[e], state.position[b] - state.position[a], to);
        }
    });
}

/// The place a part of the step away.
void Solver::Memory::move(const FabricState& state, const Topology& t, double part, double length) {
    parallel_chunks(t.vertices, 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            way[v] = part * Vec3d{step[3 * v], step[3 * v + 1], step[3 * v + 2]};
            trial_position[v] = position[v] + way[v];
        }
    });
    parallel_chunks(t.edges(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e) {
            const auto a = std::size_t(t.edge[e][0]), b = std::size_t(t.edge[e][1]);
            const Vec3d to = trial_position[b] - trial_position[a];
            trial_director[e] = carried(director[e], position[b] - position[a], to);
            if (!state.held.edge[e])
                trial_director[e] = elastic::turned(trial_director[e], normalized(to),
                                                    part * step[3 * t.vertices + e] / length);
        }
    });
}

void Solver::Memory::invert_blocks() {
    parallel_chunks(matrix.vertices(), 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) inverse_block[v] = inverse(matrix.diagonal_block(v));
    });
}

/// Largest stiffness over inertia of a vertex: how far the step is beyond what inertia alone would allow.
double Solver::Memory::stiffness(const Mesh& mesh, double dt) const {
    return parallel_max(mesh.mass.size(), 0, [&](std::size_t v) {
        return trace(matrix.diagonal_block(v)) * dt * dt / (3 * mesh.mass[v]);
    });
}

bool Solver::Memory::factor_and_solve() {
    std::vector<Eigen::Triplet<double>> entries;
    const int edges_at = int(3 * matrix.vertices());
    matrix.visit(
        [&](int v, int u, const Mat3d& a) {
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    if (3 * v + i >= 3 * u + j) entries.emplace_back(3 * v + i, 3 * u + j, a(i, j));
        },
        [&](int v, int e, const Vec3d& a) {
            for (int i = 0; i < 3; ++i) entries.emplace_back(edges_at + e, 3 * v + i, a[i]);
        },
        [&](int e, int f, double a) {
            if (e >= f) entries.emplace_back(edges_at + e, edges_at + f, a);
        });
    const auto n = Eigen::Index(matrix.size());
    Eigen::SparseMatrix<double> a(n, n);
    a.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(a);
    if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0)) return false;
    Eigen::Map<Eigen::VectorXd>(step.data(), n) =
        factor.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), n));
    return true;
}

bool Solver::Memory::find_step(const FabricState& state, const Mesh& mesh, const SolveOptions& options,
                               double dt, SolveReport& report) {
    matrix.gather(mesh.topology, elements, problem.diagonal(), problem.push(position), state.held.vertex,
                  state.held.edge, mesh.spacing, gradient);
    linear::for_entries(gradient.size(), [&](std::size_t i) { right[i] = -gradient[i]; });
    if (options.linear == Linear::factor) return factor_and_solve();
    invert_blocks();
    bool patched = options.linear == Linear::patches ||
                   (options.linear == Linear::best && stiffness(mesh, dt) > kStiffStep);
    if (patched)
        patched =
            patches.set(matrix, mesh.topology, position, state.held.vertex, state.held.edge, mesh.spacing);
    const std::size_t vertices = matrix.vertices();
    const auto precondition = [&](std::span<const double> r, std::span<double> z) {
        parallel_chunks(vertices, 2048, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t v = begin; v < end; ++v) {
                const Vec3d u = inverse_block[v] * Vec3d{r[3 * v], r[3 * v + 1], r[3 * v + 2]};
                for (int c = 0; c < 3; ++c) z[3 * v + std::size_t(c)] = u[c];
            }
        });
        linear::for_entries(matrix.edges(), [&](std::size_t e) {
            z[3 * vertices + e] = r[3 * vertices + e] / matrix.diagonal_entry(e);
        });
        if (patched) patches.add(r, z);
    };
    const linear::PcgResult result = linear::pcg<double>(
        [&](std::span<const double> x, std::span<double> ax) { matrix.multiply(x, ax); }, precondition, right,
        step, work,
        {.tolerance = options.linear_tolerance, .most_iterations = kMostLinear, .from_zero = true});
    report.linear_iterations += result.iterations;
    return result.converged;
}

double Solver::Memory::largest_change(double dt) const {
    return parallel_max(matrix.vertices(), 0,
                        [&](std::size_t v) {
                            return squared_length(Vec3d{step[3 * v], step[3 * v + 1], step[3 * v + 2]});
                        }) /
           (dt * dt);
}

SolveReport Solver::solve(const FabricState& state, const Mesh& mesh,
                          std::span<const FabricMaterial> materials, const elastic::PointLoads& loads,
                          double dt, Motion& motion, const SolveOptions& options) {
    SolveReport report;
    const Topology& t = mesh.topology;
    Memory& m = *memory_;
    m.prepare(t);
    m.problem.begin(state, mesh, materials, loads, dt);
    m.start(state, t, motion, dt, options.guess_given);
    m.problem.predict_stress(m.position, {}, m.across);
    double value = m.problem.evaluate(m.position, m.director, m.across, m.elements);
    for (;;) {
        if (report.iterations == options.most_iterations || !std::isfinite(value))
            throw StepFailed("cloth",
                             fmt::format("its motion was not found in {} iterations", report.iterations));
        if (!m.find_step(state, mesh, options, dt, report)) {
            m.problem.limit_compression(m.across);
            m.problem.evaluate(m.position, m.director, m.across, m.elements);
            ++report.not_positive;
            if (!m.find_step(state, mesh, options, dt, report))
                throw StepFailed("cloth", "the linear system has no finite solution");
        }
        ++report.iterations;
        report.change = std::sqrt(m.largest_change(dt));
        const double slope = linear::dot(m.gradient, m.step);
        double part = 1;
        m.move(state, t, part, mesh.spacing);
        if (report.change <= options.tolerance) break;
        for (int halving = 0;; ++halving, part *= 0.5) {
            if (halving > 0) m.move(state, t, part, mesh.spacing);
            m.problem.predict_stress(m.position, m.way, m.across);
            const double there = m.problem.evaluate(m.trial_position, m.trial_director, m.across, m.elements);
            // NOTE: near the minimum values differ by less than they are rounded.
            if (there <= value + 1e-4 * part * slope + 1e-13 * std::abs(value) || halving == kMostHalvings) {
                value = there;
                break;
            }
        }
        std::swap(m.position, m.trial_position);
        std::swap(m.director, m.trial_director);
    }
    motion.velocity.resize(t.vertices);
    parallel_chunks(t.vertices, 1024, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v)
            motion.velocity[v] = (m.trial_position[v] - state.position[v]) / dt;
    });
    motion.director.assign(m.trial_director.begin(), m.trial_director.end());
    m.problem.mend_momentum(motion.velocity);
    return report;
}

std::size_t Solver::memory() const {
    const Memory& m = *memory_;
    return m.matrix.memory() + m.patches.memory() + m.elements.size() * sizeof(Element) +
           m.across.size() * 3 * sizeof(elastic::Voigt) +
           (4 * m.position.size() + 2 * m.director.size()) * sizeof(Vec3d) +
           2 * m.position.size() * sizeof(Mat3d) + 6 * m.gradient.size() * sizeof(double);
}

void commit(FabricState& state, const Topology& topology, const Motion& motion, double dt) {
    parallel_chunks(state.vertex_count(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            state.velocity[v] = motion.velocity[v];
            state.position[v] += dt * motion.velocity[v];
        }
    });
    parallel_chunks(topology.edges(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e) {
            const auto [a, b] = topology.edge[e];
            state.director[e] = elastic::squared_up(
                motion.director[e],
                normalized(state.position[std::size_t(b)] - state.position[std::size_t(a)]));
        }
    });
}

}  // namespace rivulet::fabric
