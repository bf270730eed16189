#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include <geometry/winding_number.h>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/geometry/sampling.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/geometry/tessellate.h>

namespace rivulet::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

ShapeDescription ball(const Vec3d& centre, double radius) {
    ShapeDescription d;
    d.type = ShapeType::sphere;
    d.center = centre, d.radius = radius;
    return d;
}
ShapeDescription box(const Vec3d& min, const Vec3d& max) {
    ShapeDescription d;
    d.min = min, d.max = max;
    return d;
}
ShapeDescription plane(const Vec3d& point, const Vec3d& normal) {
    ShapeDescription d;
    d.type = ShapeType::plane;
    d.point = point, d.normal = normal;
    return d;
}
ShapeDescription of(ShapeType type, ShapeDescription inner) {
    ShapeDescription d;
    d.type = type;
    d.of = {std::move(inner)};
    return d;
}
ShapeDescription list(ShapeType type, std::vector<ShapeDescription> parts) {
    ShapeDescription d;
    d.type = type;
    d.parts = std::move(parts);
    return d;
}
ShapeDescription difference(ShapeDescription from, std::vector<ShapeDescription> minus) {
    ShapeDescription d = of(ShapeType::difference, std::move(from));
    d.parts = std::move(minus);
    return d;
}
ShapeDescription shell(ShapeDescription inner, double thickness) {
    ShapeDescription d = of(ShapeType::shell, std::move(inner));
    d.thickness = thickness;
    return d;
}
ShapeDescription rotated(ShapeDescription inner, double angle) {
    ShapeDescription d = of(ShapeType::rotate, std::move(inner));
    d.axis = {1, 2, -0.5}, d.angle = angle, d.pivot = {0.1, -0.2, 0.05};
    return d;
}
ShapeDescription scaled(ShapeDescription inner, const Vec3d& factor) {
    ShapeDescription d = of(ShapeType::scale, std::move(inner));
    d.factor = factor, d.pivot = {0.1, 0, 0.2};
    return d;
}
ShapeDescription revolve(std::vector<ProfilePoint> profile, double thickness = 0, bool smooth = false) {
    ShapeDescription d;
    d.type = ShapeType::revolve;
    d.profile = std::move(profile), d.thickness = thickness, d.smooth = smooth;
    d.axis = {0.3, 1, 0.2}, d.center = {0.05, -0.1, 0};
    return d;
}

struct Case {
    const char* name;
    ShapeDescription shape;
    double volume = 0, area = 0;  // analytic; 0 where there is no simple one
    bool exact = false;           // the distance is the true one everywhere
    double least_slope = 1;       // of the distance, over the way along its normal
};

double ball_volume(double r) {
    return 4 * kPi / 3 * r * r * r;
}

