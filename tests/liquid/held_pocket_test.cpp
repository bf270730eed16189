#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <liquid/tank.h>
#include <rivulet/liquid/viscous_projection.h>

namespace rivulet::liquid {
namespace {

constexpr double kCell = 0.01, kOpen = 0.05, kSpeed = 1;

/// Thick liquid in a tank, at rest, with a free surface; in it two cells around which a no-slip wall closes
/// in. Its faces are a little open, but their centres lie in the wall: viscosity holds them.
struct HeldPocket {
    Tank tank{{12, 12, 12}, kCell};
    grid::Field distance, viscosity;

    HeldPocket() {
        tank.dt = 1e-3;
        tank.boundary.rules.push_back({grid::WallKind::no_slip, 0, false, 0});
        tank.set_phi([](const Vec3d& x) { return x.y - 0.085; });
        grid::fill(distance, tank.topology.cells(), kCell);
        grid::fill(viscosity, tank.topology.cells(), 10.0);
        const std::array<Vec3i, 2> pocket{Vec3i{5, 3, 5}, Vec3i{6, 3, 5}};
        for (const Vec3i& at : pocket)
            for (int axis = 0; axis < 3; ++axis)
                for (const int side : {0, 1}) {
                    Vec3i face = at, beyond = at;
                    face[axis] += side;
                    beyond[axis] += side == 0 ? -1 : 1;
                    if (std::find(pocket.begin(), pocket.end(), beyond) != pocket.end()) continue;
                    const auto a = std::size_t(axis), e = std::size_t(tank.topology.index(face));
                    distance[std::size_t(tank.topology.index(beyond))] = -3 * kCell;
                    tank.boundary.open[a][e] = kOpen;
                    tank.boundary.wall[a][e] = 1;
                    tank.boundary.solid_velocity[a][e] = side == 0 ? kSpeed : -kSpeed;
                }
    }
};

TEST(HeldPocket, ThatWallsSqueezeDoesNotGrow) {
    HeldPocket held;
    Tank& tank = held.tank;
    const PressureDomain flow = tank.domain();
    Projection projection;
    projection.assemble(flow);
    const ViscousDomain domain{flow, projection.system().liquid, held.viscosity, &held.distance};
    const ViscosityOptions options;
    ViscousProjection viscous;
    ViscosityReport coupled;
    EXPECT_GT(viscous.diffuse(domain, options, tank.velocity).stiffness, options.coupled_from);
    const PressureReport report =
        viscous.project(domain, {}, options, projection, tank.velocity, tank.pressure, coupled);
    EXPECT_GT(coupled.coupled_iterations, 0);
    EXPECT_LT(coupled.coupled_iterations, options.most_coupled_iterations);
    EXPECT_LT(report.max_divergence * tank.dt, 1e-4);
    double fastest = 0;
    for (const auto& u : tank.velocity)
        for (const double v : u) fastest = std::max(fastest, std::abs(v));
    // What the walls displace leaves through what they leave open.
    EXPECT_LT(fastest, 2 * kSpeed / kOpen);
}

}  // namespace
}  // namespace rivulet::liquid
