#include <gtest/gtest.h>

#include <cmath>

#include <liquid/first_principles.h>
#include <liquid/tank.h>
#include <liquid/viscous_step.h>
#include <rivulet/base/random.h>
#include <rivulet/liquid/pressure_solver.h>

namespace rivulet::liquid {
namespace {

const PressureOptions kTight{1e-12, 400, 0};

/// A stirred tank with a moving wall, in which something submerged fills part of the space, moves by itself,
/// answers to pressure and drags the liquid along.
struct Mixture {
    Tank tank{{16, 16, 12}, 0.1};
    grid::FaceField fraction, submerged_velocity, mobility, drag, nothing;
    grid::FaceFlow flow;

    explicit Mixture(bool fills = true, bool answers = true, bool drags = true) {
        tank.set_phi([](const Vec3d& x) { return x.y - 1.13 - 0.1 * std::sin(4 * x.x); });
        const std::size_t n = tank.topology.cells();
        for (grid::FaceField* f : {&fraction, &submerged_velocity, &mobility, &drag}) grid::fill(*f, n, 0.0);
        const Random random(3, 9);
        tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            const std::size_t a = std::size_t(axis);
            const Vec3d x = tank.face_centre(at, axis);
            const auto some = [&](std::uint64_t what, double low, double high) {
                return random.uniform(16 * std::uint64_t(e) + 4 * what + a, low, high);
            };
            if (axis == 0 && at.x == tank.n.x) tank.boundary.solid_velocity[0][e] = -0.3;
            tank.velocity[a][e] = some(0, -1, 1);
            fraction[a][e] = 0.3 * (1 + std::sin(5 * x.x) * std::cos(4 * x.y));
            submerged_velocity[a][e] = some(1, -1, 1);
            mobility[a][e] = some(2, 0, 2e-3);
            drag[a][e] = some(3, 0, 5000);
        });
        flow.start(tank.boundary, tank.density);
        if (fills) flow.submerge(submerged(answers));
        if (drags) flow.add_drag(drag, submerged_velocity);
    }
    PressureDomain domain() const { return {tank.topology, tank.phi, tank.boundary, flow, tank.dt}; }

    grid::FaceFlow::Submerged submerged(bool answers) const {
        return {fraction, submerged_velocity, answers ? mobility : nothing};
    }
    /// Largest divergence of all that flows after a pressure.
    double divergence(const PressureSystem& system, bool answers) const {
        const auto what = submerged(answers);
        return largest_divergence(domain(), system, tank.velocity, tank.pressure, &what);
    }
};

TEST(FaceFlow, IsTheBoundaryAndTheDensityWhereNothingElseIs) {
    const Mixture plain(false, false, false);
    EXPECT_EQ(&plain.flow.carried(), &plain.tank.boundary.open);
    EXPECT_TRUE(plain.flow.answer()[0].empty());
    EXPECT_EQ(plain.flow.inertia(0, 3), 1000);
    grid::FaceField velocity = plain.tank.velocity;
    plain.flow.pull(velocity);
    EXPECT_EQ(velocity, plain.tank.velocity);
    grid::FaceFlow still;
    grid::FaceBoundary boundary;
    boundary.clear(64, false);
    still.start(boundary, 800.0);
    EXPECT_TRUE(still.others()[0].empty());
    EXPECT_EQ(still.inertia(1, 5), 800);
}

TEST(FaceFlow, MatrixHasWhatFacesAnswer) {
    const Mixture mixture;
    PressureSystem system;
    assemble_matrix(mixture.domain(), system);
    const Tank& tank = mixture.tank;
    const double scale = tank.dt / (0.1 * 0.1);
    std::size_t looked_at = 0;
    tank.for_faces([&](std::size_t e, const Vec3i&, int axis) {
        const std::size_t a = std::size_t(axis);
        if (system.coupling[a][e] == 0) return;
        const double phi = mixture.fraction[a][e];
        const double expected =
            scale * ((1 - phi) / (1000 + mixture.drag[a][e]) + phi * mixture.mobility[a][e]);
        ASSERT_NEAR(system.coupling[a][e], expected, 1e-12 * expected);
        ++looked_at;
    });
    EXPECT_GT(looked_at, 1000u);
}

