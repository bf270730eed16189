#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/geometry/shape.h>

namespace rivulet::geometry {
namespace {

ShapeDescription describe(ShapeType type) {
    ShapeDescription d;
    d.type = type;
    d.min = {-0.3, -0.2, -0.5}, d.max = {0.4, 0.6, 0.1};
    d.center = {0.1, -0.1, 0.2}, d.size = {0.8, 0.5, 0.6};
    d.radius = type == ShapeType::rounded_box ? 0.12 : 0.3;
    d.from = {-0.2, -0.1, 0.3}, d.to = {0.4, 0.5, -0.1};
    d.point = {0.1, 0.2, 0}, d.normal = {0.3, 2, -0.4};
    return d;
}

const ShapeType kPrimitives[] = {ShapeType::box,     ShapeType::rounded_box, ShapeType::sphere,
                                 ShapeType::capsule, ShapeType::cylinder,    ShapeType::plane};

class Primitive : public testing::TestWithParam<ShapeType> {};

Vec3d random_point(const Random& random, std::uint64_t i, double reach) {
    return (random.uniform3(i) * 2.0 - Vec3d{1, 1, 1}) * reach;
}

TEST_P(Primitive, NormalIsTheGradientAndHasLengthOne) {
    const Shape shape(describe(GetParam()));
    const Random random(1, 0);
    int kinks = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Vec3d p = random_point(random, i, 1.2);
        const DistanceSample s = shape.sample(p);
        EXPECT_NEAR(s.distance, shape.distance(p), 1e-14);
        EXPECT_NEAR(length(s.normal), 1, 1e-12);
        const double h = 1e-5;
        Vec3d gradient;
        for (int a = 0; a < 3; ++a) {
            Vec3d e;
            e[a] = h;
            gradient[a] = (shape.distance(p + e) - shape.distance(p - e)) / (2 * h);
        }
        // The gradient jumps on the medial axis, which a random point meets within h only rarely.
        if (length(gradient - s.normal) > 1e-3) ++kinks;
    }
    EXPECT_LE(kinks, 4);
}

TEST_P(Primitive, DistanceReachesTheSurfaceAndNothingIsNearer) {
    const Shape shape(describe(GetParam()));
    const Random random(2, 0);
    for (std::uint64_t i = 0; i < 400; ++i) {
        const Vec3d p = random_point(random, i, 1.0);
        const DistanceSample s = shape.sample(p);
        EXPECT_NEAR(shape.distance(p - s.normal * s.distance), 0, 1e-12);
        // No point of the open ball around p may lie on the other side.
        for (std::uint64_t j = 0; j < 60; ++j) {
            const double r = 0.999 * std::abs(s.distance);
            const Vec3d q = p + random.direction(1000 * i + j) * r;
            EXPECT_GE(shape.distance(q) * (s.distance < 0 ? -1 : 1), 0);
        }
    }
}

TEST_P(Primitive, RowEqualsSinglePoints) {
    const Shape shape(describe(GetParam()));
    const Vec3d first{-1, -0.7, 0.3}, step{0.03, 0.02, -0.01};
    std::vector<double> row(70);
    shape.distance_row(first, step, row.size(), row.data());
    for (std::size_t i = 0; i < row.size(); ++i)
        EXPECT_EQ(row[i], shape.distance(first + step * static_cast<double>(i)));
}

TEST_P(Primitive, BoundsHoldTheSolid) {
    const Shape shape(describe(GetParam()));
    const Random random(3, 0);
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Vec3d p = random_point(random, i, 1.2);
        if (shape.distance(p) < 0) {
            EXPECT_TRUE(shape.bounds().contains(p));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Primitive, testing::ValuesIn(kPrimitives));

TEST(Shape, KnownDistances) {
    const Shape box(describe(ShapeType::box));
    EXPECT_NEAR(box.distance({0.4 + 0.3, 0.6 + 0.4, 0}), 0.5, 1e-15);
    EXPECT_NEAR(box.distance({0, 0.2, -0.05}), -0.15, 1e-15);
    ShapeDescription c = describe(ShapeType::cylinder);
    c.from = {0, 0, 0}, c.to = {0, 2, 0}, c.radius = 1;
    EXPECT_NEAR(Shape(c).distance({4, 6, 0}), 5, 1e-14);
    EXPECT_NEAR(Shape(c).distance({0.5, 1, 0}), -0.5, 1e-14);
}

TEST(Shape, UnionIsTheNearestPart) {
    ShapeDescription both;
    both.type = ShapeType::all_of;
    both.parts = {describe(ShapeType::box), describe(ShapeType::sphere)};
    const Shape all(both), box(both.parts[0]), sphere(both.parts[1]);
    const Random random(4, 0);
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Vec3d p = random_point(random, i, 1.2);
        EXPECT_EQ(all.distance(p), std::min(box.distance(p), sphere.distance(p)));
        EXPECT_EQ(all.sample(p).distance, all.distance(p));
    }
}

TEST(Shape, RefusesDegenerateSizes) {
    const auto refused = [](auto change, ShapeType type, const char* member) {
        ShapeDescription d = describe(type);
        change(d);
        try {
            Shape shape(d, "obstacle.thing.shape");
        } catch (const InputError& e) {
            return e.problems()[0].key == std::string("obstacle.thing.shape.") + member;
        }
        return false;
    };
    EXPECT_TRUE(refused([](auto& d) { d.max.x = d.min.x; }, ShapeType::box, "max"));
    EXPECT_TRUE(refused([](auto& d) { d.min.x = NAN; }, ShapeType::box, "min"));
    EXPECT_TRUE(refused([](auto& d) { d.size.y = 0; }, ShapeType::rounded_box, "size"));
    EXPECT_TRUE(refused([](auto& d) { d.radius = 0.3; }, ShapeType::rounded_box, "radius"));
    EXPECT_TRUE(refused([](auto& d) { d.radius = -1; }, ShapeType::sphere, "radius"));
    EXPECT_TRUE(refused([](auto& d) { d.radius = 1e300; }, ShapeType::sphere, "radius"));
    EXPECT_TRUE(refused([](auto& d) { d.to = d.from; }, ShapeType::capsule, "to"));
    EXPECT_TRUE(refused([](auto& d) { d.to = d.from; }, ShapeType::cylinder, "to"));
    EXPECT_TRUE(refused([](auto& d) { d.normal = {}; }, ShapeType::plane, "normal"));
    EXPECT_TRUE(refused([](auto& d) { d.parts = {}; }, ShapeType::all_of, "parts"));
    EXPECT_TRUE(refused([](auto&) {}, ShapeType::mesh, "type"));
    ShapeDescription nested = describe(ShapeType::sphere);
    for (int i = 0; i < 40; ++i) {
        ShapeDescription outer;
        outer.type = ShapeType::all_of;
        outer.parts = {nested};
        nested = outer;
    }
    EXPECT_THROW(Shape{nested}, InputError);
}

}  // namespace
}  // namespace rivulet::geometry
