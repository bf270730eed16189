#include <gtest/gtest.h>

#include <cmath>

#include <liquid/tank.h>
#include <rivulet/liquid/pressure_solver.h>
#include <rivulet/liquid/surface_tension.h>

namespace rivulet::liquid {
namespace {

constexpr double kWater = 0.072;

TEST(SurfaceTension, CurvatureOfABallAndACylinder) {
    // φ = |x| − R at x = (r, 0, 0): gradient (1, 0, 0), Hessian diag(0, 1/r, 1/r).
    EXPECT_NEAR(level_set_curvature({1, 0, 0}, Mat3d::diagonal({0, 4, 4})), 8, 1e-14);
    EXPECT_NEAR(level_set_curvature({2, 0, 0}, Mat3d::diagonal({5, 8, 0})), 4, 1e-14);  // any scale of φ
    EXPECT_EQ(level_set_curvature({}, Mat3d::identity()), 0);
}

struct Drop {
    double pressure = 0, speed = 0;
};

/// A resting drop, its distance cut off at 1.5 cells as that of particles is.
Drop rest(int cells_per_radius) {
    const double radius = 1e-3, cell = radius / cells_per_radius;
    const int n = 4 * cells_per_radius;
    Tank tank({n, n, n}, cell);
    tank.boundary.clear(tank.topology.cells());
    const Vec3d centre = Vec3d{2.03, 1.98, 2.01} * radius;
    tank.set_phi(
        [&](const Vec3d& x) { return std::clamp(length(x - centre) - radius, -1.5 * cell, 1.5 * cell); });
    grid::Field surface;
    SurfaceTension().find_pressure(tank.topology, tank.phi, kWater, surface);
    tank.dt = 1e-5;
    PressureDomain domain = tank.domain();
    domain.surface_pressure = &surface;
    Projection projection;
    projection.project(domain, {1e-10, 200, 0}, tank.velocity, tank.pressure);
    Drop drop;
    double count = 0;
    for (std::size_t e = 0; e < tank.pressure.size(); ++e) {
        if (!projection.system().liquid[e]) continue;
        drop.pressure += tank.pressure[e];
        ++count;
        for (auto& u : tank.velocity) drop.speed = std::max(drop.speed, std::abs(u[e]));
    }
    drop.pressure /= count;
    return drop;
}

TEST(SurfaceTension, DropHasThePressureOfYoungAndLaplace) {
    const Drop coarse = rest(5), fine = rest(10);
    const double exact = 2 * kWater / 1e-3;
    EXPECT_NEAR(coarse.pressure, exact, 0.03 * exact);
    EXPECT_NEAR(fine.pressure, exact, 0.01 * exact);
    // False currents stay far below the capillary speed σ-scale √(σ/(ρR)) = 0.27 m/s.
    EXPECT_LT(fine.speed, 0.01);
}

}  // namespace
}  // namespace rivulet::liquid
