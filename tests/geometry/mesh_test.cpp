#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/sampled_distance.h>
#include <rivulet/geometry/tessellate.h>

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

TEST(TriangleMesh, MassPropertiesOfABox) {
    const MassProperties m = mass_properties(mesh_of(RoundedBox{{1, 2, 3}, {0.5, 1, 1.5}, 0}));
    EXPECT_NEAR(m.volume, 6, 1e-12);
    EXPECT_LT(length(m.centre - Vec3d{1, 2, 3}), 1e-12);
    EXPECT_NEAR(m.inertia(0, 0), 6 * (4 + 9) / 12.0, 1e-11);
    EXPECT_NEAR(m.inertia(1, 1), 6 * (1 + 9) / 12.0, 1e-11);
    EXPECT_NEAR(m.inertia(2, 2), 6 * (1 + 4) / 12.0, 1e-11);
    EXPECT_NEAR(m.inertia(0, 1), 0, 1e-11);
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
    turn_inside_out(bad);
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

TEST(MeshDistance, RaysMeetTheFirstTriangle) {
    const TriangleMesh mesh = star();
    const MeshDistance exact(mesh);
    int hits = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Vec3d origin = point(i, 1.3), direction = kRandom.direction(i + 5000);
        double first = Bounds::kInfinity;
        for (const Vec3i& t : mesh.triangles) {
            const auto at = [&](int k) { return mesh.positions[static_cast<std::size_t>(t[k])]; };
            const Vec3d n = triangle_cross(at(0), at(1), at(2));
            const double d = dot(at(0) - origin, n) / dot(direction, n);
            const Vec3d p = origin + direction * d;
            const bool in = dot(cross(at(1) - at(0), p - at(0)), n) >= 0 &&
                            dot(cross(at(2) - at(1), p - at(1)), n) >= 0 &&
                            dot(cross(at(0) - at(2), p - at(2)), n) >= 0;
            if (d >= 0 && in) first = std::min(first, d);
        }
        const auto hit = exact.cast(origin, direction);
        ASSERT_EQ(hit.has_value(), first < Bounds::kInfinity);
        if (!hit) continue;
        ++hits;
        EXPECT_NEAR(hit->distance, first, 1e-10);
        EXPECT_FALSE(exact.cast(origin, direction, 0.99 * first));
    }
    EXPECT_GT(hits, 50);
    const MeshDistance box(mesh_of(RoundedBox{{}, {1, 1, 1}, 0}));
    EXPECT_NEAR(box.cast({0.3, 5, 0.2}, {0, -1, 0})->distance, 4, 1e-14);
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
    EXPECT_GT(sampled.block_count(), 100u);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Vec3d p = point(i, 4);
        const double d = exact->distance(p), approximate = sampled.distance(p);
        // Near the surface fine cells; beyond the band cells four times as large.
        const double allowed = std::abs(d) < 4 * h ? 0.9 * h : 3.5 * h;
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

TEST(SampledDistance, EnlargesAnAbsurdSpacing) {
    const auto exact = std::make_shared<const MeshDistance>(mesh_of(RoundedBox{{}, {10, 0.001, 0.001}, 0}));
    EXPECT_GT(SampledDistance(exact, 0.1).spacing(), 0.09);
}

}  // namespace
}  // namespace rivulet::geometry
