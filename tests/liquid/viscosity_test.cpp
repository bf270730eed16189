#include <gtest/gtest.h>

#include <cmath>

#include <liquid/tank.h>
#include <liquid/viscous_step.h>
#include <rivulet/base/random.h>
#include <rivulet/liquid/viscous_projection.h>

namespace rivulet::liquid {
namespace {

const PressureOptions kTight{1e-12, 200, 0};
const ViscosityOptions kTightViscosity{1e-11, 1e-9, 20000, 100, 0.5};

/// A channel between two no-slip walls across y, at `low` and `low` + 1 m, periodic in x and z.
struct Channel {
    Tank tank;
    grid::Field viscosity, distance;
    double low;
    Channel(int cells, double offset)
        : tank({8, cells + (offset > 0 ? 4 : 0), 8}, 1.0 / cells, {8, 0, 8}), low(offset / cells) {
        tank.boundary.rules[0].kind = grid::WallKind::no_slip;
        grid::fill(viscosity, tank.topology.cells(), 2.0);
        distance.resize(tank.topology.cells());
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            const double y = tank.centre(at).y - low;
            distance[e] = std::min(y, 1 - y);
        });
        const double cell = tank.topology.cell;
        tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            const std::size_t a = std::size_t(axis);
            const double y = tank.face_centre(at, axis).y - low;
            const double half = axis == 1 ? 0.0 : 0.5 * cell;
            const double open =
                axis == 1 ? (y > 1e-9 && y < 1 - 1e-9)
                          : (std::clamp(y + half, 0.0, 1.0) - std::clamp(y - half, 0.0, 1.0)) / cell;
            tank.boundary.open[a][e] = open < 0.01 ? 0 : open > 0.99 ? 1 : open;
            tank.boundary.wall[a][e] = 0;
        });
    }
    /// Largest error of component x against exact(y) on faces whose centre is in the channel.
    template <class F>
    double error(F&& exact) const {
        double largest = 0;
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            const double y = tank.centre(at).y - low;
            if (y > 0 && y < 1) largest = std::max(largest, std::abs(tank.velocity[0][e] - exact(y)));
        });
        return largest;
    }
    void run(bool use_distance) {
        PressureSystem system;
        assemble_matrix(tank.domain(), system);
        const PressureDomain flow = tank.domain();
        ViscousProjection().diffuse({flow, system.liquid, viscosity, use_distance ? &distance : nullptr},
                                    kTightViscosity, tank.velocity);
    }
};

double poiseuille_error(int cells, double offset) {
    Channel channel(cells, offset);
    // So long a step that the flow is steady: u = G y (1 − y) / 2μ with G = ρ g.
    channel.tank.dt = 1e7;
    channel.tank.set_velocity([&](const Vec3d&, int axis) { return axis == 0 ? 1e-3 * 1e7 : 0.0; });
    channel.run(offset > 0);
    return channel.error([](double y) { return 1000 * 1e-3 / (2 * 2.0) * y * (1 - y); });
}

TEST(Viscosity, PoiseuilleFlowIsSecondOrder) {
    const double coarse = poiseuille_error(8, 0), fine = poiseuille_error(32, 0);
    EXPECT_GE(0.5 * std::log2(coarse / fine), 1.9) << coarse << ' ' << fine;
    EXPECT_LT(fine, 1e-3 * 0.0625);
}

TEST(Viscosity, PoiseuilleFlowBetweenWallsThatDoNotFitTheCells) {
    for (const double offset : {0.3, 0.7}) {
        const double coarse = poiseuille_error(8, offset), fine = poiseuille_error(32, offset);
        EXPECT_GE(0.5 * std::log2(coarse / fine), 1.7) << coarse << ' ' << fine;
    }
}

TEST(Viscosity, CouetteFlowIsALine) {
    for (const double offset : {0.0, 0.4}) {
        Channel channel(16, offset);
        channel.tank.dt = 1e7;
        channel.tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            if (axis == 0 && channel.tank.centre(at).y > 0.5 + channel.low)
                channel.tank.boundary.solid_velocity[0][e] = 3;
        });
        channel.run(offset > 0);
        EXPECT_LT(channel.error([](double y) { return 3 * y; }), 1e-4);
    }
}

TEST(Viscosity, SlipWallsDoNotHoldTheLiquid) {
    Channel channel(8, 0);
    channel.tank.boundary.rules[0].kind = grid::WallKind::slip;
    channel.tank.dt = 1;
    channel.tank.set_velocity([](const Vec3d&, int axis) { return axis == 0 ? 1.5 : 0.0; });
    channel.run(false);
    EXPECT_LT(channel.error([](double) { return 1.5; }), 1e-9);
}

