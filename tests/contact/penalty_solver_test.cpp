#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "strand/strand_samples.h"

#include <rivulet/base/parallel.h>
#include <rivulet/contact/penalty_solver.h>
#include <rivulet/contact/strand_answers.h>
#include <rivulet/strand/solve.h>
#include <rivulet/verify/cone_samples.h>

namespace rivulet::contact {
namespace {

/// Springs at the places of random contacts.
std::vector<PenaltyRow> springs_of(const samples::Problem& problem, double stiffness) {
    std::vector<PenaltyRow> rows;
    for (std::size_t i = 0; i < problem.cones.size(); ++i) {
        const Cone& c = problem.cones[i];
        const Random random(77, i);
        rows.push_back({c.node, c.weight, c.axes[0], dot(c.wall, c.axes[0]), random.normal(1),
                        stiffness * random.uniform(2)});
    }
    return rows;
}

struct Dense {
    Eigen::MatrixXd inverse, g;  // C⁻¹ of all bodies; G: unknowns × rows
    Eigen::VectorXd free, impulse, velocity;
};
/// The system by dense matrices: v = Gᵀ(u_free + C⁻¹ G j) − wall, j = −(pull + K v).
Dense solve_densely(const samples::Problem& p, const std::vector<PenaltyRow>& rows) {
    const auto unknowns = Eigen::Index(4 * p.answers.nodes()), m = Eigen::Index(rows.size());
    Dense d{Eigen::MatrixXd::Zero(unknowns, unknowns),
            Eigen::MatrixXd::Zero(unknowns, m),
            Eigen::VectorXd::Zero(unknowns),
            {},
            {}};
    for (std::size_t o = 0; o < p.answers.owners(); ++o) {
        const auto at = Eigen::Index(4 * p.answers.first[o]), size = p.answers.inverse[o].rows();
        d.inverse.block(at, at, size, size) = p.answers.inverse[o];
    }
    Eigen::VectorXd wall(m), pull(m), k(m);
    for (Eigen::Index i = 0; i < m; ++i) {
        const PenaltyRow& row = rows[std::size_t(i)];
        for (std::size_t n = 0; n < 4; ++n)
            for (int c = 0; row.node[n] != Cone::kNone && c < 3; ++c)
                d.g(Eigen::Index(4 * row.node[n]) + c, i) += row.weight[n] * row.normal[c];
        wall(i) = row.wall, pull(i) = row.pull, k(i) = row.stiffness;
    }
    for (std::size_t n = 0; n < p.velocity.size(); ++n)
        for (int c = 0; c < 3; ++c) d.free(Eigen::Index(4 * n) + c) = p.velocity[n][c];
    const Eigen::MatrixXd s = d.g.transpose() * d.inverse * d.g;
    const Eigen::VectorXd v = d.g.transpose() * d.free - wall;
    const Eigen::MatrixXd system = Eigen::MatrixXd::Identity(m, m) + k.asDiagonal() * s;
    d.impulse = system.fullPivLu().solve(-(pull + k.cwiseProduct(v)));
    d.velocity = v + s * d.impulse;
    return d;
}

TEST(PenaltySolver, FindsWhatADenseSolveFinds) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const samples::Problem p = samples::random_problem(
            seed, {.owners = 6, .nodes = 5, .contacts = 3 + int(seed % 20), .self = 0.2});
        const std::vector<PenaltyRow> rows = springs_of(p, seed % 3 == 0 ? 1 : 1000);
        const Dense dense = solve_densely(p, rows);
        PenaltySolver solver;
        const PenaltyReport report = solver.solve(rows, p.answers, p.velocity, {}, {.tolerance = 1e-12});
        EXPECT_TRUE(report.converged) << seed;
        const Eigen::VectorXd added = dense.inverse * (dense.g * dense.impulse);
        const double size = dense.impulse.norm(), speed = dense.free.norm();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_NEAR(solver.impulse()[i], dense.impulse(Eigen::Index(i)), 1e-7 * size) << seed;
            EXPECT_NEAR(solver.velocity()[i], dense.velocity(Eigen::Index(i)), 1e-8 * speed) << seed;
        }
        for (std::size_t n = 0; n < p.answers.nodes(); ++n) {
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(solver.added_velocity()[n][c], added(Eigen::Index(4 * n) + c), 1e-8 * speed);
            EXPECT_NEAR(solver.added_turning()[n], added(Eigen::Index(4 * n) + 3), 1e-8 * speed);
        }
    }
}

