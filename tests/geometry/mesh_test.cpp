#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include <geometry/winding_number.h>
#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/mesh_library.h>
#include <rivulet/geometry/sampled_distance.h>
#include <rivulet/geometry/tessellate.h>

#include "support/temporary_folder.h"

namespace rivulet::geometry {
namespace {

const Random kRandom(21, 0);

Vec3d point(std::uint64_t i, double reach = 1) {
    return (kRandom.uniform3(i) * 2.0 - Vec3d{1, 1, 1}) * reach;
}
TriangleMesh mesh_of(Shape::Part part, int segments = 48) {
    return tessellate(Shape({std::move(part)}), 1, segments);
}
/// A closed mesh with concave edges, sharp spikes and a separate part.
TriangleMesh star() {
    TriangleMesh mesh = mesh_of(Sphere{{}, 0.5}, 16);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) mesh.positions[v] *= 0.5 + kRandom.uniform(v);
    append(mesh, mesh_of(RoundedBox{{1, 0.2, 0}, {0.1, 0.2, 0.15}, 0}));
    return mesh;
}
double brute_force_distance(const TriangleMesh& mesh, const Vec3d& p) {
    double least = Bounds::kInfinity;
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int k) { return mesh.positions[static_cast<std::size_t>(t[k])]; };
        least = std::min(least, length(p - nearest_on_triangle(p, at(0), at(1), at(2)).point));
    }
    return winding_number(mesh, p) > 0.5 ? -least : least;
}
std::string message_of(const TriangleMesh& mesh) {
    try {
        require_closed(mesh, "thing.obj", "obstacle.thing.shape.file");
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST(TriangleMesh, EveryPrimitiveTessellatesToAClosedMeshOfItsVolume) {
    const double pi = std::numbers::pi;
    struct Case {
        Shape::Part part;
        double volume, area;
    };
    const double r = 0.1, a = 0.6, b = 0.4, c = 0.2;  // rounded box: flat parts a, b, c
    const Case cases[] = {
        {RoundedBox{{1, 2, 3}, {0.5, 1, 1.5}, 0}, 6, 22},
        {Sphere{{1, 0, 0}, 0.5}, pi / 6, pi},
        {Capsule{{0, 0, 0}, {0, 0.6, 0.8}, 0.3}, pi * 0.09 + 4 * pi / 3 * 0.027,
         2 * pi * 0.3 + 4 * pi * 0.09},
        {Cylinder{{}, {0, 0, 1}, 0.5, 0.3}, pi * 0.09, 2 * pi * 0.09 + 2 * pi * 0.3},
        {RoundedBox{{}, {a / 2 + r, b / 2 + r, c / 2 + r}, r},
         a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4 * pi / 3 * r * r * r,
         2 * (a * b + b * c + c * a) + 2 * pi * r * (a + b + c) + 4 * pi * r * r}};
    for (const Case& k : cases) {
        const TriangleMesh mesh = mesh_of(k.part, 96);
        EXPECT_EQ(message_of(mesh), "");
        EXPECT_NEAR(signed_volume(mesh), k.volume, 0.003 * k.volume);
        EXPECT_NEAR(surface_area(mesh), k.area, 0.003 * k.area);
        for (const Vec3d& p : mesh.positions) EXPECT_NEAR(Shape::part_distance(k.part, p), 0, 1e-12);
    }
    const TriangleMesh quad = mesh_of(HalfSpace{{0, 1, 0}, {0, 1, 0}});
    EXPECT_NEAR(surface_area(quad), 4, 1e-12);
    for (const Vec3i& t : quad.triangles) {
        const auto at = [&](int k) { return quad.positions[static_cast<std::size_t>(t[k])]; };
        EXPECT_GT(triangle_cross(at(0), at(1), at(2)).y, 0);
    }
}

TEST(TriangleMesh, RefusalsNameCountExampleAndRemedy) {
    const TriangleMesh good = star();
    EXPECT_EQ(message_of(good), "");
    TriangleMesh bad = good;
    bad.triangles.erase(bad.triangles.begin() + 5);
    EXPECT_NE(message_of(bad).find("not closed: 3 edges"), std::string::npos) << message_of(bad);
    bad = good;
    std::swap(bad.triangles[7].x, bad.triangles[7].y);
    EXPECT_NE(message_of(bad).find("3 edges join triangles of opposite orientation, e.g. triangle"),
              std::string::npos);
    bad = good;
    for (Vec3i& t : bad.triangles) std::swap(t.y, t.z);
    EXPECT_NE(message_of(bad).find("inside out"), std::string::npos);
    bad = good;
    bad.triangles[3].z = 100000;
    EXPECT_NE(message_of(bad).find("1 triangles name vertices that do not exist, e.g. triangle 3"),
              std::string::npos);
    bad = good;
    bad.triangles[3].y = -1;
    EXPECT_NE(message_of(bad).find("e.g. triangle 3"), std::string::npos);
    bad = good;
    bad.triangles[4].z = bad.triangles[4].x;
    EXPECT_NE(message_of(bad).find("1 triangles have no area, e.g. triangle 4"), std::string::npos);
    bad = good;
    bad.triangles.push_back(bad.triangles[0]);
    EXPECT_NE(message_of(bad).find("more than two triangles"), std::string::npos);
    bad = good;
    bad.positions[2].x = NAN;
    EXPECT_NE(message_of(bad).find("vertex 2"), std::string::npos);
    EXPECT_NE(message_of({}).find("no triangles"), std::string::npos);
    TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
    EXPECT_NE(message_of(sheet).find("no volume"), std::string::npos);
}

TEST(MeshDistance, EqualsBruteForceWithSignOfTheWindingNumber) {
    const TriangleMesh mesh = star();
    const MeshDistance exact(mesh);
    int inside = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Vec3d p = point(i, 1.3);
        const double expected = brute_force_distance(mesh, p);
        inside += expected < 0;
        ASSERT_NEAR(exact.distance(p), expected, 1e-13) << i;
        const NearestOnMesh near = exact.nearest(p, std::abs(expected));
        ASSERT_NEAR(near.distance, expected, 1e-13);
        EXPECT_LT(length(p - near.normal * near.distance - near.point), 1e-12);
    }
    EXPECT_GT(inside, 100);
}

TEST(MeshDistance, SignIsRightCloseToEdgesAndCorners) {
    const TriangleMesh mesh = star();
    const MeshDistance exact(mesh);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        for (std::uint64_t i = 0; i < 6; ++i) {
            const Vec3d p = mesh.positions[v] + kRandom.direction(100 * v + i) * 1e-3;
            EXPECT_EQ(exact.distance(p) < 0, winding_number(mesh, p) > 0.5);
        }
    const Vec3d on = mesh.positions[4];
    EXPECT_EQ(exact.distance(on), 0);
    EXPECT_NEAR(length(exact.sample(on).normal), 1, 1e-12);
}

TEST(DeformingMesh, EqualsTheRigidMeshOfEachMoment) {
    const TriangleMesh start = star();
    std::vector<Vec3d> end = start.positions;
    for (std::size_t v = 0; v < end.size(); ++v)
        end[v] = end[v] * 1.1 + Vec3d{0.05, 0.02 * kRandom.uniform(v), 0};
    const auto topology = std::make_shared<const MeshTopology>(start);
    const Bvh tree(triangle_bounds(start.positions, start.triangles));
    const DeformingMeshDistance moving(topology, tree, start.positions, end);
    for (double s : {0.0, 0.4, 1.0}) {
        TriangleMesh now = start;
        for (std::size_t v = 0; v < end.size(); ++v) now.positions[v] += (end[v] - start.positions[v]) * s;
        const MeshDistance exact(now);
        for (std::uint64_t i = 0; i < 300; ++i) {
            const Vec3d p = point(i, 1.2);
            ASSERT_NEAR(moving.distance(p, s), exact.distance(p), 1e-12);
        }
        std::vector<double> row(40);
        const Vec3d first{-1.2, 0.1, 0.2}, step{0.06, 0.01, -0.01};
        moving.distance_row(first, step, row.size(), s, row.data());
        for (std::size_t i = 0; i < row.size(); ++i)
            ASSERT_NEAR(row[i], exact.distance(first + step * double(i)), 1e-12);
    }
    // On a vertex the displacement is that of the vertex.
    const Vec3d shift = moving.sample(start.positions[9], 0).displacement;
    EXPECT_LT(length(shift - (end[9] - start.positions[9])), 1e-12);
    EXPECT_GE(moving.largest_displacement(), length(shift));
}

TEST(SampledDistance, ErrorFallsWithTheSquareOfTheSpacingOnASphere) {
    const auto exact = std::make_shared<const MeshDistance>(mesh_of(Sphere{{0.1, 0.2, 0.3}, 0.3}, 160));
    double errors[2];
    for (int level = 0; level < 2; ++level) {
        const double h = level == 0 ? 0.04 : 0.02;
        const SampledDistance sampled(exact, h);
        errors[level] = 0;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            const Vec3d p = Vec3d{0.1, 0.2, 0.3} +
                            kRandom.direction(i) * (0.3 + kRandom.uniform(i + 9000, -2 * h, 2 * h));
            const DistanceSample s = sampled.sample(p);
            EXPECT_EQ(s.distance, sampled.distance(p));
            errors[level] = std::max(errors[level], std::abs(s.distance - exact->distance(p)));
            EXPECT_GT(dot(s.normal, exact->sample(p).normal), 0.99);
        }
        RecordProperty("largest_error_level_" + std::to_string(level), std::to_string(errors[level]));
    }
    EXPECT_LT(errors[0], 0.04 * 0.04 / (4 * 0.2));
    EXPECT_LT(errors[1], 0.35 * errors[0]);
}

