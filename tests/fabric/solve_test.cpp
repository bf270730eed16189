#include <gtest/gtest.h>

#include <cmath>

#include "fabric/cloth_samples.h"

#include <rivulet/base/parallel.h>
#include <rivulet/fabric/energy.h>

namespace rivulet::fabric {
namespace {

using samples::Cloth;
using samples::cotton;

constexpr elastic::PointLoads kNone{};
const elastic::PointLoads kGravity{{0, -9.81, 0}, {}, {}, {}};

Vec3d momentum(const Cloth& c) {
    Vec3d p;
    for (std::size_t v = 0; v < c.state.vertex_count(); ++v) p += c.mesh.mass[v] * c.state.velocity[v];
    return p;
}

TEST(FabricSolve, FreeFallIsExact) {
    Cloth c(rectangle(0.2, 0.1, 0.02));
    Solver solver;
    const auto before = c.state.position;
    for (int k = 0; k < 5; ++k) c.step(solver, 1e-2, kGravity);
    for (std::size_t v = 0; v < c.state.vertex_count(); ++v) {
        EXPECT_NEAR(c.state.velocity[v].y, -9.81 * 0.05, 1e-10);
        EXPECT_NEAR(c.state.position[v].y - before[v].y, -9.81 * 1e-4 * 15, 1e-10);
    }
}

TEST(FabricSolve, EveryLinearSolverFindsTheSameMotion) {
    const auto run = [](Linear linear) {
        Cloth c(rectangle(0.2, 0.15, 0.01, Cut::random));
        c.crumple(0.004, 0.5);
        c.hold(0);
        c.state.held.edge[3] = 1;
        c.state.held.director[3] = c.state.director[3];
        Solver solver;
        for (int k = 0; k < 3; ++k)
            c.step(solver, 5e-4, kGravity, {.tolerance = 1e-7, .linear_tolerance = 1e-8, .linear = linear});
        return c.state;
    };
    const FabricState exact = run(Linear::factor);
    for (const Linear linear : {Linear::blocks, Linear::patches}) {
        const FabricState other = run(linear);
        double worst = 0, turn = 0;
        for (std::size_t v = 0; v < exact.vertex_count(); ++v)
            worst = std::max(worst, length(exact.velocity[v] - other.velocity[v]));
        for (std::size_t e = 0; e < exact.director.size(); ++e)
            turn = std::max(turn, length(exact.director[e] - other.director[e]));
        EXPECT_LT(worst, 1e-6);
        EXPECT_LT(turn, 1e-6);
    }
}

TEST(FabricSolve, HeldVerticesAndDirectorsFollowTheirTargets) {
    Cloth c(rectangle(0.1, 0.1, 0.02));
    c.hold(0);
    c.state.held.position[0] = c.state.position[0] + Vec3d{0, 0, 1e-3};
    c.state.held.edge[0] = 1;
    const auto [a, b] = c.mesh.topology.edge[0];
    c.hold(std::size_t(b));
    ASSERT_EQ(a, 0);
    const Vec3d wanted = c.state.held.position[0];
    Solver solver;
    c.step(solver, 1e-3, kGravity);
    EXPECT_LT(length(c.state.position[0] - wanted), 1e-15);
    EXPECT_NEAR(length(c.state.director[0]), 1, 1e-14);
    EXPECT_NEAR(dot(c.state.director[0], c.state.held.director[0]), 1, 0.01);
}

TEST(FabricSolve, LoadsPushAsTheySay) {
    // An impulse on every vertex in proportion to its mass, and drag: v = (v₀ + J/m)/(1 + dt c/m).
    Cloth c(rectangle(0.1, 0.1, 0.02));
    std::vector<Vec3d> impulse, force;
    std::vector<Mat3d> slope;
    for (const double m : c.mesh.mass) {
        impulse.push_back(m * Vec3d{0.1, 0, 0});
        force.push_back(m * Vec3d{0, 2, 0});
        slope.push_back(-30 * m * Mat3d::identity());
    }
    Solver solver;
    c.step(solver, 1e-2, {{}, impulse, force, slope});
    for (const Vec3d& v : c.state.velocity) {
        EXPECT_NEAR(v.x, 0.1 / 1.3, 1e-7);
        EXPECT_NEAR(v.y, 0.02 / 1.3, 1e-7);
    }
}

TEST(FabricSolve, AnIsolatedSheetKeepsItsMomentum) {
    Cloth c(rectangle(0.2, 0.2, 0.0125, Cut::random));
    c.crumple(0.004, 1);
    const Vec3d before = momentum(c);
    double mass = 0;
    for (const double m : c.mesh.mass) mass += m;
    Solver solver;
    for (int k = 0; k < 40; ++k) c.step(solver, 1e-3, kNone);
    EXPECT_LT(length(momentum(c) - before), 1e-12 * mass);
}

TEST(FabricSolve, BitsDependNeitherOnThreadsNorOnTheSolver) {
    const auto run = [](int threads, bool fresh) {
        return with_threads(threads, [&] {
            Cloth c(rectangle(0.2, 0.2, 0.01));
            c.crumple(0.004, 1);
            c.hold(5);
            Solver solver;
            for (int k = 0; k < 4; ++k) {
                c.step(solver, k % 2 == 0 ? 2e-4 : 1e-3, kGravity);
                if (fresh) solver = Solver();
            }
            return c.state;
        });
    };
    const FabricState one = run(1, false);
    for (const FabricState& other : {run(2, false), run(4, false), run(2, true)}) {
        EXPECT_EQ(one.position, other.position);
        EXPECT_EQ(one.velocity, other.velocity);
        EXPECT_EQ(one.director, other.director);
    }
}

// Contrasts of a million in stretch against bend, and in the step.
TEST(FabricSolve, StiffAndSoftClothStep) {
    for (const double stretch : {1.0, 1e6})
        for (const double bend : {1e-9, 1e-1})
            for (const double dt : {1e-6, 1e-2}) {
                FabricMaterial m = cotton();
                m.stretch = {stretch, stretch, 0.2 * stretch, 0.4 * stretch};
                m.bend = {bend, bend, 0, bend};
                Cloth c(rectangle(0.1, 0.1, 0.01), m);
                c.hold(0);
                Solver solver;
                for (int k = 0; k < 3; ++k) c.step(solver, dt, kGravity);
                for (const Vec3d& p : c.state.position) EXPECT_TRUE(std::isfinite(p.y));
            }
}

TEST(FabricSolve, DampingTakesEnergyAndLeavesRigidMotionAlone) {
    FabricMaterial m = cotton();
    m.stretch_damping = m.bend_damping = 1e-2;
    const auto energy_after = [](const FabricMaterial& material, bool spin) {
        Cloth c(rectangle(0.1, 0.1, 0.0125), material);
        for (std::size_t v = 0; v < c.state.vertex_count(); ++v)
            c.state.velocity[v] = spin ? cross(Vec3d{0, 0, 1}, c.state.position[v])
                                       : Vec3d{0.1 * std::sin(60 * c.state.position[v].x), 0, 0};
        Solver solver;
        for (int k = 0; k < 20; ++k) c.step(solver, 2e-5, kNone);
        const Totals t = totals(c.state, c.mesh, c.materials, {});
        return t.kinetic + t.elastic;
    };
    EXPECT_LT(energy_after(m, false), 0.5 * energy_after(cotton(), false));
    EXPECT_NEAR(energy_after(m, true) / energy_after(cotton(), true), 1, 1e-4);
}

TEST(FabricSolve, EnergyNeverGrows) {
    Cloth c(rectangle(0.2, 0.2, 0.0125, Cut::random));
    c.crumple(0.004, 0.5);
    Solver solver;
    double before = 1e300;
    for (int k = 0; k < 30; ++k) {
        c.step(solver, 1e-3, kNone);
        const Totals t = totals(c.state, c.mesh, c.materials, {});
        EXPECT_LE(t.kinetic + t.elastic, before * (1 + 1e-6));
        before = t.kinetic + t.elastic;
    }
}

// A cantilever strip of 32 triangles' length under a small load q per area, ν 0: q L⁴/(8 D) at its tip. The
// step is so long that inertia counts for nothing.
TEST(FabricSolve, StripBendsAsABeam) {
    for (const Cut cut : {Cut::along, Cut::crossed, Cut::random}) {
        FabricMaterial m;
        m.areal_density = 1;
        m.stretch = {1e5, 1e5, 0, 5e4};
        m.bend = {1e-3, 1e-3, 0, 5e-4};
        Cloth c(rectangle(0.2, 0.05, 0.2 / 32, cut), m);
        for (std::size_t v = 0; v < c.state.vertex_count(); ++v)
            if (c.state.position[v].x < -0.1 + 1e-9) c.hold(v);
        for (std::size_t e = 0; e < c.mesh.topology.edges(); ++e) {
            const auto [a, b] = c.mesh.topology.edge[e];
            c.state.held.edge[e] = c.state.held.vertex[std::size_t(a)] && c.state.held.vertex[std::size_t(b)];
        }
        const double q = 1e-3;
        Solver solver;
        Motion motion{std::vector<Vec3d>(c.state.vertex_count()), c.state.director};  // not free flight
        solver.solve(c.state, c.mesh, c.materials, {{0, 0, -q}, {}, {}, {}}, 100, motion,
                     {.tolerance = 1e-10, .linear = Linear::factor, .guess_given = true});
        commit(c.state, c.mesh.topology, motion, 100);
        double tip = 0;
        int count = 0;
        for (std::size_t v = 0; v < c.state.vertex_count(); ++v)
            if (c.state.rest_position[v].x > 0.1 - 1e-9) tip -= c.state.position[v].z, ++count;
        EXPECT_NEAR(tip / count / (q * std::pow(0.2, 4) / (8 * 1e-3)), 1, 0.01);
    }
}

}  // namespace
}  // namespace rivulet::fabric
