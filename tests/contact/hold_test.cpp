#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <rivulet/contact/cone_solver.h>
#include <rivulet/contact/impulses.h>
#include <rivulet/verify/cone_samples.h>

/// Contacts that hold up to a strength, or only pull.
namespace rivulet::contact {
namespace {

using samples::Problem;
using samples::Recipe;

/// Velocities of all contacts by the dense operator, from what acts on them.
Eigen::VectorXd velocities(const Problem& p, const std::vector<Vec3d>& applied) {
    Eigen::VectorXd r(3 * Eigen::Index(applied.size()));
    for (std::size_t i = 0; i < applied.size(); ++i)
        for (int k = 0; k < 3; ++k) r(Eigen::Index(3 * i) + k) = applied[i][k];
    return p.delassus() * r + p.free();
}

/// Every third contact pulls only, every third holds up to a strength, some have thick liquid.
Problem problem(std::uint64_t seed) {
    Recipe recipe;
    recipe.owners = 3 + int(seed % 4), recipe.contacts = 2 + int(seed % 6), recipe.pull = 0.3;
    recipe.friction = 0.3, recipe.stiffness = seed % 2 ? 50 : 0;
    Problem p = random_problem(seed, recipe);
    for (std::size_t i = 0; i < p.cones.size(); ++i) {
        Cone& c = p.cones[i];
        const Random random(seed, 500 + i);
        if (i % 3 == 0) continue;
        c.clearance = 0;
        c.most = i % 3 == 1 ? 0 : 3 * random.uniform(0);
        c.drag = random.uniform(1) * 20 / p.answers.own(c)(0, 0);
        c.pull += c.most;
    }
    return p;
}

TEST(Hold, ObeysItsLawAmongOtherContacts) {
    ConeSolver solver;
    int opens = 0, holds = 0, closes = 0, slides = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem p = problem(seed);
        const Eigen::VectorXd spectrum = p.delassus().selfadjointView<Eigen::Lower>().eigenvalues();
        if (spectrum.minCoeff() < 1e-4 * spectrum.maxCoeff()) continue;
        std::vector<Vec3d> r(p.cones.size());
        const ConeReport report = solver.solve(p.cones, p.answers, p.velocity, p.turning, {1e-12, 100000}, r);
        ASSERT_TRUE(report.converged) << seed << " " << report.residual;
        std::vector<Vec3d> applied;
        for (std::size_t i = 0; i < r.size(); ++i) {
            const auto& axes = p.cones[i].axes;
            const Vec3d acts = solver.applied(i);
            applied.push_back({dot(axes[0], acts), dot(axes[1], acts), dot(axes[2], acts)});
        }
        const Eigen::VectorXd v = velocities(p, applied);
        for (std::size_t i = 0; i < r.size(); ++i) {
            const Cone& c = p.cones[i];
            if (i % 3 == 0) continue;
            const double along = v(Eigen::Index(3 * i)), eps = 1e-8;
            EXPECT_NEAR(applied[i].x, r[i].x + bridge_impulse(c, along), eps);
            EXPECT_GE(r[i].x, 0);
            EXPECT_LE(r[i].x, c.most);
            if (along > eps) {
                ++opens;
                EXPECT_NEAR(r[i].x, 0, eps);
            } else if (along < -eps) {
                ++closes;
                EXPECT_NEAR(r[i].x, c.most, eps);
            } else {
                ++holds;
            }
            const double across = std::hypot(r[i].y, r[i].z), limit = c.friction * r[i].x;
            EXPECT_LE(across, limit + eps);
            const double vy = v(Eigen::Index(3 * i) + 1), vz = v(Eigen::Index(3 * i) + 2);
            const double speed = std::hypot(vy, vz);
            if (limit > 1e-3 && speed > 1e-3) {
                ++slides;
                EXPECT_NEAR(r[i].y, -limit * vy / speed, 1e-6);
                EXPECT_NEAR(r[i].z, -limit * vz / speed, 1e-6);
            }
        }
    }
    EXPECT_GT(std::min({opens, holds, closes, slides}), 20)
        << opens << ' ' << holds << ' ' << closes << ' ' << slides;
}

TEST(Hold, DragActsOnlyWhileItOpens) {
    // One body of mass 1 against a wall: v = free - (drag v)₊.
    Problem p;
    p.answers.add_owner(Eigen::MatrixXd::Identity(4, 4));
    Cone c;
    c.node[0] = 0, c.weight[0] = 1, c.owner[0] = 0;
    c.most = 0, c.drag = 3;
    p.cones = {c};
    p.turning = {0};
    ConeSolver solver;
    for (const double free : {2.0, -2.0}) {
        p.velocity = {Vec3d{free, 0, 0}};
        std::vector<Vec3d> r(1);
        solver.solve(p.cones, p.answers, p.velocity, p.turning, {1e-13, 10000}, r);
        EXPECT_NEAR(solver.node_velocity()[0].x, free > 0 ? free / 4 : free, 1e-10);
    }
}

}  // namespace
}  // namespace rivulet::contact