TEST(SampledDistance, StaysWithinAFractionOfTheSpacingAtSharpEdgesAndExactFarAway) {
    const auto exact = std::make_shared<const MeshDistance>(star());
    const double h = 0.02;
    const SampledDistance sampled(exact, h);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Vec3d p = point(i, 4);
        const double d = exact->distance(p), approximate = sampled.distance(p);
        // Near the surface fine cells; beyond the band cells four times as large, then sixteen times.
        const double allowed = std::abs(d) < 4 * h    ? 0.9 * h
                               : std::abs(d) < 32 * h ? 3.5 * h
                                                      : 0.125 * std::abs(d);
        ASSERT_NEAR(approximate, d, allowed) << i;
        if (std::abs(d) > 4 * h) {
            ASSERT_EQ(approximate < 0, d < 0);
        }
    }
    const Vec3d far{30, 2, 1};
    EXPECT_EQ(sampled.distance(far), exact->distance(far));
}

TEST(SampledDistance, SameForAnyNumberOfThreads) {
    const auto exact = std::make_shared<const MeshDistance>(star());
    const SampledDistance one = with_threads(1, [&] { return SampledDistance(exact, 0.05); });
    const SampledDistance four = with_threads(4, [&] { return SampledDistance(exact, 0.05); });
    for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(one.distance(point(i)), four.distance(point(i)));
}