std::vector<Case> cases() {
    const double r = 0.4, t = 0.06, inner = r - t;
    const std::vector<ProfilePoint> vase{{0, 0}, {0.2, 0.05}, {0.35, 0.3}, {0.3, 0.5}};
    return {
        {"half_ball", list(ShapeType::intersection, {ball({}, r), plane({}, {0, 1, 0})}),
         0.5 * ball_volume(r), 3 * kPi * r * r},
        {"bowl", difference(ball({}, r), {ball({}, inner), box({-1, 0, -1}, {1, 1, 1})}),
         0.5 * (ball_volume(r) - ball_volume(inner)),
         2 * kPi * (r * r + inner * inner) + kPi * (r * r - inner * inner)},
        {"box_with_hole",
         difference(box({-0.3, -0.2, -0.4}, {0.3, 0.2, 0.4}), {box({-1, -0.1, -0.1}, {1, 0.1, 0.1})}),
         0.6 * 0.4 * 0.8 - 0.6 * 0.04, 2 * (0.24 + 0.32 + 0.48) - 2 * 0.04 + 4 * 0.2 * 0.6},
        {"shell_of_ball", shell(ball({0.1, 0, 0}, r), t), ball_volume(r) - ball_volume(inner),
         4 * kPi * (r * r + inner * inner), true},
        {"shell_of_box", shell(box({-0.4, -0.3, -0.2}, {0.4, 0.3, 0.2}), 0.05),
         0.8 * 0.6 * 0.4 - 0.7 * 0.5 * 0.3, 2 * (0.48 + 0.32 + 0.24) + 2 * (0.35 + 0.21 + 0.15)},
        {"open_shell",
         difference(shell(box({-0.4, -0.3, -0.2}, {0.4, 0.3, 0.2}), 0.05), {plane({0, 0.2, 0}, {0, -1, 0})}),
         0.8 * 0.5 * 0.4 - 0.7 * 0.45 * 0.3},
        {"rotated_box", rotated(box({-0.4, -0.3, -0.2}, {0.3, 0.1, 0.4}), 0.7), 0.7 * 0.4 * 0.6,
         2 * (0.28 + 0.24 + 0.42), true},
        {"scaled_equally", scaled(ball({0.1, 0.1, 0}, 0.2), {1.5, 1.5, 1.5}), ball_volume(0.3),
         4 * kPi * 0.09, true},
        {"ellipsoid", scaled(ball({}, 0.3), {1.4, 0.6, 1}), ball_volume(0.3) * 1.4 * 0.6, 0, false,
         0.6 / 1.4},
        {"cone", revolve({{0, -0.3}, {0.4, -0.3}, {0, 0.4}}), kPi / 3 * 0.16 * 0.7,
         kPi * 0.16 + kPi * 0.4 * std::hypot(0.4, 0.7), true},
        {"pipe", revolve({{0.3, -0.4}, {0.4, -0.4}, {0.4, 0.4}, {0.3, 0.4}, {0.3, -0.4}}), kPi * 0.07 * 0.8,
         2 * kPi * 0.07 + 2 * kPi * 0.7 * 0.8, true},
        {"closed_onto_axis", revolve({{0.4, -0.2}, {0.4, 0.3}}), kPi * 0.16 * 0.5,
         2 * kPi * 0.16 + 2 * kPi * 0.4 * 0.5, true},
        {"cup", revolve({{0, -0.3}, {0.3, -0.3}, {0.3, 0.3}}, 0.08)},
        {"vase", revolve(vase, 0.05, true)},
        {"union_of_bowls",
         list(ShapeType::all_of, {revolve(vase, 0.05, true), shell(ball({0.3, 0.3, 0}, 0.2), 0.03)})},
        {"deep",
         rotated(scaled(difference(shell(ball({}, 0.4), 0.08), {box({-1, 0.1, -1}, {1, 1, 1})}), {1, 0.7, 1}),
                 0.4),
         0, 0, false, 0.7},
    };
}

class Composed : public testing::TestWithParam<Case> {};

Vec3d random_point(const Random& random, std::uint64_t i, double reach) {
    return (random.uniform3(i) * 2.0 - Vec3d{1, 1, 1}) * reach;
}

/// Points on the surface, drawn there along the gradient from a fine tessellation.
std::vector<Vec3d> surface_points(const Shape& shape) {
    std::vector<Vec3d> out;
    for (const SurfacePoint& p : sample_surface(tessellate(shape, 1, 96), 20000, Random(5, 0))) {
        Vec3d x = p.position;
        for (int step = 0; step < 20; ++step) {
            const DistanceSample s = shape.sample(x);
            x += s.normal * -s.distance;
        }
        if (std::abs(shape.distance(x)) < 1e-4) out.push_back(x);
    }
    return out;
}

TEST_P(Composed, DistanceIsABoundWithTheSignOfTheInside) {
    const Shape shape(GetParam().shape);
    const std::vector<Vec3d> surface = surface_points(shape);
    ASSERT_GT(surface.size(), 18000u);
    const Random random(2, 0);
    double worst = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const Vec3d p = random_point(random, i, 0.8);
        double nearest = 1e9;
        for (const Vec3d& q : surface) nearest = std::min(nearest, length(p - q));
        const double d = shape.distance(p);
        EXPECT_LE(std::abs(d), nearest + 1e-3) << i;
        worst = std::max(worst, nearest - std::abs(d));
    }
    // 20 000 points leave gaps of about two centimetres.
    if (GetParam().exact) {
        EXPECT_LT(worst, 0.02);
    }
}

TEST_P(Composed, SignIsThatOfTheWindingNumber) {
    const Shape shape(GetParam().shape);
    const TriangleMesh mesh = tessellate(shape, 1, 48);
    const Random random(3, 0);
    for (std::uint64_t i = 0; i < 60; ++i) {
        const Vec3d p = random_point(random, i, 0.6);
        if (std::abs(shape.distance(p)) < 0.005) continue;  // within the error of the triangles
        // Parts of a union wind one by one.
        const double winding = winding_number(mesh, p);
        EXPECT_EQ(shape.distance(p) < 0, winding > 0.5) << i << " winds " << winding;
    }
}

