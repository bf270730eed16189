#include <gtest/gtest.h>

#include <linear/block_problem.h>
#include <rivulet/linear/components.h>

namespace rivulet::linear {
namespace {

TEST(Components, SeesThinWallsAndFreeSurfaces) {
    // Left of the plate x = 13 closed, right of it under a free surface, and one loose cell above.
    const BlockProblem<8> problem(
        {30, 20, 20},
        [](const Vec3i& c) { return c.x < 13 || c.y < 11 || (c.x == 20 && c.y == 15 && c.z == 9); },
        [](const Vec3i& c, int axis) { return axis == 0 && c.x == 13 ? 0.0 : 1.0; });
    Components<8> components;
    components.find(problem.layout, problem.matrix);
    ASSERT_EQ(components.count(), 3u);
    for (std::size_t e = 0; e < problem.cell.size(); ++e) {
        const std::int32_t c = components.of(e);
        const Vec3i& at = problem.cell[e];
        EXPECT_EQ(c < 0, problem.matrix.diagonal[e] == 0);
        if (c < 0) continue;
        EXPECT_EQ(components.is_singular(std::size_t(c)), at.x < 13);
        if (at.x == 20 && at.y == 15) {
            EXPECT_EQ(components.size_of(std::size_t(c)), 1u);
        }
    }
    std::vector<double> sum;
    components.sums(problem.matrix.diagonal, sum);
    double total = 0, expected = 0;
    for (double s : sum) total += s;
    for (double d : problem.matrix.diagonal) expected += d;
    EXPECT_NEAR(total, expected, 1e-9 * expected);
}

TEST(Components, SameForAnyThreadCount) {
    const Random random(5, 5);
    const BlockProblem<4> problem(
        {40, 40, 40},
        [&](const Vec3i& c) { return random.uniform(std::uint64_t(c.x + 40 * (c.y + 40 * c.z))) < 0.3; },
        [](const Vec3i&, int) { return 1.0; });
    Components<4> one, three;
    with_threads(1, [&] { one.find(problem.layout, problem.matrix); });
    with_threads(3, [&] { three.find(problem.layout, problem.matrix); });
    ASSERT_EQ(one.count(), three.count());
    for (std::size_t e = 0; e < problem.cell.size(); ++e) ASSERT_EQ(one.of(e), three.of(e));
}

}  // namespace
}  // namespace rivulet::linear