/// Samples stand where the lattice has points, however deep below the coarsest lattice.
TEST(SampledDistance, IsExactAtItsSamplesOnEveryLevel) {
    const auto exact = std::make_shared<const MeshDistance>(star());
    SamplePlan plan = plan_samples(exact->bounds(), surface_area(exact->mesh()), 0.015);
    ASSERT_GE(plan.levels, 2);
    for (const int levels : {plan.levels, plan.levels + 1}) {
        plan.levels = levels;
        const SampledDistance sampled(exact, plan);
        int fine = 0, coarse = 0;
        for (std::uint64_t i = 0; i < 40000; ++i) {
            Vec3i at;
            for (int a = 0; a < 3; ++a)
                at[a] =
                    int(kRandom.uniform(3 * i + std::uint64_t(a)) * (SamplePlan::kBlock * plan.cells[a] - 1));
            // Every second point on the coarsest lattice.
            const int s = plan.stride();
            if (i % 2 == 0) at = Vec3i{at.x / s, at.y / s, at.z / s} * s;
            const Vec3d p = plan.origin + to_double(at) * plan.spacing;
            const double d = exact->distance(p);
            const bool is_fine = std::abs(d) < SamplePlan::kBand * plan.spacing;
            if (!is_fine && i % 2 == 1) continue;
            ASSERT_NEAR(sampled.distance(p), d, 1e-6 * (1 + std::abs(d)));
            ++(is_fine ? fine : coarse);
        }
        EXPECT_GT(fine, 400);
        EXPECT_GT(coarse, 5000);
    }
}

TEST(SampledDistance, TheNearestOfAFewIsTheNearest) {
    const MeshDistance exact(star());
    int known = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        const Vec3d low = point(i, 2), size = kRandom.uniform3(i + 5000) * 0.1;
        const auto near = exact.near({low, low + size}, std::abs(exact.distance(low)));
        known += near.known;
        for (std::uint64_t j = 0; j < 20; ++j) {
            const Vec3d u = kRandom.uniform3(20 * i + j + 9000);
            const Vec3d p = low + Vec3d{u.x * size.x, u.y * size.y, u.z * size.z};
            ASSERT_EQ(exact.nearest(p, near, Bounds::kInfinity).distance, exact.distance(p));
        }
    }
    EXPECT_GT(known, 100);
}

