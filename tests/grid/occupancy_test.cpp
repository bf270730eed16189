#include <rivulet/grid/occupancy.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include <rivulet/base/random.h>

namespace rivulet::grid {
namespace {

using Corner = std::tuple<int, int, int>;

/// Points of a block, the slow way.
std::map<Corner, std::vector<std::uint32_t>> by_block(std::span<const Vec3d> points, double cell,
                                                      const Vec3i& period) {
    Topology frame;
    frame.cell = cell, frame.period = period;
    std::map<Corner, std::vector<std::uint32_t>> found;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const Vec3d s = frame.wrapped(points[i]) / cell;
        const auto corner = [](double x) { return 4 * static_cast<int>(std::floor(x / 4)); };
        found[{corner(s.x), corner(s.y), corner(s.z)}].push_back(i);
    }
    return found;
}

std::vector<Vec3d> cloud(std::size_t n, double width) {
    const Random random(5, 1);
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < n; ++i) points.push_back((random.uniform3(i) - Vec3d{0.5, 0.5, 0.5}) * width);
    return points;
}

void expect_as_by_hand(const Vec3i& period, std::uint32_t most) {
    const std::vector<Vec3d> points = cloud(20000, 4.7);
    Occupancy occupancy;
    for (int again = 0; again < 2; ++again) {
        occupancy.find(points, 0.1, period);
        const auto expected = by_block(points, 0.1, period);
        ASSERT_EQ(occupancy.blocks().size(), expected.size());
        Occupancy::Lists lists;
        occupancy.list_sparse(most, lists);
        ASSERT_EQ(lists.start.size(), expected.size() + 1);
        std::size_t listed = 0;
        for (const auto& [corner, members] : expected) {
            const auto [x, y, z] = corner;
            const std::int32_t b = occupancy.at({x, y, z});
            ASSERT_GE(b, 0);
            EXPECT_EQ(occupancy.blocks()[std::size_t(b)].points, members.size());
            std::uint64_t cells = 0;
            for (const std::uint32_t p : members) {
                const Vec3d s = occupancy.wrapped(points[p]) / 0.1;
                cells |= std::uint64_t{1} << cell_in_block(static_cast<int>(std::floor(s.x)) - x,
                                                           static_cast<int>(std::floor(s.y)) - y,
                                                           static_cast<int>(std::floor(s.z)) - z);
            }
            EXPECT_EQ(occupancy.blocks()[std::size_t(b)].cells, cells);
            const std::vector<std::uint32_t> list(lists.point.begin() + lists.start[std::size_t(b)],
                                                  lists.point.begin() + lists.start[std::size_t(b) + 1]);
            EXPECT_EQ(list, members.size() <= most ? members : std::vector<std::uint32_t>{});
            listed += list.size();
        }
        EXPECT_GT(listed, 1000u);
        EXPECT_EQ(listed, lists.point.size());
    }
}

TEST(Occupancy, BlocksCellsAndListsAreThoseByHand) {
    expect_as_by_hand({}, 11);
}

TEST(Occupancy, PeriodicAxesAreWrapped) {
    expect_as_by_hand({32, 0, 12}, 70);
}

TEST(Occupancy, PointsThatAreNowhereAreInNoBlock) {
    std::vector<Vec3d> points = {{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, {1e30, 0, 0}};
    points[1].y = std::numeric_limits<double>::quiet_NaN();
    Occupancy occupancy;
    occupancy.find(points, 1, {});
    ASSERT_EQ(occupancy.blocks().size(), 1u);
    EXPECT_EQ(occupancy.blocks()[0].points, 2u);
    Occupancy::Lists lists;
    occupancy.list_sparse(4, lists);
    EXPECT_EQ(lists.point, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(occupancy.at({4, 0, 0}), -1);
    occupancy.find({}, 1, {});
    EXPECT_TRUE(occupancy.blocks().empty());
    EXPECT_EQ(occupancy.at({0, 0, 0}), -1);
}

}  // namespace
}  // namespace rivulet::grid
