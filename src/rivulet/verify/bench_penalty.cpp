#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/contact/bridge_curve.h>
#include <rivulet/contact/penalty.h>
#include <rivulet/contact/penalty_solver.h>
#include <rivulet/contact/strand_answers.h>
#include <rivulet/strand/make.h>
#include <rivulet/strand/solve.h>
#include <rivulet/verify/bench_case.h>

/// Solvers of the penalty law's system on wet bundles (Fei 2017 fig. 22, dissertation 10.6): the strands'
/// factors as preconditioner against its twins.
namespace rivulet::verify {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

constexpr double kRadius = 50e-6, kSpacing = 3.2 * kRadius, kEdge = 1.15e-3, kStep = 1e-3;
constexpr std::size_t kVertices = 42, kUnknowns = 4 * kVertices;
constexpr double kAccuracy = 1e-4;  // of velocities, against the direct solution
constexpr int kMostIterations = 20000;

/// Hanging hairs in hexagonal order, each a little astir, joined to their neighbours by water: one spring per
/// edge and neighbour, at the distances that they have.
struct Bundle {
    strand::StrandState strands;
    strand::Mobility mobility;
    strand::Motion motion;
    std::vector<contact::PenaltyRow> rows;

    explicit Bundle(int rings) {
        strand::Curves curves;
        std::vector<std::array<int, 2>> place;
        for (int i = -rings; i <= rings; ++i)
            for (int j = -rings; j <= rings; ++j)
                if (std::abs(i + j) <= rings) place.push_back({i, j});
        for (std::size_t s = 0; s < place.size(); ++s) add_strand(curves, place[s], s);
        strands = strand::make_strands(curves, {});
        for (std::size_t v = 0; v < strands.vertex_count(); ++v)
            strands.velocity[v] = 0.02 * Random(22, v).direction(0);
        strand::Loads loads;
        loads.gravity = {0, -9.81, 0};
        strand::StrandMaterial hair;
        hair.youngs_modulus = 3.4e8;
        strand::Solver().solve(strands, std::vector{hair}, loads, kStep, motion, {}, &mobility);
        const double angle = std::numbers::pi / 3;
        const contact::BridgeTable table(contact::bridge_between(1, 1, angle, angle));
        const contact::BridgeCurve water{&table, kRadius, 6 * kRadius * kRadius, 0.072};
        for (std::size_t a = 0; a < place.size(); ++a)
            for (std::size_t b = a + 1; b < place.size(); ++b) {
                const int i = place[b][0] - place[a][0], j = place[b][1] - place[a][1];
                if (i * i + j * j + i * j == 1) join(a, b, water);
            }
    }
    void add_strand(strand::Curves& curves, const std::array<int, 2>& at, std::size_t number) const {
        std::vector<Vec3d> points;
        for (std::size_t k = 0; k < kVertices; ++k) {
            const Vec3d off = 0.03 * kRadius * Random(21, 1000 * number + k).direction(0);
            points.push_back(Vec3d{kSpacing * (at[0] + 0.5 * at[1]), -kEdge * double(k),
                                   kSpacing * 0.5 * std::sqrt(3.0) * at[1]} +
                             off);
        }
        curves.add_strand(points, std::vector<double>(kVertices, kRadius));
    }
    void join(std::size_t a, std::size_t b, const contact::BridgeCurve& water) {
        contact::PenaltyPair pair{2 * kRadius, 3 * kRadius, 2000, 0};
        pair.join_pull = water.at(pair.join() - pair.touch).force;
        const auto& x = strands.position;
        for (std::uint32_t k = 0; k + 1 < kVertices; ++k) {
            const auto va = std::uint32_t(strands.begin(a)) + k, vb = std::uint32_t(strands.begin(b)) + k;
            const Vec3d between = 0.5 * (x[va] + x[va + 1] - x[vb] - x[vb + 1]);
            const double d = length(between);
            const contact::PenaltyForce f = contact::penalty_near(pair, d);
            rows.push_back({{va, va + 1, vb, vb + 1},
                            {0.5, 0.5, -0.5, -0.5},
                            between * (1 / d),
                            0,
                            kStep * f.force * kEdge,
                            kStep * kStep * contact::penalty_secant(pair, d, f) * kEdge});
        }
    }
};

/// The system as a matrix, in the order of the strands' own unknowns: velocities of a vertex, then the
/// surface speed of the edge after it (its rate of turning times the radius: the same units). Held unknowns,
/// and the turn of the last vertex, have a 1.
struct Assembled {
    Sparse matrix;
    Vector right;