/// Each distinct spring costs an iteration at most: the preconditioned matrix is 1 plus as many ranks.
TEST(PenaltySolver, TakesNoMoreIterationsThanSprings) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const samples::Problem p = samples::random_problem(seed, {.owners = 4, .nodes = 5, .contacts = 4});
        PenaltySolver solver;
        const PenaltyReport report =
            solver.solve(springs_of(p, 10), p.answers, p.velocity, {}, {.tolerance = 1e-9});
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.iterations, 5);
    }
}

TEST(PenaltySolver, AGoodGuessNeedsNoIterationAndAnyGuessGivesTheSame) {
    const samples::Problem p = samples::random_problem(5, {.owners = 6, .nodes = 5, .contacts = 12});
    const std::vector<PenaltyRow> rows = springs_of(p, 100);
    PenaltySolver cold, warm;
    cold.solve(rows, p.answers, p.velocity, {}, {.tolerance = 1e-12});
    const auto with = [&](double part) {
        std::vector<Vec3d> impulse(cold.node_impulse().begin(), cold.node_impulse().end()), answer(impulse);
        for (Vec3d& j : impulse) j = j * part;
        std::vector<double> turn(impulse.size()), turning(impulse.size());
        p.answers.apply(impulse, turn, answer, turning, {});
        return warm.solve(rows, p.answers, p.velocity, {impulse, answer, turn, turning},
                          {.tolerance = 1e-10});
    };
    EXPECT_EQ(with(1).iterations, 0);
    EXPECT_GT(with(-3).iterations, 0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_NEAR(warm.impulse()[i], cold.impulse()[i], 1e-7 * std::abs(cold.impulse()[i]) + 1e-9);
}

/// Curls that lie beside each other, tied by springs at many places.
struct TiedCurls {
    strand::StrandState state = strand::make_strands(strand::samples::curls(40));
    strand::Mobility mobility;
    strand::Motion motion;
    std::vector<PenaltyRow> rows;

    TiedCurls() {
        strand::samples::stir(state, 0.3, 5);
        strand::Solver solver;
        strand::Loads loads;
        loads.gravity = {0, -9.81, 0};
        const std::vector<strand::StrandMaterial> materials{strand::samples::rubber()};
        solver.solve(state, materials, loads, 0.004, motion, {}, &mobility);
        for (std::size_t s = 0; s + 1 < state.strand_count(); ++s)
            for (std::uint32_t v = 0; v < 15; ++v) {
                const auto a = std::uint32_t(state.begin(s)) + v, b = std::uint32_t(state.begin(s + 1)) + v;
                rows.push_back({{a, a + 1, b, b + 1},
                                {0.3, 0.7, -0.6, -0.4},
                                normalized(Vec3d{0.1, 1, 0.2}),
                                0,
                                1e-6,
                                1e-3});
            }
    }
};

TEST(PenaltySolver, KeepsMomentumAndTheBitsOfAnyNumberOfThreads) {
    const TiedCurls curls;
    StrandAnswers::Memory memory;
    const StrandAnswers answers(curls.state, curls.mobility, memory);
    PenaltySolver one, two;
    PenaltyReport report;
    with_threads(1, [&] { report = one.solve(curls.rows, answers, curls.motion.velocity, {}, {}); });
    with_threads(2, [&] { two.solve(curls.rows, answers, curls.motion.velocity, {}, {}); });
    EXPECT_TRUE(report.converged);
    EXPECT_GT(report.iterations, 3);
    Vec3d sum;
    double size = 0;
    for (const Vec3d& j : one.node_impulse()) sum += j, size += length(j);
    EXPECT_GT(size, 0);
    EXPECT_LT(length(sum), 1e-13 * size);
    const auto same = [](auto a, auto b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
    EXPECT_TRUE(same(one.impulse(), two.impulse()));
    EXPECT_TRUE(same(one.node_impulse(), two.node_impulse()));
    EXPECT_TRUE(same(one.added_velocity(), two.added_velocity()));
    EXPECT_TRUE(same(one.added_turning(), two.added_turning()));
}

TEST(PenaltySolver, NoSpringsDoNothing) {
    const samples::Problem p = samples::random_problem(1, {.contacts = 0});
    const std::vector<Vec3d> impulse(p.answers.nodes(), Vec3d{1, 2, 3}), answer(impulse);
    const std::vector<double> turn(impulse.size()), turning(impulse.size());
    PenaltySolver solver;
    const PenaltyReport report =
        solver.solve({}, p.answers, p.velocity, {impulse, answer, turn, turning}, {});
    EXPECT_TRUE(report.converged);
    for (const Vec3d& v : solver.added_velocity()) EXPECT_EQ(v, Vec3d{});
    for (const Vec3d& j : solver.node_impulse()) EXPECT_EQ(j, Vec3d{});
}

}  // namespace
}  // namespace rivulet::contact