TEST_P(Composed, ChangesByNoMoreThanTheWay) {
    const Shape shape(GetParam().shape);
    const Random random(4, 0);
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const Vec3d p = random_point(random, 2 * i, 0.9);
        const Vec3d q = p + random.direction(2 * i + 1) * std::pow(10, -4 * random.uniform(7 * i));
        EXPECT_LE(std::abs(shape.distance(p) - shape.distance(q)), length(p - q) * (1 + 1e-9) + 1e-14);
    }
}

TEST_P(Composed, NormalIsTheDirectionOfTheGradient) {
    const Shape shape(GetParam().shape);
    const Random random(1, 0);
    int kinks = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Vec3d p = random_point(random, i, 0.9);
        const DistanceSample s = shape.sample(p);
        EXPECT_NEAR(s.distance, shape.distance(p), 1e-13);
        EXPECT_NEAR(length(s.normal), 1, 1e-12);
        const double h = 1e-6;
        Vec3d gradient;
        for (int a = 0; a < 3; ++a) {
            Vec3d e;
            e[a] = h;
            gradient[a] = (shape.distance(p + e) - shape.distance(p - e)) / (2 * h);
        }
        const double slope = length(gradient);
        // The gradient jumps where two surfaces are equally near, which random points meet within h rarely.
        if (slope < 0.99 * GetParam().least_slope || length(gradient / slope - s.normal) > 1e-3) ++kinks;
    }
    EXPECT_LE(kinks, 4);
}

TEST_P(Composed, RowAndBoundsAgreeWithTheDistance) {
    const Shape shape(GetParam().shape);
    const Vec3d first{-0.7, -0.5, 0.2}, step{0.02, 0.015, -0.01};
    std::vector<double> row(70);
    shape.distance_row(first, step, row.size(), row.data());
    for (std::size_t i = 0; i < row.size(); ++i)
        EXPECT_EQ(row[i], shape.distance(first + step * static_cast<double>(i)));
    const Random random(3, 0);
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const Vec3d p = random_point(random, i, 1);
        if (shape.distance(p) < 0) {
            EXPECT_TRUE(shape.bounds().contains(p));
        }
    }
}

TEST_P(Composed, VolumeAndAreaAreTheAnalyticOnes) {
    const Shape shape(GetParam().shape);
    const TriangleMesh mesh = tessellate(shape, 1, 96);
    const double volume = signed_volume(mesh);
    // Lattice points inside, against the triangles and against the formula.
    const double spacing = 0.008;
    const double counted =
        double(fill_lattice(shape, spacing, 1, Random(1, 1)).size()) * std::pow(spacing, 3);
    if (shape.parts().size() == 1) {
        EXPECT_NEAR(volume, counted, 0.02 * counted);
    }
    if (GetParam().volume > 0) {
        EXPECT_NEAR(volume, GetParam().volume, 0.005 * volume);
    }
    if (GetParam().area > 0) {
        EXPECT_NEAR(surface_area(mesh), GetParam().area, 0.01 * GetParam().area);
    }
}