    Assembled(const Bundle& bundle, const contact::Answers& answers) {
        const std::size_t strands = bundle.strands.strand_count();
        std::vector<Eigen::Triplet<double>> entries;
        std::vector<Eigen::MatrixXd> inverse(strands, Eigen::MatrixXd::Zero(kUnknowns, kUnknowns));
        std::vector<Vec3d> p(answers.nodes()), u(answers.nodes());
        std::vector<double> q(answers.nodes()), w(answers.nodes());
        // C⁻¹ by columns, the same of every strand at once.
        for (std::size_t c = 0; c < kUnknowns; ++c) {
            std::fill(p.begin(), p.end(), Vec3d{}), std::fill(q.begin(), q.end(), 0);
            for (std::size_t s = 0; s < strands; ++s) {
                const std::size_t v = kVertices * s + c / 4;
                if (c % 4 < 3)
                    p[v][int(c % 4)] = 1;
                else
                    q[v] = kRadius;
            }
            answers.apply(p, q, u, w, {});
            for (std::size_t s = 0; s < strands; ++s)
                for (std::size_t v = 0; v < kVertices; ++v) {
                    const auto row = Eigen::Index(4 * v), column = Eigen::Index(c);
                    for (int k = 0; k < 3; ++k) inverse[s](row + k, column) = u[kVertices * s + v][k];
                    inverse[s](row + 3, column) = kRadius * w[kVertices * s + v];
                }
        }
        for (std::size_t s = 0; s < strands; ++s) add_strand(inverse[s], 4 * kVertices * s, entries);
        right = Vector::Zero(Eigen::Index(4 * answers.nodes()));
        std::vector<std::uint8_t> held(std::size_t(right.size()), 0);
        for (std::size_t s = 0; s < strands; ++s)
            for (std::size_t c = 0; c < kUnknowns; ++c)
                held[kUnknowns * s + c] = inverse[s](Eigen::Index(c), Eigen::Index(c)) == 0;
        for (const contact::PenaltyRow& row : bundle.rows)
            add_row(row, contact::row_velocity(row, bundle.motion.velocity), held, entries);
        matrix.resize(right.size(), right.size());
        matrix.setFromTriplets(entries.begin(), entries.end());
    }
    void add_strand(const Eigen::MatrixXd& inverse, std::size_t first,
                    std::vector<Eigen::Triplet<double>>& entries) const {
        Eigen::MatrixXd answer = inverse;
        const auto n = Eigen::Index(kUnknowns);
        std::vector<bool> fixed(kUnknowns);
        for (Eigen::Index i = 0; i < n; ++i)
            if ((fixed[std::size_t(i)] = answer(i, i) == 0)) answer(i, i) = 1;
        const Eigen::MatrixXd c = answer.ldlt().solve(Eigen::MatrixXd::Identity(n, n));
        const double largest = c.diagonal().maxCoeff();
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto at = int(first) + int(i);
            if (fixed[std::size_t(i)]) {
                entries.emplace_back(at, at, largest);
                continue;
            }
            for (Eigen::Index j = std::max<Eigen::Index>(0, i - 10); j <= std::min(n - 1, i + 10); ++j)
                if (!fixed[std::size_t(j)])
                    entries.emplace_back(at, int(first) + int(j), 0.5 * (c(i, j) + c(j, i)));
        }
    }
    void add_row(const contact::PenaltyRow& row, double speed, const std::vector<std::uint8_t>& held,
                 std::vector<Eigen::Triplet<double>>& entries) {
        for (std::size_t k = 0; k < 4; ++k)
            for (int c = 0; c < 3; ++c) {
                const auto i = int(4 * row.node[k]) + c;
                if (held[std::size_t(i)]) continue;
                const double g = row.weight[k] * row.normal[c];
                right(i) -= g * (row.pull + row.stiffness * speed);
                for (std::size_t l = 0; l < 4; ++l)
                    for (int d = 0; d < 3; ++d)
                        if (const auto j = int(4 * row.node[l]) + d; !held[std::size_t(j)])
                            entries.emplace_back(i, j, row.stiffness * g * row.weight[l] * row.normal[d]);
            }
    }
};

