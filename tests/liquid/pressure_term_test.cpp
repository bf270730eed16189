#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <liquid/tank.h>
#include <liquid/viscous_step.h>
#include <rivulet/base/error.h>
#include <rivulet/liquid/pressure_solver.h>

namespace rivulet::liquid {
namespace {

const PressureOptions kTight{1e-10, 200, 0};

/// The right wall of a tank as a piston of given mass on a spring, which would move at `speed` by the end of
/// the step without liquid. Pressure p on its area changes that by Δt Σ p a / (m + Δt² k).
class Piston : public PressureTerm {
 public:
    Piston(Tank& tank, double mass, double spring, double speed)
        : speed_(speed),
          inertia_(mass + tank.dt * tank.dt * spring),
          dt_(tank.dt),
          cell_(tank.topology.cell) {
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            if (tank.inside(at) && at.x == tank.n.x - 1) cells_.push_back(e);
        });
        tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            if (axis == 0 && at.x == tank.n.x) tank.boundary.solid_velocity[0][e] = speed;
        });
    }
    std::span<const std::size_t> cells() const override { return cells_; }
    void product(std::span<const double> p, std::span<double> out) const override {
        double force = 0;
        for (const double pressure : p) force += pressure * cell_ * cell_;
        for (double& o : out) o = dt_ * force / inertia_ / cell_;
    }
    bool fixes_level() const override { return true; }

    /// What stops it: the mean pressure of a full tank.
    double stopping_pressure() const {
        return -speed_ * inertia_ / (dt_ * double(cells_.size()) * cell_ * cell_);
    }
    double speed_after(const grid::Field& pressure) const {
        double force = 0;
        for (const std::size_t e : cells_) force += pressure[e] * cell_ * cell_;
        return speed_ + dt_ * force / inertia_;
    }

 private:
    double speed_, inertia_, dt_, cell_;
    std::vector<std::size_t> cells_;
};

PressureDomain with(const Tank& tank, const std::vector<const PressureTerm*>& terms) {
    PressureDomain domain = tank.domain();
    domain.terms = terms;
    return domain;
}

TEST(PressureTerm, AFullTankHoldsAPistonOnASpring) {
    // From a feather on a weak spring to a wall: the pressure is always the one that stops it.
    for (const double inertia : {1e-3, 1.0, 1e3, 1e6}) {
        Tank tank({12, 12, 12}, 0.1);
        const Piston piston(tank, 0.4 * inertia, 0.6 * inertia / (tank.dt * tank.dt), -0.5);
        const std::vector<const PressureTerm*> terms{&piston};
        Projection projection;
        const PressureReport report =
            projection.project(with(tank, terms), kTight, tank.velocity, tank.pressure);
        EXPECT_EQ(report.closed_pockets, 0u);
        EXPECT_LE(report.iterations, 20) << inertia;
        EXPECT_LT(report.max_divergence, 1e-7);
        const double expected = piston.stopping_pressure();
        EXPECT_GT(expected, 0);
        EXPECT_NEAR(piston.speed_after(tank.pressure), 0, 1e-9);
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            if (!tank.inside(at)) return;
            ASSERT_NEAR(tank.pressure[e], expected, 1e-6 * expected) << inertia;
        });
        tank.for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            if (!tank.inside(at) || at[axis] == 0) return;
            ASSERT_NEAR(tank.velocity[std::size_t(axis)][e], 0, 1e-7) << inertia;
        });
    }
}

TEST(PressureTerm, TheSameWallWithoutATermIsRefused) {
    Tank tank({12, 12, 12}, 0.1);
    const Piston piston(tank, 1, 0, -0.5);
    Projection projection;
    EXPECT_THROW(projection.project(tank.domain(), {}, tank.velocity, tank.pressure), StepFailed);
}

TEST(PressureTerm, WeightAddsToWhatHoldsThePiston) {
    Tank tank({12, 12, 12}, 0.1);
    const Piston piston(tank, 30, 2e4, -0.2);
    tank.set_velocity([&](const Vec3d&, int axis) { return axis == 1 ? -9.81 * tank.dt : 0.0; });
    Projection projection;
    const std::vector<const PressureTerm*> terms{&piston};
    projection.project(with(tank, terms), kTight, tank.velocity, tank.pressure);
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (!tank.inside(at)) return;
        const double expected = piston.stopping_pressure() + 1000 * 9.81 * (0.6 - tank.centre(at).y);
        ASSERT_NEAR(tank.pressure[e], expected, 1e-5 * piston.stopping_pressure());
    });
}

TEST(PressureTerm, AnOpenTankLetsThePistonIn) {
    // Under a free surface liquid gives way: the piston keeps part of its speed and the surface rises by
    // that.
    Tank tank({12, 16, 12}, 0.1);
    tank.set_phi([](const Vec3d& x) { return x.y - 1.0; });
    const Piston piston(tank, 500, 0, -0.5);
    Projection projection;
    const std::vector<const PressureTerm*> terms{&piston};
    const PressureReport report = projection.project(with(tank, terms), kTight, tank.velocity, tank.pressure);
    EXPECT_LT(report.max_divergence, 1e-7);
    const double speed = piston.speed_after(tank.pressure);
    EXPECT_LT(speed, -0.05);
    EXPECT_GT(speed, -0.5);
    double risen = 0;
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (at.y == 10 && tank.inside(at)) risen += tank.velocity[1][e] * 0.01;
    });
    EXPECT_NEAR(risen, -speed * 1.0 * 1.2, 1e-7);
}

TEST(PressureTerm, ThickLiquidHoldsThePistonToo) {
    Tank tank({12, 12, 12}, 0.1);
    const Piston piston(tank, 30, 2e4, -0.2);
    grid::Field viscosity;
    grid::fill(viscosity, tank.topology.cells(), 80.0);
    const std::vector<const PressureTerm*> terms{&piston};
    ViscousStep step;
    const PressureReport report =
        step.run(with(tank, terms), viscosity, kTight, {}, tank.velocity, tank.pressure);
    EXPECT_LT(report.max_divergence, 1e-7);
    EXPECT_NEAR(piston.speed_after(tank.pressure), 0, 1e-7);
}

}  // namespace
}  // namespace rivulet::liquid
