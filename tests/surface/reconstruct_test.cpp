#include <rivulet/surface/reconstruct.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/surface/field.h>
#include <rivulet/surface/film_tubes.h>
#include <rivulet/surface/mesh_measure.h>

namespace rivulet::surface {
namespace {

constexpr double kCell = 0.01, kSpacing = kCell / 2;

Options usual() {
    Options o;
    o.cell = kCell;
    return o;
}

/// Jittered particles, 8 per cell, where `inside` holds.
template <class F>
Particles fill(Vec3d low, Vec3d high, F&& inside, Vec3d shift = {}) {
    Particles p;
    const Random random(5, 1);
    std::uint64_t n = 0;
    for (double x = low.x + kSpacing / 2; x < high.x; x += kSpacing)
        for (double y = low.y + kSpacing / 2; y < high.y; y += kSpacing)
            for (double z = low.z + kSpacing / 2; z < high.z; z += kSpacing) {
                const Vec3d u = random.uniform3(n++) - Vec3d{0.5, 0.5, 0.5};
                if (!inside(Vec3d{x, y, z})) continue;
                p.position.push_back(Vec3d{x, y, z} + u * (0.4 * kSpacing) + shift);
                p.velocity.push_back({1, 2, 3});
                p.volume.push_back(kSpacing * kSpacing * kSpacing);
            }
    return p;
}
Particles slab(double thickness) {
    return fill({0, 0, 0}, {0.12, thickness, 0.12}, [](const Vec3d&) { return true; });
}
Particles ball(double radius, Vec3d shift = {}) {
    return fill(
        {-radius, -radius, -radius}, {radius, radius, radius},
        [&](const Vec3d& x) { return length(x) < radius; }, shift);
}

/// Every directed edge has as many opposite ones: closed, and turned the same way everywhere.
void expect_watertight(const SurfaceMesh& mesh) {
    std::map<std::pair<int, int>, int> balance;
    for (const Vec3i& t : mesh.triangle)
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            ASSERT_NE(a, b);
            balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
        }
    for (const auto& [edge, sum] : balance) ASSERT_EQ(sum, 0) << edge.first << " " << edge.second;
}

Films hanging_strand(double radius, double film_area, int vertices, Vec3d top, double length_total) {
    Films f;
    f.start = {0, vertices};
    for (int i = 0; i < vertices; ++i) {
        f.position.push_back(top - Vec3d{0, length_total * i / (vertices - 1), 0});
        f.velocity.push_back({0, -1, 0});
        f.radius.push_back(radius);
        f.film_area.push_back(film_area);
    }
    return f;
}

double reach(const SurfaceMesh& mesh, int axis, bool upper) {
    double r = upper ? -1e9 : 1e9;
    for (const Vec3f& p : mesh.position)
        r = upper ? std::max(r, double(p[axis])) : std::min(r, double(p[axis]));
    return r;
}

TEST(Surface, SphereOfParticles) {
    const SurfaceMesh mesh = reconstruct(ball(0.04), {}, usual());
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / mesh.liquid_volume, 1, 0.01);
    EXPECT_NEAR(mesh.liquid_volume / (4.0 / 3 * std::numbers::pi * 0.04 * 0.04 * 0.04), 1, 0.03);
    for (const Vec3f& p : mesh.position) EXPECT_NEAR(length(p), 0.04f, 0.6f * float(kSpacing));
    for (const Vec3f& v : mesh.velocity) EXPECT_NEAR(length(v - Vec3f{1, 2, 3}), 0, 1e-4f);
}

TEST(Surface, SlabIsFlatWhereItShouldBe) {
    const SurfaceMesh mesh = reconstruct(slab(0.04), {}, usual());
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / mesh.liquid_volume, 1, 0.01);
    int top = 0;
    for (const Vec3f& p : mesh.position) {
        if (p.x < 0.02f || p.x > 0.10f || p.z < 0.02f || p.z > 0.10f || p.y < 0.02f) continue;
        EXPECT_NEAR(p.y, 0.04f, 0.25f * float(kSpacing));
        ++top;
    }
    EXPECT_GT(top, 200);
}

TEST(Surface, SheetOfTwoParticlesKeepsWithoutHoles) {
    const SurfaceMesh mesh = reconstruct(slab(2 * kSpacing), {}, usual());
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / mesh.liquid_volume, 1, 0.03);
    // One piece without holes: Euler characteristic 2.
    EXPECT_EQ(2 * mesh.position.size(), mesh.triangle.size() + 4);
}

