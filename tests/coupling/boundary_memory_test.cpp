#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include <rivulet/coupling/boundary_memory.h>

namespace rivulet::coupling {
namespace {

std::shared_ptr<const geometry::Shape> shape_of(geometry::Shape::Part part) {
    return std::make_shared<geometry::Shape>(std::vector<geometry::Shape::Part>{std::move(part)});
}

/// A slanting floor and a ball on it, the ball moved.
struct Room {
    geometry::Solid floor, ball;

    Room() {
        floor.shape = shape_of(geometry::HalfSpace{{0, 0.13, 0}, normalized(Vec3d{0.1, 1, 0.05})});
        ball.shape = shape_of(geometry::Sphere{{0.5, 0.6, 0.5}, 0.3});
        ball.obstacle = 1;
    }
    geometry::SolidField field(const Vec3d& from, const Vec3d& to) {
        ball.motion = {{Mat3d::identity(), from}, {Mat3d::identity(), to}, {}};
        return {{floor, ball}, 0.1};
    }
};

grid::Topology blocks_around(const Vec3d& point) {
    grid::TopologyBuilder builder;
    builder.start(0.1, {});
    const Vec3d points[] = {point, point + Vec3d{0.9, 0.3, 0.2}};
    builder.add_points(points);
    grid::Topology topology;
    builder.build(topology);
    return topology;
}

TEST(BoundaryMemory, ChangesNothing) {
    Room room;
    const obstacle::Wall walls[2] = {{obstacle::WallCondition::no_slip, 0, false, 0}, {}};
    BoundaryMemory memory;
    const auto compare = [&](const Vec3d& liquid, const geometry::SolidField& solids,
                             std::span<const obstacle::Wall> rules) {
        const grid::Topology topology = blocks_around(liquid);
        SolidBoundary known, asked;
        find_boundary(topology, solids, rules, known, &memory);
        find_boundary(topology, solids, rules, asked);
        EXPECT_EQ(known.distance, asked.distance);
        EXPECT_EQ(known.free_kernel, asked.free_kernel);
        EXPECT_EQ(known.faces.open, asked.faces.open);
        EXPECT_EQ(known.faces.wall, asked.faces.wall);
        EXPECT_EQ(known.faces.solid_velocity, asked.faces.solid_velocity);
    };
    const Vec3d here{}, there{0.2, 0.1, 0};
    for (const double x : {0.2, 0.3, 0.9, 0.1, 1.4, 0.2})
        compare({x, 0.4, 0.3}, room.field(here, here), walls);
    compare({0.2, 0.4, 0.3}, room.field(here, there), walls);   // moves
    compare({0.2, 0.4, 0.3}, room.field(there, there), walls);  // rests elsewhere
    compare({0.2, 0.4, 0.3}, room.field(there, there), {});     // other rules
    room.ball.shape = shape_of(geometry::Sphere{{0.5, 0.6, 0.5}, 0.2});
    compare({0.2, 0.4, 0.3}, room.field(there, there), {});  // another shape
}

TEST(BoundaryMemory, KnowsBlocksOfTheStepBefore) {
    Room room;
    const geometry::SolidField solids = room.field({}, {});
    BoundaryMemory memory;
    SolidBoundary boundary;
    const grid::Topology topology = blocks_around({0.2, 0.4, 0.3});
    const std::vector<std::uint8_t> rules{0, 0};
    const auto count_known = [&](const grid::Topology& blocks) {
        memory.start(blocks, solids, rules);
        std::size_t known = 0;
        for (std::size_t b = 0; b < blocks.size(); ++b) known += memory.recall(b, boundary);
        return known;
    };
    find_boundary(topology, solids, {}, boundary);
    EXPECT_EQ(count_known(topology), 0u);
    for (std::size_t b = 0; b < topology.size(); b += 2) memory.found(b);
    memory.keep(topology, boundary);
    EXPECT_EQ(count_known(topology), (topology.size() + 1) / 2);
    EXPECT_EQ(count_known(blocks_around({40, 0, 0})), 0u);
}

}  // namespace
}  // namespace rivulet::coupling