TEST_P(Composed, TrianglesAreClosed) {
    const TriangleMesh mesh = tessellate(Shape(GetParam().shape), 1);
    std::map<std::pair<int, int>, int> edges;
    for (const Vec3i& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    ASSERT_GT(edges.size(), 0u);
    int open = 0;
    for (const auto& edge : edges) {
        const auto other = edges.find({edge.first.second, edge.first.first});
        open += edge.second != 1 || other == edges.end() || other->second != 1;
    }
    EXPECT_EQ(open, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Composed, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

TEST(ComposedShape, ThinnestIsTheWall) {
    EXPECT_DOUBLE_EQ(Shape(shell(ball({}, 0.4), 0.03)).thinnest(), 0.03);
    EXPECT_DOUBLE_EQ(Shape(scaled(revolve({{0, 0}, {1, 0}}, 0.1), {2, 0.5, 1})).thinnest(), 0.05);
    EXPECT_EQ(Shape(plane({}, {0, 1, 0})).thinnest(), Bounds::kInfinity);
}

TEST(ComposedShape, UnboundedOnesWork) {
    // A floor with a round hole.
    ShapeDescription drill;
    drill.type = ShapeType::cylinder;
    drill.from = {0, -1, 0}, drill.to = {0, 1, 0}, drill.radius = 0.2;
    const Shape floor(difference(plane({}, {0, 1, 0}), {drill}));
    EXPECT_FALSE(floor.bounds().is_finite());
    EXPECT_GT(floor.distance({0, -0.1, 0}), 0);
    EXPECT_LT(floor.distance({0.5, -0.1, 0}), 0);
    EXPECT_GT(tessellate(floor, 1).triangles.size(), 1000u);
}

std::string refused_at(const ShapeDescription& d) {
    try {
        Shape shape(d, "s");
    } catch (const InputError& e) {
        EXPECT_FALSE(e.problems()[0].message.empty());
        EXPECT_FALSE(e.problems()[0].hint.empty());
        return e.problems()[0].key;
    }
    return "";
}

TEST(ComposedShape, RefusesWhatCannotBe) {
    const ShapeDescription small = ball({}, 0.1), far = ball({1, 0, 0}, 0.1);
    EXPECT_EQ(refused_at(list(ShapeType::intersection, {small, far})), "s.parts");
    EXPECT_EQ(refused_at(list(ShapeType::intersection, {ball({}, 0.1), ball({0.15, 0.15, 0}, 0.1)})),
              "s.parts");
    EXPECT_EQ(refused_at(list(ShapeType::intersection, {})), "s.parts");
    EXPECT_EQ(refused_at(difference(small, {ball({}, 0.2)})), "s.minus");
    EXPECT_EQ(refused_at(difference(small, {small})), "s.minus");
    EXPECT_EQ(refused_at(difference(small, {})), "s.minus");
    EXPECT_EQ(refused_at(shell(small, 0)), "s.thickness");
    EXPECT_EQ(refused_at(shell(small, -0.01)), "s.thickness");
    EXPECT_EQ(refused_at(shell(small, 0.1)), "s.thickness");
    EXPECT_EQ(refused_at(scaled(small, {1, 0, 1})), "s.factor");
    EXPECT_EQ(refused_at(shell(scaled(ball({}, -1), {1, 1, 1}), 0.1)), "s.of.of.radius");
    EXPECT_EQ(refused_at(list(ShapeType::all_of, {small, shell(small, 0.2)})), "s.parts.1.thickness");
    ShapeDescription still = rotated(small, 1);
    still.axis = {};
    EXPECT_EQ(refused_at(still), "s.axis");
    ShapeDescription nested = small;
    for (int i = 0; i < 40; ++i) nested = rotated(nested, 0.1);
    EXPECT_NE(refused_at(nested), "");
}

TEST(ComposedShape, RefusesBadProfiles) {
    const auto at = [](std::vector<ProfilePoint> p, double thickness = 0) {
        return refused_at(revolve(std::move(p), thickness));
    };
    EXPECT_EQ(at({}), "s.profile");
    EXPECT_EQ(at({{0.1, 0}}), "s.profile");
    EXPECT_EQ(at({{0, 0}, {0, 1}}), "s.profile");                                        // on the axis
    EXPECT_EQ(at({{0.1, 0}, {0.1, 0}, {0.2, 1}}), "s.profile");                          // a point twice
    EXPECT_EQ(at({{0.1, 0}, {-0.1, 0.2}, {0.2, 1}}), "s.profile");                       // negative radius
    EXPECT_EQ(at({{0, 0}, {0.5, 0.5}, {0.5, 0}, {0.1, 0.5}}), "s.profile");              // crosses itself
    EXPECT_EQ(at({{0.1, 0}, {0.3, 0}, {0.2, 0}, {0.2, 1}}, 0.01), "s.profile");          // runs back
    EXPECT_EQ(at({{0.1, 0}, {0.3, 0}, {0, 0.2}, {0.3, 0.4}, {0.1, 0.4}}), "s.profile");  // touches the axis
    EXPECT_EQ(at({{0.1, 0}, {0.3, 0}}), "s.profile");                                    // encloses nothing
    EXPECT_EQ(at({{0.1, 0}, {0.3, 0}}, -0.1), "s.thickness");
    EXPECT_EQ(at({{0.1, 0}, {0.3, 0}}, 0.05), "");
}

}  // namespace
}  // namespace rivulet::geometry