TEST(Surface, SheetThinnerThanAParticleKeepsWithoutHoles) {
    // 0.43 of the particles that a full layer has.
    constexpr double kStretch = 1.52;
    Particles p = slab(kSpacing);
    for (Vec3d& x : p.position) x = {x.x * kStretch, x.y, x.z * kStretch};
    const SurfaceMesh mesh = reconstruct(p, {}, usual());
    expect_watertight(mesh);
    EXPECT_EQ(2 * mesh.position.size(), mesh.triangle.size() + 4);
    // What is too thin for the voxels is shown thicker than it is.
    EXPECT_GT(mesh.volume / mesh.liquid_volume, 0.99);
    EXPECT_LT(mesh.volume / mesh.liquid_volume, 1.01);
}

TEST(Surface, FineVoxelsKeepTheVolumeToo) {
    Options o = usual();
    o.voxels_per_cell = 8;
    const SurfaceMesh mesh = reconstruct(ball(0.03), {}, o);
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / mesh.liquid_volume, 1, 0.01);
}

TEST(Surface, DropsOfManySizesKeepTheirVolume) {
    Particles p;
    const Random random(6, 6);
    for (std::uint64_t i = 0; i < 60; ++i) {
        p.position.push_back({0.04 * double(i % 4), 0.04 * double(i / 4 % 4), 0.04 * double(i / 16)});
        p.volume.push_back(kSpacing * kSpacing * kSpacing * random.uniform(i, 0.3, 2.0));
    }
    const SurfaceMesh mesh = reconstruct(p, {}, usual());
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / mesh.liquid_volume, 1, 0.03);
    EXPECT_EQ(2 * mesh.position.size(), mesh.triangle.size() + 4 * 60);
}

TEST(Surface, DustBesideABodyKeepsItsVolume) {
    Particles p = ball(0.03);
    const Random random(16, 6);
    const double bulk = reconstruct(p, {}, usual()).volume;
    double dust = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        p.position.push_back(random.direction(i) * random.uniform(1000 + i, 0.05, 0.1));
        p.velocity.push_back({4, 5, 6});
        p.volume.push_back(1e-3 * kSpacing * kSpacing * kSpacing);
        dust += p.volume.back();
    }
    const SurfaceMesh mesh = reconstruct(p, {}, usual());
    expect_watertight(mesh);
    EXPECT_NEAR((mesh.volume - bulk) / dust, 1, 0.05);
    EXPECT_NEAR(mesh.velocity.back().x, 4, 1e-4f);
}

TEST(Surface, MovingBlobDoesNotPop) {
    double least = 1e9, most = 0, least_y = 1e9, most_y = -1e9;
    for (int frame = 0; frame < 8; ++frame) {
        const double move = 0.13 * kSpacing * frame;
        const SurfaceMesh mesh = reconstruct(ball(0.025, {move, 0.37 * move, 0}), {}, usual());
        least = std::min(least, mesh.volume);
        most = std::max(most, mesh.volume);
        const double y = reach(mesh, 1, true) - 0.37 * move;
        least_y = std::min(least_y, y);
        most_y = std::max(most_y, y);
    }
    EXPECT_LT(most / least - 1, 0.01);
    EXPECT_LT(most_y - least_y, 0.1 * kSpacing);
}

TEST(Surface, ThickFilmBecomesATubeAndDryStretchesAreLeftOut) {
    Films f = hanging_strand(0.0005, 4e-5, 21, {0, 0, 0}, 0.2);
    for (std::size_t i = 12; i < 21; ++i) f.film_area[i] = 0;
    Options o = usual();
    const SurfaceMesh mesh = reconstruct({}, f, o);
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / (mesh.liquid_volume + mesh.solid_volume), 1, 0.03);
    EXPECT_NEAR(reach(mesh, 1, false), -0.12, 0.004);
    EXPECT_NEAR(mesh.velocity[0].y, -1, 1e-4f);
}

TEST(Surface, ThinFilmKeepsItsVolumeBelowTheVoxel) {
    const Films f = hanging_strand(5e-5, 3e-8, 31, {0, 0.05, 0}, 0.05);
    Options o = usual();
    const SurfaceMesh mesh = reconstruct({}, f, o);
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / (mesh.liquid_volume + mesh.solid_volume), 1, 1e-3);
}

TEST(Surface, ThinFilmWithDropsKeepsItsVolume) {
    Films f = hanging_strand(5e-5, 3e-8, 31, {0, 0.05, 0}, 0.05);
    for (std::size_t i = 0; i < 31; ++i) f.film_area[i] = i % 5 == 0 ? 4e-7 : i % 7 == 0 ? 0 : 1e-8;
    Options o = usual();
    const SurfaceMesh mesh = reconstruct({}, f, o);
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / (mesh.liquid_volume + mesh.solid_volume), 1, 1e-3);
}

