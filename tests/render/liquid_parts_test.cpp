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
    output::FrameGroup surface;
    surface.triangle_material = {4, 2};
    const auto parts = split_by_liquid(two_triangles(), surface, 0);
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
    const auto parts = split_by_liquid(two_triangles(), output::FrameGroup{}, 3);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].first, 3u);
    EXPECT_EQ(parts[0].second.triangle.size(), 2u);
}

TEST(LiquidParts, TrianglesAreCutWhereSharesAreEqual) {
    Mesh square;
    square.position = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    square.triangle = {{0, 1, 2}, {0, 2, 3}};
    square.normal.assign(4, Vec3f{0, 0, 1});
    output::FrameGroup surface;
    surface.position = square.position;
    surface.triangle_material = {1, 0};
    surface.share = {1, 0, 0.2f, 0.8f, 0.2f, 0.8f, 1, 0};  // equal at x = 0.625
    const auto parts = split_by_liquid(square, surface, 0);
    ASSERT_EQ(parts.size(), 2u);
    float area[2] = {0, 0};
    for (const auto& [liquid, mesh] : parts) {
        EXPECT_EQ(mesh.normal.size(), mesh.position.size());
        for (const Vec3f& p : mesh.position)
            EXPECT_TRUE(liquid == 0 ? p.x < 0.626f : p.x > 0.624f) << liquid << " " << p.x;
        for (const Vec3i& t : mesh.triangle) {
            const Vec3f a = mesh.position[std::size_t(t.x)];
            const float z = cross(mesh.position[std::size_t(t.y)] - a, mesh.position[std::size_t(t.z)] - a).z;
            EXPECT_GT(z, 0) << "turned as before";
            area[liquid] += z / 2;
        }
    }
    EXPECT_NEAR(area[0], 0.625f, 1e-5f);
    EXPECT_NEAR(area[1], 0.375f, 1e-5f);
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
