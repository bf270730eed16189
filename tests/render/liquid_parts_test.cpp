#include <rivulet/render/liquid_parts.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

using namespace rivulet;
using namespace rivulet::render;

namespace {

/// Two triangles, one near each of two particles of different liquids.
Mesh two_triangles() {
    Mesh m;
    m.position = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {10, 0, 0}, {11, 0, 0}, {10, 1, 0}};
    m.triangle = {{0, 1, 2}, {3, 4, 5}};
    m.velocity.assign(6, Vec3f{1, 2, 3});
    return m;
}

LiquidPoints two_liquids() {
    LiquidPoints l;
    l.position = {{0.3f, 0.3f, -0.5f}, {10.3f, 0.3f, -0.5f}, {10.3f, 0.3f, -1}};
    l.radius = {0.5f, 0.5f, 0.5f};
    l.material = {4, 2, 2};
    return l;
}

}  // namespace

TEST(LiquidParts, EachTriangleGoesToItsLiquid) {
    const auto parts = split_by_liquid(two_triangles(), two_liquids());
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].first, 2u);
    EXPECT_EQ(parts[1].first, 4u);
    for (const auto& [liquid, mesh] : parts) {
        ASSERT_EQ(mesh.triangle.size(), 1u);
        ASSERT_EQ(mesh.position.size(), 3u);
        EXPECT_EQ(mesh.velocity.size(), 3u);
        EXPECT_EQ(mesh.position[std::size_t(mesh.triangle[0].x)].x, liquid == 2 ? 10 : 0);
    }
}

TEST(LiquidParts, OneLiquidAndStraysGoToTheCommonest) {
    LiquidPoints l = two_liquids();
    l.material = {2, 2, 2};
    ASSERT_EQ(split_by_liquid(two_triangles(), l).size(), 1u);
    l = two_liquids();
    l.position[0] = {std::numeric_limits<float>::quiet_NaN(), 0, 0};
    const auto parts = split_by_liquid(two_triangles(), l);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].first, 2u);
    EXPECT_EQ(parts[0].second.triangle.size(), 2u);
}