TEST(FaceFlow, ACellThatNothingFlowsThroughHasNoPressure) {
    for (const bool answers : {false, true}) {
        Mixture mixture;
        Tank& tank = mixture.tank;
        const Vec3i full{8, 5, 5};
        const std::size_t cell = std::size_t(tank.topology.index(full));
        for (int axis = 0; axis < 3; ++axis) {
            Vec3i up = full;
            up[axis] += 1;
            mixture.fraction[std::size_t(axis)][cell] = 1;
            mixture.fraction[std::size_t(axis)][std::size_t(tank.topology.index(up))] = 1;
        }
        mixture.flow.start(tank.boundary, tank.density);
        mixture.flow.submerge(mixture.submerged(answers));
        Projection projection;
        projection.assemble(mixture.domain());
        EXPECT_EQ(projection.system().liquid[cell] != 0, answers) << "what fills it may yield to pressure";
        projection.project_assembled(mixture.domain(), kTight, tank.velocity, tank.pressure);
        EXPECT_LT(mixture.divergence(projection.system(), answers), 1e-8);
    }
}

TEST(FaceFlow, InviscidDivergenceIsTheOnePromised) {
    for (const bool answers : {false, true}) {
        Mixture mixture(true, answers);
        Tank& tank = mixture.tank;
        mixture.flow.pull(tank.velocity);
        Projection projection;
        const PressureReport report =
            projection.project(mixture.domain(), kTight, tank.velocity, tank.pressure);
        EXPECT_LT(report.max_divergence, 1e-8);
        EXPECT_LT(mixture.divergence(projection.system(), answers), 1e-8);
    }
}

TEST(FaceFlow, DragHoldsLiquidBackFromPressure) {
    Mixture mixture(false, false, true);
    Tank& tank = mixture.tank;
    const grid::FaceField before = tank.velocity;
    mixture.flow.pull(tank.velocity);
    Projection projection;
    projection.project(mixture.domain(), kTight, tank.velocity, tank.pressure);
    const auto& liquid = projection.system().liquid;
    tank.for_faces([&](std::size_t e, Vec3i at, int axis) {
        const std::size_t a = std::size_t(axis);
        at[axis] -= 1;
        const std::int64_t below = tank.topology.index(at);
        if (below < 0 || !liquid[e] || !liquid[std::size_t(below)] || tank.boundary.open[a][e] == 0) return;
        // ρ (u − u*) = −Δt ∇p − drag (u − towards).
        const double u = tank.velocity[a][e];
        const double gradient = (tank.pressure[e] - tank.pressure[std::size_t(below)]) / 0.1;
        const double left = 1000 * (u - before[a][e]);
        const double right =
            -tank.dt * gradient - mixture.drag[a][e] * (u - mixture.submerged_velocity[a][e]);
        ASSERT_NEAR(left, right, 1e-8 * (1000 + mixture.drag[a][e]));
    });
}

TEST(FaceFlow, ViscousDivergenceIsTheOnePromised) {
    ViscosityOptions tight;
    tight.tolerance = 1e-10;
    tight.coupled_tolerance = 1e-6;
    tight.most_coupled_iterations = 300;
    for (const double viscosity : {1e-3, 500.0})
        for (const bool answers : {false, true}) {
            Mixture mixture(true, answers);
            Tank& tank = mixture.tank;
            grid::Field thickness;
            grid::fill(thickness, tank.topology.cells(), viscosity);
            mixture.flow.pull(tank.velocity);
            ViscousStep step;
            const PressureReport report =
                step.run(mixture.domain(), thickness, kTight, tight, tank.velocity, tank.pressure);
            EXPECT_EQ(step.coupled.coupled_iterations > 0, viscosity > 1);
            EXPECT_LT(report.max_divergence, 1e-8) << viscosity << answers;
            EXPECT_LT(mixture.divergence(step.pressure.system(), answers), 1e-8) << viscosity << answers;
        }
}

}  // namespace
}  // namespace rivulet::liquid