TEST(Surface, FilmAndBulkJoinIntoOnePiece) {
    const Particles p = slab(0.02);
    const Films f = hanging_strand(0.0005, 2.5e-5, 9, {0.06, 0.06, 0.06}, 0.038);
    const SurfaceMesh mesh = reconstruct(p, f, usual());
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / (mesh.liquid_volume + mesh.solid_volume), 1, 0.03);
    EXPECT_EQ(2 * mesh.position.size(), mesh.triangle.size() + 4);
    EXPECT_GT(reach(mesh, 1, true), 0.058);
}

TEST(Surface, SameBitsForAnyNumberOfThreads) {
    const Particles p = ball(0.03);
    const Films f = hanging_strand(0.0005, 2e-5, 9, {0.0, 0.07, 0.0}, 0.05);
    const SurfaceMesh one = with_threads(1, [&] { return reconstruct(p, f, usual()); });
    const SurfaceMesh two = with_threads(2, [&] { return reconstruct(p, f, usual()); });
    EXPECT_EQ(one.position, two.position);
    EXPECT_EQ(one.triangle, two.triangle);
    EXPECT_EQ(one.velocity, two.velocity);
}

TEST(Surface, SameBitsForAnyTiling) {
    const Particles p = ball(0.05);
    const Films f = hanging_strand(0.0005, 2e-5, 9, {0.0, 0.1, 0.0}, 0.06);
    Options o = usual();
    o.voxels_per_cell = 8;
    const SurfaceMesh whole = reconstruct(p, f, o);
    ASSERT_EQ(whole.tiles, 1u);
    for (const std::size_t blocks : {450, 700}) {
        o.tile_blocks = blocks;
        const SurfaceMesh tiled = reconstruct(p, f, o);
        EXPECT_GT(tiled.tiles, 1u);
        EXPECT_EQ(whole.position, tiled.position) << tiled.tiles;
        EXPECT_EQ(whole.triangle, tiled.triangle) << tiled.tiles;
        EXPECT_EQ(whole.velocity, tiled.velocity) << tiled.tiles;
    }
}

TEST(Surface, MemoryLimitMakesVoxelsLarger) {
    Options o = usual();
    o.memory_limit = 64 * 6000;
    const SurfaceMesh mesh = reconstruct(slab(0.04), {}, o);
    EXPECT_GT(mesh.voxel, kCell / 4 * 1.05);
    expect_watertight(mesh);
    EXPECT_NEAR(mesh.volume / mesh.liquid_volume, 1, 0.03);
}

TEST(Surface, BadNumbersAreLeftOutAndBadArraysRefused) {
    Particles p = ball(0.02);
    p.position[3].x = std::numeric_limits<double>::quiet_NaN();
    p.volume[5] = -1;
    EXPECT_GT(reconstruct(p, {}, usual()).triangle.size(), 100u);
    p.volume.pop_back();
    EXPECT_THROW(reconstruct(p, {}, usual()), InputError);
    EXPECT_TRUE(reconstruct({}, {}, usual()).triangle.empty());
    Films f = hanging_strand(1e-4, 1e-7, 4, {}, 0.1);
    f.start = {0, 9};
    EXPECT_THROW(reconstruct({}, f, usual()), InputError);
    EXPECT_THROW(reconstruct(ball(0.02), {}, {}), InputError) << "the cell is given, not guessed";
}

TEST(MeshMeasure, OpenEdgesAreCounted) {
    SurfaceMesh mesh = reconstruct(ball(0.02), {}, usual());
    EXPECT_EQ(open_edges(mesh.triangle), 0u);
    mesh.triangle.pop_back();
    EXPECT_EQ(open_edges(mesh.triangle), 3u);
    std::swap(mesh.triangle[0].x, mesh.triangle[0].y);
    EXPECT_GE(open_edges(mesh.triangle), 5u);
}

TEST(SurfaceField, DeepBlocksAreInsideByTheFullEvaluation) {
    Liquid liquid;
    const Particles p = fill({0, 0, 0}, {0.1, 0.1, 0.1}, [](const Vec3d&) { return true; });
    const double voxel = kCell / 8;
    for (std::size_t i = 0; i < p.position.size(); ++i) {
        const double v = p.volume[i] / (voxel * voxel * voxel);
        liquid.balls.push_back({p.position[i] / voxel, float(std::cbrt(v * 0.2387324)), float(v), 0, false});
    }
    prepare(liquid);
    const Layout layout = find_blocks(liquid);
    ASSERT_GT(layout.deep.size(), 50u);
    FieldBlock block;
    for (const std::uint64_t key : layout.deep) {
        evaluate(liquid, BlockKey::unpack(key), block);
        for (const float value : block.averaged) ASSERT_LT(value, 0);
    }
}

}  // namespace
}  // namespace rivulet::surface