TEST(SampledDistance, ThePlanIsWhatIsMade) {
    const TriangleMesh ball = mesh_of(Sphere{{}, 0.3}, 96),
                       sheet = mesh_of(RoundedBox{{}, {0.5, 0.01, 0.5}, 0});
    for (const TriangleMesh& mesh : {ball, sheet, star()}) {
        const auto exact = std::make_shared<const MeshDistance>(mesh);
        const SamplePlan plan = plan_samples(exact->bounds(), surface_area(mesh), 0.02);
        const SampledDistance made(exact, plan);
        EXPECT_LT(double(made.block_count()), 2 * plan.blocks);
        EXPECT_GT(double(made.block_count()), 0.4 * plan.blocks);
        EXPECT_LT(double(made.bytes()), 2.5 * plan.bytes() + 1e6);
    }
    const Bounds huge{{0, 0, 0}, {2e5, 2e5, 2e5}};
    const SamplePlan wanted = plan_samples(huge, 2.4e11, 0.005),
                     fits = plan_affordable_samples(huge, 2.4e11, 0.005);
    EXPECT_GT(wanted.blocks, 1e12);
    EXPECT_LE(fits.blocks, SamplePlan::kMostBlocks);
    EXPECT_GT(fits.blocks, SamplePlan::kMostBlocks / 2);
}

TEST(MeshLibrary, SaysWhatIsSampledCoarselyAndRefusesMore) {
    const test::TemporaryFolder folder;
    ShapeDescription cube;
    cube.type = ShapeType::mesh;
    cube.file = folder.path() / "cube.obj";
    std::ofstream out(cube.file);
    const TriangleMesh mesh = mesh_of(RoundedBox{{}, {0.1, 0.1, 0.1}, 0});
    for (const Vec3d& p : mesh.positions) out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
    for (const Vec3i& t : mesh.triangles) out << "f " << t.x + 1 << ' ' << t.y + 1 << ' ' << t.z + 1 << '\n';
    out.close();
    MeshLibrary enough(0.005), few(0.005, 1000), none(0.005, 50);
    EXPECT_EQ(enough.load(cube, "key")->spacing(), 0.005);
    EXPECT_TRUE(enough.warnings().empty());
    EXPECT_GT(few.load(cube, "obstacle.cube.shape.file")->spacing(), 0.005);
    ASSERT_EQ(few.warnings().size(), 1u);
    EXPECT_NE(few.warnings()[0].find("obstacle.cube.shape.file: a mesh of 0.2 m with 0.24 m^2"),
              std::string::npos)
        << few.warnings()[0];
    try {
        none.load(cube, "key");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("is file_unit right?"), std::string::npos) << e.what();
    }
}

TEST(MeshDistance, KnowsHowThinItIs) {
    const auto thinnest = [](const TriangleMesh& mesh) { return MeshDistance(mesh).thinnest(); };
    EXPECT_NEAR(thinnest(mesh_of(RoundedBox{{}, {0.5, 0.01, 0.4}, 0})), 0.02, 1e-6);
    EXPECT_NEAR(thinnest(mesh_of(RoundedBox{{0.1, 0, 0}, {0.2, 0.3, 0.25}, 0})), 0.4, 1e-6);
    EXPECT_NEAR(thinnest(mesh_of(Sphere{{}, 0.3}, 64)), 0.6, 0.03);
    // A hollow ball with a wall of 1 cm.
    TriangleMesh hollow = mesh_of(Sphere{{}, 0.3}, 96), inner = mesh_of(Sphere{{}, 0.29}, 96);
    for (Vec3i& t : inner.triangles) std::swap(t.y, t.z);
    append(hollow, inner);
    EXPECT_NEAR(thinnest(hollow), 0.01, 0.001);
}

TEST(SampledDistance, EnlargesAnAbsurdSpacing) {
    const auto exact = std::make_shared<const MeshDistance>(mesh_of(RoundedBox{{}, {10, 0.001, 0.001}, 0}));
    EXPECT_GT(SampledDistance(exact, 0.1).spacing(), 0.09);
}

}  // namespace
}  // namespace rivulet::geometry
