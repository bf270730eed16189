#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include <liquid/tank.h>
#include <rivulet/coupling/face_boundary.h>
#include <rivulet/coupling/flat_walls.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/liquid/pressure_solver.h>

namespace rivulet::coupling {
namespace {

using geometry::Pose;
using liquid::Tank;

geometry::Solid solid(geometry::Shape::Part part, bool liquid_inside, int obstacle, const Pose& start = {},
                      const Pose& end = {}) {
    geometry::Solid s;
    s.shape = std::make_shared<geometry::Shape>(std::vector<geometry::Shape::Part>{std::move(part)});
    s.liquid_inside = liquid_inside;
    s.motion = {start, end, {0.8, 0.8, 0.7}};
    s.obstacle = obstacle;
    return s;
}

/// A box with liquid inside, and a ball in it; neither fits the cells.
geometry::SolidField box_and_ball(double dt, const Pose& end = {}) {
    std::vector<geometry::Solid> solids;
    solids.push_back(
        solid(geometry::RoundedBox{{0.77, 0.79, 0.71}, {0.74, 0.75, 0.62}, 0}, true, 0, {}, end));
    solids.push_back(solid(geometry::Sphere{{0.8, 0.5, 0.7}, 0.3}, false, 1, {}, end));
    return {std::move(solids), dt};
}

const liquid::PressureOptions kTight{1e-12, 200, 6};

TEST(FaceBoundary, FractionsOfAFloorBetweenCells) {
    Tank tank({12, 12, 12}, 0.1);
    std::vector<geometry::Solid> solids;
    solids.push_back(solid(geometry::HalfSpace{{0, 0.43, 0}, {0, 1, 0}}, false, 0));
    SolidBoundary boundary;
    const obstacle::Wall walls[] = {{obstacle::WallCondition::no_slip, 0, false, 0}};
    const geometry::SolidField floor(std::move(solids), 0.1);
    find_boundary(tank.topology, floor, walls, boundary);
    grid::Field open_volume;
    find_open_volume(tank.topology, floor, open_volume);
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        const double open = std::clamp(at.y + 1 - 4.3, 0.0, 1.0);
        EXPECT_NEAR(open_volume[e], open, 1e-12);
        // The kernel's integral above the wall. A lattice's sum differs by up to 1 %, the eighths that the
        // wall cuts count as if at their centres: another 1 %.
        EXPECT_NEAR(boundary.free_kernel[e], grid::quadratic_integral(at.y + 0.5 - 4.3), 0.02);
        EXPECT_NEAR(boundary.faces.open[0][e], open, 1e-12);
        EXPECT_NEAR(boundary.faces.open[2][e], open, 1e-12);
        EXPECT_EQ(boundary.faces.open[1][e], at.y > 4 ? 1 : 0);
        EXPECT_NEAR(boundary.distance[e], std::min(0.3, tank.centre(at).y - 0.43), 1e-12);
        if (at.y == 4) {
            EXPECT_EQ(boundary.faces.wall[1][e], 0);
        }
        if (at.y > 9) {
            EXPECT_EQ(boundary.faces.wall[1][e], grid::FaceBoundary::kNoWall);
        }
    });
    ASSERT_EQ(boundary.faces.rules.size(), 1u);
    EXPECT_EQ(boundary.faces.rules[0].kind, grid::WallKind::no_slip);
}

/// The part of [low, low + 1] in [min, max], all in cells.
double part_between(double low, double min, double max) {
    return std::clamp(std::min(low + 1, max) - std::max(low, min), 0.0, 1.0);
}