TEST(Viscosity, LayersOfTwoLiquidsShareTheStress) {
    Channel channel(16, 0);
    channel.tank.dt = 1e7;
    channel.tank.for_cells([&](std::size_t e, const Vec3i& at) {
        channel.viscosity[e] = channel.tank.centre(at).y < 0.5 ? 6.0 : 2.0;
    });
    channel.tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        if (axis == 0 && channel.tank.centre(at).y > 1) channel.tank.boundary.solid_velocity[0][e] = 4;
    });
    channel.run(false);
    // Equal stress: slopes 1 : 3, 2 in the lower half and 6 in the upper.
    EXPECT_LT(channel.error([](double y) { return y < 0.5 ? 2 * y : 1 + 6 * (y - 0.5); }), 1e-4);
}

/// A ball of thick liquid in free flight.
Tank ball() {
    Tank tank({20, 20, 20}, 0.05);
    tank.boundary.clear(tank.topology.cells());
    tank.set_phi([](const Vec3d& x) { return length(x - Vec3d{0.5, 0.5, 0.5}) - 0.37; });
    return tank;
}
double turning(const Vec3d& x, int axis) {
    return cross(Vec3d{1, 2, -3}, x - Vec3d{0.4, 0.5, 0.6})[axis] + (axis == 1 ? 2.0 : 0.0);
}

TEST(ViscousOperator, IsSymmetricPositiveAndBlindToRigidMotion) {
    Tank tank = ball();
    PressureSystem system;
    assemble_matrix(tank.domain(), system);
    grid::Field viscosity;
    grid::fill(viscosity, tank.topology.cells(), 50.0);
    const PressureDomain flow = tank.domain();
    ViscousOperator a;
    a.build({flow, system.liquid, viscosity});
    const std::size_t n = tank.topology.cells();
    linear::AlignedVector<double> u(3 * n), v(3 * n), rigid(3 * n), au(3 * n), av(3 * n), ar(3 * n);
    const Random random(9, 9);
    tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        const std::size_t i = std::size_t(axis) * n + e;
        if (a.face(std::size_t(axis), e) != ViscousOperator::unknown) return;
        u[i] = random.uniform(2 * i, -1, 1);
        v[i] = random.uniform(2 * i + 1, -1, 1);
        rigid[i] = turning(tank.face_centre(at, axis), axis);
    });
    a.apply(u, au);
    a.apply(v, av);
    a.apply(rigid, ar);
    EXPECT_NEAR(linear::dot(u, av), linear::dot(v, au), 1e-12 * linear::dot(u, au));
    double mass_part = 0;
    for (std::size_t i = 0; i < 3 * n; ++i) mass_part += a.mass(i / n, i % n) * u[i] * u[i];
    EXPECT_GT(linear::dot(u, au), 1.01 * mass_part);
    for (std::size_t i = 0; i < 3 * n; ++i) EXPECT_NEAR(ar[i], a.mass(i / n, i % n) * rigid[i], 1e-8);

    // The compressed rows are the same operator.
    ViscousRows rows;
    rows.build(a);
    linear::AlignedVector<double> x(rows.size()), ax(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) x[i] = u[rows.places()[i]];
    rows.apply(x, ax);
    std::size_t unknowns = 0;
    for (std::size_t i = 0; i < 3 * n; ++i) unknowns += a.face(i / n, i % n) == ViscousOperator::unknown;
    EXPECT_EQ(rows.size(), unknowns);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_NEAR(ax[i], au[rows.places()[i]], 1e-9 * (1 + std::abs(ax[i])));
}

TEST(ViscousMultigrid, IsSymmetricAndPositive) {
    Tank tank = ball();
    PressureSystem system;
    assemble_matrix(tank.domain(), system);
    grid::Field viscosity;
    grid::fill(viscosity, tank.topology.cells(), 5000.0);
    const PressureDomain flow = tank.domain();
    ViscousOperator a;
    a.build({flow, system.liquid, viscosity});
    ViscousRows rows;
    rows.build(a);
    ViscousMultigrid cycle;
    cycle.build(tank.topology, a, rows);
    const std::size_t n = rows.size();
    linear::AlignedVector<double> u(n), v(n), bu(n), bv(n);
    const Random random(9, 9);
    for (std::size_t i = 0; i < n; ++i)
        u[i] = random.uniform(2 * i, -1, 1), v[i] = random.uniform(2 * i + 1, -1, 1) + 1;
    cycle.apply(u, bu);
    cycle.apply(v, bv);
    EXPECT_GT(linear::dot(u, bu), 0);
    EXPECT_NEAR(linear::dot(u, bv), linear::dot(v, bu),
                1e-5 * std::sqrt(linear::dot(u, bu) * linear::dot(v, bv)));  // single precision inside
}

