#include <rivulet/coupling/wall_slip.h>

#include <gtest/gtest.h>

#include <memory>

#include <liquid/tank.h>

namespace rivulet::coupling {
namespace {

using liquid::Tank;

/// A slanting floor through the middle of a tank, and a flow along some direction everywhere.
struct Floor {
    Tank tank{{12, 12, 12}, 0.1};
    SolidBoundary boundary;
    grid::FaceFlags known;
    grid::FaceField velocity, work;
    Vec3d normal = normalized(Vec3d{1, 2, -0.5});

    Floor(obstacle::WallCondition condition, const Vec3d& wall_velocity, const Vec3d& flow) {
        geometry::Solid solid;
        solid.shape = std::make_shared<geometry::Shape>(
            std::vector<geometry::Shape::Part>{geometry::HalfSpace{{0.6, 0.6, 0.6}, normal}});
        const double dt = 1e-6;
        solid.motion = {{}, {Mat3d::identity(), wall_velocity * dt}, {}};
        const obstacle::Wall walls[] = {{condition, 0, true, 0}};
        find_boundary(tank.topology, {{solid}, dt}, walls, boundary);
        for (std::size_t a = 0; a < 3; ++a) {
            grid::fill(known[a], tank.topology.cells(), std::uint8_t{1});
            grid::fill(velocity[a], tank.topology.cells(), flow[int(a)]);
        }
    }
    template <class F>
    void for_closed_faces(F&& body) {
        int count = 0;
        tank.for_cells([&](std::size_t e, const Vec3i& at) {
            const bool inner = at.x > 2 && at.x < 9 && at.y > 2 && at.y < 9 && at.z > 2 && at.z < 9;
            for (std::size_t a = 0; inner && a < 3; ++a)
                if (boundary.faces.open[a][e] == 0 && boundary.distance[e] > -0.2) body(a, e), ++count;
        });
        EXPECT_GT(count, 50);
    }
};

TEST(WallSlip, LiquidAlongAStillWallGoesOn) {
    const Vec3d along = cross(Floor(obstacle::WallCondition::slip, {}, {}).normal, Vec3d{0, 0, 1});
    Floor floor(obstacle::WallCondition::slip, {}, along);
    EXPECT_TRUE(floor.boundary.faces.solid_velocity[0].empty());
    constrain_sliding_faces(floor.tank.topology, floor.boundary, floor.known, floor.work, floor.velocity);
    floor.for_closed_faces(
        [&](std::size_t a, std::size_t e) { EXPECT_NEAR(floor.velocity[a][e], along[int(a)], 1e-9); });
}

TEST(WallSlip, AcrossTheWallLiquidTakesTheWallsSpeed) {
    const Vec3d wall{0.3, -0.2, 0.5}, flow{1, 2, 3};
    Floor floor(obstacle::WallCondition::slip, wall, flow);
    const Vec3d wanted = flow - floor.normal * dot(flow - wall, floor.normal);
    constrain_sliding_faces(floor.tank.topology, floor.boundary, floor.known, floor.work, floor.velocity);
    floor.for_closed_faces(
        [&](std::size_t a, std::size_t e) { EXPECT_NEAR(floor.velocity[a][e], wanted[int(a)], 1e-6); });
}

TEST(WallSlip, OnlyClosedFacesOfSlidingWallsAreForgotten) {
    for (const auto condition : {obstacle::WallCondition::slip, obstacle::WallCondition::no_slip}) {
        Floor floor(condition, {}, {});
        forget_sliding_faces(floor.boundary, floor.known);
        const bool slips = condition == obstacle::WallCondition::slip;
        floor.for_closed_faces(
            [&](std::size_t a, std::size_t e) { EXPECT_EQ(floor.known[a][e], slips ? 0 : 1); });
        floor.tank.for_cells([&](std::size_t e, const Vec3i&) {
            for (std::size_t a = 0; a < 3; ++a)
                EXPECT_TRUE(floor.known[a][e] || floor.boundary.faces.open[a][e] == 0);
        });
    }
}

}  // namespace
}  // namespace rivulet::coupling