TEST(FaceBoundary, AreasAndVolumesAreExactWhereWallsMeet) {
    Tank tank({12, 12, 12}, 0.1);
    const Vec3d min{0.237, 0.361, 0.155}, max{0.912, 0.884, 0.949};
    std::vector<geometry::Solid> solids;
    solids.push_back(solid(geometry::RoundedBox{(min + max) * 0.5, (max - min) * 0.5, 0}, true, 0));
    const geometry::SolidField box(std::move(solids), 0.1);
    SolidBoundary boundary;
    find_boundary(tank.topology, box, {}, boundary);
    grid::Field open_volume;
    find_open_volume(tank.topology, box, open_volume);
    int corners = 0;
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        Vec3d part, kernel;
        for (int a = 0; a < 3; ++a) {
            part[a] = part_between(at[a], min[a] / 0.1, max[a] / 0.1);
            kernel[a] = grid::quadratic_integral(at[a] + 0.5 - min[a] / 0.1) *
                        grid::quadratic_integral(max[a] / 0.1 - at[a] - 0.5);
        }
        corners += part.x > 0 && part.x < 1 && part.y > 0 && part.y < 1;
        EXPECT_NEAR(open_volume[e], part.x * part.y * part.z, 1e-12);
        EXPECT_NEAR(boundary.free_kernel[e], kernel.x * kernel.y * kernel.z, 0.02);
        for (int a = 0; a < 3; ++a) {
            const bool inside = at[a] > min[a] / 0.1 && at[a] < max[a] / 0.1;
            const double area = inside ? part[(a + 1) % 3] * part[(a + 2) % 3] : 0;
            EXPECT_NEAR(boundary.faces.open[std::size_t(a)][e], without_slivers(area), 1e-12);
        }
    });
    EXPECT_GT(corners, 20);
}

TEST(FaceBoundary, AreasBetweenSlantingWallsAndALargeBall) {
    Tank tank({8, 8, 8}, 0.1);
    std::vector<geometry::Solid> solids;
    solids.push_back(solid(geometry::HalfSpace{{0.31, 0.4, 0.4}, normalized(Vec3d{2, 1, 0.3})}, false, 0));
    solids.push_back(solid(geometry::HalfSpace{{0.4, 0.33, 0.4}, normalized(Vec3d{-1, 2, 0.5})}, false, 1));
    solids.push_back(solid(geometry::Sphere{{2.6, 0.9, 0.4}, 2.1}, false, 2));
    const geometry::SolidField field(std::move(solids), 0.1);
    SolidBoundary boundary;
    const obstacle::Wall walls[3] = {};
    find_boundary(tank.topology, field, walls, boundary);
    const int n = 64;
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (at.z != 3) return;
        for (int a = 0; a < 3; ++a) {
            double open = 0;
            for (int s = 0; s < n * n; ++s) {
                Vec3d x = to_double(at);
                x[(a + 1) % 3] += (s % n + 0.5) / n;
                x[(a + 2) % 3] += (s / n + 0.5) / n;
                open += field.distance(x * 0.1, 1) > 0;
            }
            // Samples tell the area to about 1 %.
            EXPECT_NEAR(boundary.faces.open[std::size_t(a)][e], open / (n * n), 0.015);
        }
    });
}

TEST(FaceBoundary, LatticeBeforeAWallOnTheGrid) {
    // Quadratic B-spline at ±1/4, ±3/4, ±5/4 cells, over two.
    EXPECT_NEAR(lattice_before_wall(0.5), (22 + 22 + 9 + 1) / 64.0, 1e-15);
    EXPECT_NEAR(lattice_before_wall(-0.5), (1 + 9) / 64.0, 1e-15);
    EXPECT_NEAR(lattice_before_wall(0), 0.5, 1e-15);
    for (double d = -2; d < 2; d += 0.037) {
        EXPECT_NEAR(lattice_before_wall(d) + lattice_before_wall(-d), 1, 1e-14);
        EXPECT_NEAR(lattice_before_wall(d), grid::quadratic_integral(d), 0.011);
    }
}

TEST(FaceBoundary, SliversAreRoundedAway) {
    EXPECT_EQ(without_slivers(0.009), 0);
    EXPECT_EQ(without_slivers(0.991), 1);
    EXPECT_EQ(without_slivers(0.5), 0.5);
}

TEST(FaceBoundary, EqualWallsShareARule) {
    Tank tank({4, 4, 4}, 0.1);
    std::vector<obstacle::Wall> walls(400);
    walls[7].separate = false;
    SolidBoundary boundary;
    find_boundary(tank.topology, {}, walls, boundary);
    EXPECT_EQ(boundary.faces.rules.size(), 2u);
}

