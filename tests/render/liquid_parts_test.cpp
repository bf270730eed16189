#include <rivulet/render/liquid_parts.h>

#include <gtest/gtest.h>

using namespace rivulet;
using namespace rivulet::render;

namespace {

Mesh two_triangles() {
    Mesh m;
    m.position = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {10, 0, 0}, {11, 0, 0}, {10, 1, 0}};
    m.triangle = {{0, 1, 2}, {3, 4, 5}};
    m.velocity.assign(6, Vec3f{1, 2, 3});
    return m;
}

}  // namespace

TEST(LiquidParts, EachTriangleGoesToItsLiquid) {
    const auto parts = split_by_liquid(two_triangles(), {4, 2}, 0);
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

TEST(LiquidParts, WhatDoesNotSayIsAllOneLiquid) {
    const auto parts = split_by_liquid(two_triangles(), {}, 3);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].first, 3u);
    EXPECT_EQ(parts[0].second.triangle.size(), 2u);
}

TEST(LiquidParts, CommonestLiquidByParticles) {
    output::Frame frame;
    output::FrameGroup& g = frame.groups.emplace_back();
    g.materials = "liquid";
    g.position.resize(3);
    g.numbers.push_back({"material", "", {1, 2, 2}});
    EXPECT_EQ(commonest_liquid(frame), 2u);
    EXPECT_EQ(frame.liquids(), 3u);
}