TEST(ViscousMultigrid, FindsWhatTheDiagonalFindsInFewerIterations) {
    ViscosityOptions diagonal = kTightViscosity, multigrid = kTightViscosity;
    diagonal.multigrid_from = 1e300;
    multigrid.multigrid_from = 0;
    const auto diffused = [](const ViscosityOptions& options, int& iterations) {
        Tank tank = ball();
        PressureSystem system;
        assemble_matrix(tank.domain(), system);
        grid::Field viscosity;
        grid::fill(viscosity, tank.topology.cells(), 5000.0);
        tank.set_velocity([](const Vec3d& x, int axis) {
            return axis == 0 ? 2 * x.x + std::sin(9 * x.y) : axis == 1 ? -x.y * x.z : std::cos(7 * x.x);
        });
        const PressureDomain flow = tank.domain();
        const auto report =
            ViscousProjection().diffuse({flow, system.liquid, viscosity}, options, tank.velocity);
        EXPECT_GT(report.stiffness, 100);
        iterations = report.viscous_iterations;
        return tank.velocity;
    };
    int slow = 0, fast = 0;
    const grid::FaceField one = diffused(diagonal, slow), other = diffused(multigrid, fast);
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t f = 0; f < one[axis].size(); ++f) EXPECT_NEAR(one[axis][f], other[axis][f], 1e-7);
    EXPECT_LT(3 * fast, slow);
}

TEST(ViscousProjection, ThickBallKeepsTurning) {
    Tank tank = ball();
    grid::Field viscosity;
    grid::fill(viscosity, tank.topology.cells(), 50.0);
    tank.set_velocity(turning);
    ViscousStep step;
    step.run(tank.domain(), viscosity, kTight, kTightViscosity, tank.velocity, tank.pressure);
    tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        if (!step.has_pressure(e)) return;
        EXPECT_NEAR(tank.velocity[std::size_t(axis)][e], turning(tank.face_centre(at, axis), axis), 1e-7);
    });
}

TEST(ViscousProjection, CoupledSolutionSatisfiesStokes) {
    Tank tank = ball();
    const PressureDomain flow = tank.domain();
    grid::Field viscosity;
    grid::fill(viscosity, tank.topology.cells(), 50.0);
    // A stretching flow with divergence: pressure and viscosity both have work to do.
    tank.set_velocity([](const Vec3d& x, int axis) {
        return axis == 0 ? 2 * x.x + std::sin(9 * x.y) : axis == 1 ? -x.y * x.z : std::cos(7 * x.x);
    });
    const grid::FaceField before = tank.velocity;
    ViscousStep step;
    const PressureReport pressure_report =
        step.run(tank.domain(), viscosity, kTight, kTightViscosity, tank.velocity, tank.pressure);
    EXPECT_GT(step.coupled.coupled_iterations, 0);
    EXPECT_LE(step.coupled.coupled_iterations, 60);
    EXPECT_LT(pressure_report.max_divergence, 1e-7);

    ViscousOperator a;
    a.build({flow, step.pressure.system().liquid, viscosity});
    EXPECT_GT(a.stiffness(), 1);
    const std::size_t n = tank.topology.cells();
    linear::AlignedVector<double> u(3 * n), au(3 * n);
    for (std::size_t i = 0; i < 3 * n; ++i)
        if (a.face(i / n, i % n) == ViscousOperator::unknown) u[i] = tank.velocity[i / n][i % n];
    a.apply(u, au);
    double largest = 0;
    tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
        const std::size_t ax = std::size_t(axis), i = ax * n + e;
        if (a.face(ax, e) != ViscousOperator::unknown) return;
        Vec3i low = at;
        low[axis] -= 1;
        const auto liquid_pressure = [&](std::int64_t c) {
            return c >= 0 && step.has_pressure(std::size_t(c)) ? tank.pressure[std::size_t(c)] : 0.0;
        };
        const double force =
            (liquid_pressure(std::int64_t(e)) - liquid_pressure(tank.topology.index(low))) / 0.05;
        largest = std::max(largest, std::abs(au[i] + tank.dt * force - a.mass(ax, e) * before[ax][e]));
    });
    EXPECT_LT(largest, 1e-3);  // kg/(m² s), against about 1000·2
}

TEST(ViscousProjection, ThinLiquidIsSplit) {
    Tank tank = ball();
    grid::Field viscosity;
    grid::fill(viscosity, tank.topology.cells(), 1e-3);
    tank.set_velocity(turning);
    ViscousStep step;
    step.run(tank.domain(), viscosity, {}, {}, tank.velocity, tank.pressure);
    EXPECT_EQ(step.coupled.coupled_iterations, 0);
    EXPECT_GT(step.diffused.stiffness, 0);
    EXPECT_LT(step.diffused.stiffness, 0.01);
}

}  // namespace
}  // namespace rivulet::liquid