TEST(FaceBoundary, MatchesPointwiseQuestionsNearWalls) {
    Tank tank({16, 16, 16}, 0.1);
    const Pose turned = geometry::rotation_about_pivot({0, 0, 1}, 0.05, {0.8, 0.8, 0.7});
    const geometry::SolidField solids = box_and_ball(0.01, turned);
    obstacle::Wall walls[2] = {};
    walls[1].separate = false;
    SolidBoundary boundary;
    find_boundary(tank.topology, solids, walls, boundary);
    std::size_t balls = 0;
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        const double distance = solids.distance(tank.centre(at), 1);
        if (std::abs(distance) < 0.29) {
            EXPECT_NEAR(boundary.distance[e], distance, 1e-12);
        } else {
            EXPECT_EQ(boundary.distance[e] < 0, distance < 0);
        }
        if (distance > 0.2 || distance < -0.2) return;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d face = tank.centre(at);
            face[axis] -= 0.05;
            const auto wall = solids.sample(face, 1);
            EXPECT_EQ(boundary.faces.wall[std::size_t(axis)][e], wall.solid);
            EXPECT_NEAR(boundary.faces.solid_velocity[std::size_t(axis)][e], wall.velocity[axis], 1e-12);
            balls += wall.solid == 1;
        }
    });
    EXPECT_GT(balls, 100u);
}

TEST(FaceBoundary, LiquidRestsInAContainerThatDoesNotFitTheCells) {
    Tank tank({16, 16, 16}, 0.1);
    SolidBoundary boundary;
    const obstacle::Wall walls[2] = {};
    find_boundary(tank.topology, box_and_ball(tank.dt), walls, boundary);
    tank.boundary = boundary.faces;
    tank.set_phi([](const Vec3d& x) { return x.y - 1.03; });
    tank.set_velocity([&](const Vec3d&, int axis) { return axis == 1 ? -9.81 * tank.dt : 0.0; });
    liquid::Projection projection;
    const auto report = projection.project(tank.domain(), kTight, tank.velocity, tank.pressure);
    EXPECT_EQ(report.released, 0u);
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        if (!projection.system().liquid[e]) return;
        EXPECT_NEAR(tank.pressure[e], 9810 * (1.03 - tank.centre(at).y), 1e-4);
        for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(tank.velocity[a][e], 0, 1e-9);
    });
}

TEST(FaceBoundary, CarriedAndTurnedFullContainersAreNotSqueezed) {
    const double dt = 0.01;
    const Pose carried{Mat3d::identity(), {0.01, 0.02, -0.01}};
    const Pose turned = geometry::rotation_about_pivot({0, 0, 1}, 0.02, {0.8, 0.8, 0.7});
    for (const Pose& end : {carried, turned}) {
        Tank tank({16, 16, 16}, 0.1);
        SolidBoundary boundary;
        const obstacle::Wall walls[2] = {};
        find_boundary(tank.topology, box_and_ball(dt, end), walls, boundary);
        tank.boundary = boundary.faces;
        liquid::Projection projection;
        const auto report = projection.project(tank.domain(), {1e-10, 200, 0}, tank.velocity, tank.pressure);
        EXPECT_EQ(report.closed_pockets, 1u);
        if (end == carried) {
            EXPECT_LT(report.max_divergence, 1e-7);
        }
    }
}

TEST(ContinueIntoSolids, LiquidMeetsASlantingWallSquarely) {
    Tank tank({12, 12, 12}, 0.1);
    const Vec3d across = normalized(Vec3d{2, 0, 1}), along = normalized(Vec3d{-1, 3, 2});
    std::vector<geometry::Solid> solids;
    solids.push_back(solid(geometry::HalfSpace{{0.6, 0.6, 0.6}, across}, false, 0));
    SolidBoundary boundary;
    find_boundary(tank.topology, {std::move(solids), 0.1}, {}, boundary);
    // A surface across the wall: known outside, spoilt inside.
    tank.set_phi([&](const Vec3d& x) { return dot(x - Vec3d{0.6, 0.6, 0.6}, along); });
    const grid::Field whole = tank.phi;
    tank.for_cells([&](std::size_t e, const Vec3i&) {
        if (boundary.free_kernel[e] < 1.0 / 3) tank.phi[e] = 7;
    });
    continue_into_solids(tank.topology, boundary, tank.phi);
    int reached = 0;
    tank.for_cells([&](std::size_t e, const Vec3i& at) {
        const bool inner = at.x > 2 && at.x < 9 && at.y > 2 && at.y < 9 && at.z > 2 && at.z < 9;
        if (!inner || boundary.distance[e] < -0.2) return;
        reached += boundary.distance[e] < 0;
        EXPECT_NEAR(tank.phi[e], whole[e], 0.02);
    });
    EXPECT_GT(reached, 20);
}

}  // namespace
}  // namespace rivulet::coupling