/// Largest difference of velocities against the largest velocity; turns do not count.
double off_by(const Vector& x, const Vector& exact) {
    double most = 0, size = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        if (i % 4 != 3)
            most = std::max(most, std::abs(x(i) - exact(i))), size = std::max(size, std::abs(exact(i)));
    return most / size;
}

struct Cost {
    int iterations = 0;
    double seconds = 0;
};

/// Conjugate gradients with a diagonal, as many as they need; the time is that of a run without looking.
Cost by_diagonal(const Sparse& a, const Vector& b, const Vector& diagonal, const Vector& exact) {
    const auto run = [&](int most, bool look) {
        Vector x = Vector::Zero(b.size()), r = b, z = r.cwiseQuotient(diagonal), p = z, w(b.size());
        double rz = r.dot(z);
        int k = 0;
        for (; k < most && !(look && off_by(x, exact) <= kAccuracy); ++k) {
            w.noalias() = a.selfadjointView<Eigen::Lower>() * p;
            const double step = rz / p.dot(w);
            x += step * p, r -= step * w;
            z = r.cwiseQuotient(diagonal);
            const double next = r.dot(z);
            p = z + (next / rz) * p;
            rz = next;
        }
        return k;
    };
    Cost cost;
    cost.iterations = run(kMostIterations, true);
    cost.seconds = best_processor_seconds(2, [&] { run(cost.iterations, false); });
    return cost;
}

Cost by_factors(const Bundle& bundle, const contact::Answers& answers, const Vector& exact) {
    contact::PenaltySolver solver;
    const auto run = [&](int most) {
        solver.solve(bundle.rows, answers, bundle.motion.velocity, {},
                     {.tolerance = 0, .most_iterations = most});
        Vector x = Vector::Zero(exact.size());
        for (std::size_t v = 0; v < answers.nodes(); ++v)
            for (int c = 0; c < 3; ++c) x(Eigen::Index(4 * v) + c) = solver.added_velocity()[v][c];
        return off_by(x, exact);
    };
    Cost cost;
    while (cost.iterations < 500 && run(cost.iterations) > kAccuracy) ++cost.iterations;
    cost.seconds = best_processor_seconds(3, [&] { run(cost.iterations); });
    return cost;
}

Counters penalty_cg_benchmark(const BenchOptions& options) {
    Counters counters;
    for (const int rings : options.quick ? std::vector{1, 2} : std::vector{1, 2, 4}) {
        const Bundle bundle(rings);
        contact::StrandAnswers::Memory memory;
        const contact::StrandAnswers answers(bundle.strands, bundle.mobility, memory);
        const Assembled system(bundle, answers);
        Vector exact;
        const double direct = best_processor_seconds(
            1, [&] { exact = Eigen::SimplicialLDLT<Sparse>(system.matrix).solve(system.right); });
        const Vector diagonal = system.matrix.diagonal();
        const Cost factors = by_factors(bundle, answers, exact);
        const Cost scaled = by_diagonal(system.matrix, system.right, diagonal, exact);
        const Cost plain = by_diagonal(system.matrix, system.right, Vector::Ones(diagonal.size()), exact);
        const std::string name = "strands_" + std::to_string(bundle.strands.strand_count()) + ".";
        counters.add(name + "springs", double(bundle.rows.size()));
        counters.add(name + "factors_iterations", factors.iterations);
        counters.add(name + "factors_seconds", factors.seconds);
        counters.add(name + "diagonal_iterations", scaled.iterations);
        counters.add(name + "diagonal_seconds", scaled.seconds);
        counters.add(name + "plain_iterations", plain.iterations);
        counters.add(name + "plain_seconds", plain.seconds);
        counters.add(name + "direct_seconds", direct);
    }
    counters.remark =
        "processor time to velocities within 1e-4 of the direct solution; the strands' factors "
        "are there already; at most 20000 iterations";
    return counters;
}

}  // namespace

std::vector<BenchCase> penalty_benchmarks() {
    return {{"contact", "penalty_cg",
             "the penalty law's system on wet bundles: CG with the strands' factors, diagonal, plain, direct",
             penalty_cg_benchmark}};
}

}  // namespace rivulet::verify
