#include <rivulet/surface/reconstruct.h>

#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>

namespace rivulet::surface {
namespace {

constexpr double kCell = 0.01, kSpacing = kCell / 2, kSide = 0.08;

Options two_liquids() {
    Options o;
    o.cell = kCell;
    o.liquids = 2;
    return o;
}

/// A cube whose half x < 0 is the first liquid, the other half the second.
Particles halves() {
    Particles p;
    const int n = int(std::lround(kSide / kSpacing));
    for (int i = 0; i < n * n * n; ++i) {
        const Vec3d x = Vec3d{i % n + 0.5, i / n % n + 0.5, i / n / n + 0.5} * kSpacing -
                        Vec3d{kSide / 2, kSide / 2, kSide / 2};
        p.position.push_back(x);
        p.velocity.push_back({1, 0, 0});
        p.volume.push_back(std::pow(kSpacing, 3));
        p.material.push_back(x.x < 0 ? 0 : 1);
    }
    return p;
}

TEST(SurfaceLiquids, TrianglesAndVerticesKnowTheirLiquid) {
    const SurfaceMesh mesh = reconstruct(halves(), {}, two_liquids());
    ASSERT_EQ(mesh.material.size(), mesh.triangle.size());
    ASSERT_EQ(mesh.material_weight.size(), 2 * mesh.position.size());
    for (std::size_t v = 0; v < mesh.position.size(); ++v) {
        const float first = mesh.material_weight[2 * v], second = mesh.material_weight[2 * v + 1];
        ASSERT_NEAR(first + second, 1, 1e-6f);
        const float x = mesh.position[v].x;
        if (std::abs(x) > float(2 * kCell)) {
            ASSERT_EQ(x < 0 ? first : second, 1) << x;
        }
        if (std::abs(x) > float(kCell)) {
            ASSERT_GT(x < 0 ? first : second, 0.9f) << x;
        }
        if (std::abs(x) < float(0.1 * kCell)) {
            ASSERT_NEAR(first, 0.5f, 0.15f) << x;
        }
    }
    for (std::size_t t = 0; t < mesh.triangle.size(); ++t) {
        float x = 0;
        for (int k = 0; k < 3; ++k) x += mesh.position[std::size_t(mesh.triangle[t][k])].x / 3;
        if (std::abs(x) > float(0.2 * kCell)) {
            ASSERT_EQ(mesh.material[t], x < 0 ? 0 : 1) << x;
        }
    }
}

TEST(SurfaceLiquids, OneLiquidHasTheSameMeshAndNothingMore) {
    Particles p = halves();
    const SurfaceMesh two = reconstruct(p, {}, two_liquids());
    p.material.clear();
    Options one = two_liquids();
    one.liquids = 1;
    const SurfaceMesh mesh = reconstruct(p, {}, one);
    EXPECT_TRUE(mesh.material.empty());
    EXPECT_TRUE(mesh.material_weight.empty());
    EXPECT_EQ(mesh.position, two.position);
    EXPECT_EQ(mesh.triangle, two.triangle);
    EXPECT_EQ(mesh.velocity, two.velocity);
}

TEST(SurfaceLiquids, DropsAndFilmsKnowTheirLiquid) {
    Particles p;
    p.position = {{0, 0, 0}};
    p.velocity = {{0, 0, 0}};
    p.volume = {std::pow(0.05 * kCell, 3)};
    p.material = {1};
    Films f;
    f.position = {{0.2, 0, 0}, {0.21, 0, 0}, {0.22, 0, 0}};
    f.radius.assign(3, 1e-4);
    f.film_area.assign(3, 1e-7);
    f.start = {0, 3};
    f.share = {1, 0, 0.5f, 0.5f, 0, 2};
    const SurfaceMesh mesh = reconstruct(p, f, two_liquids());
    ASSERT_EQ(mesh.material_weight.size(), 2 * mesh.position.size());
    ASSERT_EQ(mesh.material.size(), mesh.triangle.size());
    for (std::size_t v = 0; v < mesh.position.size(); ++v) {
        const float x = mesh.position[v].x, second = mesh.material_weight[2 * v + 1];
        EXPECT_NEAR(second, x < 0.1f ? 1 : (x - 0.2f) / 0.02f, 0.02f) << x;
    }
}

TEST(SurfaceLiquids, InterfaceLiesBetweenThem) {
    const SurfaceMesh mesh = reconstruct_interface(halves(), two_liquids(), {false, true});
    ASSERT_GT(mesh.triangle.size(), 500u);
    ASSERT_EQ(mesh.material.size(), mesh.triangle.size());
    double facing = 0;
    for (std::size_t t = 0; t < mesh.triangle.size(); ++t) {
        EXPECT_EQ(mesh.material[t], 1);
        const Vec3i c = mesh.triangle[t];
        const Vec3f a = mesh.position[std::size_t(c.x)];
        facing +=
            0.5 * double(cross(mesh.position[std::size_t(c.y)] - a, mesh.position[std::size_t(c.z)] - a).x);
    }
    // Outwards of the second liquid, over the whole section; nothing of its far side.
    EXPECT_NEAR(-facing / (kSide * kSide), 1, 0.12);
    for (const Vec3f& p : mesh.position) EXPECT_LT(p.x, float(2 * kCell));
    EXPECT_TRUE(reconstruct_interface(halves(), two_liquids(), {false, false}).triangle.empty());
    EXPECT_TRUE(reconstruct_interface(halves(), two_liquids(), {true, true}).triangle.empty());
}

TEST(SurfaceLiquids, SameBitsForAnyNumberOfThreads) {
    const auto whole = [] { return reconstruct(halves(), {}, two_liquids()); };
    const auto inner = [] { return reconstruct_interface(halves(), two_liquids(), {false, true}); };
    const SurfaceMesh made[2] = {with_threads(1, whole), with_threads(2, whole)};
    const SurfaceMesh between[2] = {with_threads(1, inner), with_threads(2, inner)};
    EXPECT_EQ(made[0].material, made[1].material);
    EXPECT_EQ(made[0].material_weight, made[1].material_weight);
    EXPECT_EQ(between[0].position, between[1].position);
    EXPECT_EQ(between[0].triangle, between[1].triangle);
}

TEST(SurfaceLiquids, RefusesLiquidsThatDoNotExist) {
    Particles p = halves();
    p.material[3] = 2;
    EXPECT_THROW(reconstruct(p, {}, two_liquids()), InputError);
    p.material.resize(5);
    EXPECT_THROW(reconstruct(p, {}, two_liquids()), InputError);
}

}  // namespace
}  // namespace rivulet::surface
