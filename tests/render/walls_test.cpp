#include <rivulet/render/walls.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet::render {
namespace {

/// A prism of `sides` walls, radius 1, from y = 0 to 2; a box when it has four.
struct Prism {
    std::vector<Vec3f> position;
    std::vector<Vec3i> triangle;
    explicit Prism(int sides) {
        for (int k = 0; k < 2 * sides; ++k) {
            const float a = 6.2831853f * float(k % sides) / float(sides);
            position.push_back({std::cos(a), k < sides ? 0.0f : 2.0f, std::sin(a)});
        }
        for (int k = 0; k < sides; ++k) {
            const int n = (k + 1) % sides;
            triangle.push_back({k, sides + k, n});
            triangle.push_back({n, sides + k, sides + n});
            if (k > 0 && k + 1 < sides) {
                triangle.push_back({0, k, n});
                triangle.push_back({sides, sides + n, sides + k});
            }
        }
    }
};

TEST(Walls, OfConvexContainersOnly) {
    const Prism box(4), cylinder(48);
    EXPECT_EQ(flat_walls(box.position, box.triangle).size(), 6u);
    EXPECT_EQ(flat_walls(cylinder.position, cylinder.triangle).size(), 50u);
    Prism dented(4);
    dented.position[5] = {0.1f, 1.0f, 0.1f};
    EXPECT_TRUE(flat_walls(dented.position, dented.triangle).empty());
    EXPECT_TRUE(flat_walls({}, {}).empty());
}

TEST(Walls, LiquidThatFacesAWallIsLaidOnIt) {
    const Prism box(4);
    const auto walls = flat_walls(box.position, box.triangle);
    const float side = std::sqrt(0.5f);
    const Vec3f outward{side, 0, side};
    Mesh liquid;
    const auto add = [&](const Vec3f& p, const Vec3f& n) {
        liquid.position.push_back(p);
        liquid.normal.push_back(normalized(n));
    };
    add(outward * (side - 0.05f) + Vec3f{0, 0.5f, 0}, {1, 0.3f, 0.8f});  // near a side, looks at it
    add(outward * (side - 0.05f) + Vec3f{0, 0.5f, 0}, {-1, 0, -1});      // looks away
    add(outward * (side - 0.30f) + Vec3f{0, 0.5f, 0}, outward);          // too far
    add({0, 0.05f, 0}, {0, -1, 0});                                      // near the floor
    add(outward * (side - 0.05f) + Vec3f{0, 0.05f, 0}, {1, -1.5f, 1});   // in a corner
    press_against(walls, 0.1f, 0.001f, 0.002f, liquid);
    const auto from_side = [&](std::size_t i) { return side - dot(liquid.position[i], outward); };
    EXPECT_NEAR(from_side(0), 0.001f, 1e-5f);
    EXPECT_NEAR(liquid.position[0].y, 0.5f, 1e-6f);
    EXPECT_NEAR(dot(liquid.normal[0], outward), 1, 1e-5f);
    EXPECT_NEAR(from_side(1), 0.05f, 1e-5f);
    EXPECT_NEAR(from_side(2), 0.30f, 1e-5f);
    EXPECT_NEAR(liquid.position[3].y, -0.002f, 1e-6f);
    EXPECT_NEAR(from_side(4), 0.001f, 1e-5f);
    EXPECT_NEAR(liquid.position[4].y, -0.002f, 1e-6f);
}

TEST(Walls, FacetsOfARoundContainerDoNotPullLiquidOut) {
    const Prism cylinder(48);
    const auto walls = flat_walls(cylinder.position, cylinder.triangle);
    Mesh liquid;
    for (int k = 0; k < 500; ++k) {
        const float a = 0.0125664f * float(k);
        const Vec3f outward{std::cos(a), 0, std::sin(a)};
        liquid.position.push_back(outward * (k % 2 ? 0.93f : 0.97f) + Vec3f{0, 1, 0});
        liquid.normal.push_back(outward);
    }
    press_against(walls, 0.1f, 0.001f, 0.002f, liquid);
    const float inner = std::cos(3.1415927f / 48);  // radius half-way along a facet
    for (const Vec3f& p : liquid.position) {
        const float radius = std::hypot(p.x, p.z);
        EXPECT_GT(radius, inner - 0.002f);
        EXPECT_LT(radius, 1.0f);
    }
}

}  // namespace
}  // namespace rivulet::render
