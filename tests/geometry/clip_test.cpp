#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/geometry/clip.h>

namespace rivulet::geometry {
namespace {

const Random kRandom(31, 0);
double signed_uniform(std::uint64_t i) {
    return kRandom.uniform(i, -1, 1);
}

TEST(Clip, EdgeAndTriangle) {
    EXPECT_EQ(edge_fraction(-1, -2), 1);
    EXPECT_EQ(edge_fraction(1, 2), 0);
    EXPECT_DOUBLE_EQ(edge_fraction(-1, 3), 0.25);
    EXPECT_DOUBLE_EQ(edge_fraction(3, -1), 0.25);
    EXPECT_DOUBLE_EQ(triangle_fraction(-1, 1, 1), 0.25);
    EXPECT_DOUBLE_EQ(triangle_fraction(1, 1, -1), 0.25);
    EXPECT_DOUBLE_EQ(triangle_fraction(-1, 1, -1), 0.75);
}

TEST(Clip, SquareOfAStraightLineIsExact) {
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Vec3d normal{signed_uniform(4 * i), signed_uniform(4 * i + 1), 0};
        const double offset = signed_uniform(4 * i + 2);
        std::array<double, 4> d;
        for (std::size_t c = 0; c < 4; ++c)
            d[c] = normal.x * double(c & 1) + normal.y * double(c >> 1) - offset;
        const double exact = box_fraction_below_plane({{0, 0, 0}, {1, 1, 1}}, normal, offset);
        EXPECT_NEAR(square_fraction(d), exact, 1e-11);
    }
}

TEST(Clip, SquareHasTheSymmetriesOfASquare) {
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const std::array<double, 4> d{signed_uniform(4 * i), signed_uniform(4 * i + 1),
                                      signed_uniform(4 * i + 2), signed_uniform(4 * i + 3)};
        const double f = square_fraction(d);
        EXPECT_GE(f, 0);
        EXPECT_LE(f, 1);
        EXPECT_NEAR(square_fraction({-d[0], -d[1], -d[2], -d[3]}), 1 - f, 1e-12);
        EXPECT_NEAR(square_fraction({d[1], d[0], d[3], d[2]}), f, 1e-12);
        EXPECT_NEAR(square_fraction({d[0], d[2], d[1], d[3]}), f, 1e-12);
        EXPECT_NEAR(square_fraction({d[2], d[0], d[3], d[1]}), f, 1e-12);
    }
    EXPECT_NEAR(square_fraction({-1, 1, 1, -1}) + square_fraction({1, -1, -1, 1}), 1, 1e-15);
    EXPECT_DOUBLE_EQ(square_fraction({-3, 1, 1, -3}), 1 - 2 * 0.5 / 16);
}

TEST(Clip, TetrahedronAgainstCounting) {
    for (std::uint64_t i = 0; i < 30; ++i) {
        const std::array<double, 4> d{signed_uniform(4 * i), signed_uniform(4 * i + 1),
                                      signed_uniform(4 * i + 2), signed_uniform(4 * i + 3)};
        const int n = 60;
        int inside = 0, all = 0;
        for (int a = 0; a < n; ++a)
            for (int b = 0; a + b < n; ++b)
                for (int c = 0; a + b + c < n; ++c) {
                    const double w = n - 1 - a - b - c + 0.25;
                    ++all;
                    inside += d[0] * (a + 0.25) + d[1] * (b + 0.25) + d[2] * (c + 0.25) + d[3] * w < 0;
                }
        EXPECT_NEAR(tetrahedron_fraction(d), double(inside) / all, 0.015);
        EXPECT_NEAR(tetrahedron_fraction({-d[0], -d[1], -d[2], -d[3]}), 1 - tetrahedron_fraction(d), 1e-12);
        EXPECT_NEAR(tetrahedron_fraction({d[2], d[0], d[3], d[1]}), tetrahedron_fraction(d), 1e-12);
    }
}

TEST(Clip, CellOfAPlaneIsExact) {
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Vec3d normal = kRandom.direction(i);
        const double offset = kRandom.uniform(i + 90000, -1.5, 1.5);
        std::array<double, 8> d;
        for (std::size_t c = 0; c < 8; ++c)
            d[c] = dot(normal, {double(c & 1), double(c >> 1 & 1), double(c >> 2)}) - offset;
        const double exact = box_fraction_below_plane({{0, 0, 0}, {1, 1, 1}}, normal, offset);
        EXPECT_NEAR(cell_fraction(d), exact, 1e-11);
    }
}

TEST(Clip, CellComplementAndReflection) {
    for (std::uint64_t i = 0; i < 500; ++i) {
        std::array<double, 8> d, minus, mirrored, turned;
        for (std::size_t c = 0; c < 8; ++c) d[c] = signed_uniform(8 * i + c), minus[c] = -d[c];
        for (std::size_t c = 0; c < 8; ++c) mirrored[c] = d[c ^ 1], turned[c] = d[(c >> 1) | (c & 1) << 2];
        const double f = cell_fraction(d);
        EXPECT_NEAR(cell_fraction(minus), 1 - f, 1e-12);
        EXPECT_NEAR(cell_fraction(mirrored), f, 1e-12);
        EXPECT_NEAR(cell_fraction(turned), f, 1e-12);
    }
}

TEST(Clip, CellsOfASphereSumToItsVolume) {
    const int n = 40;
    const double r = 0.35, h = 1.0 / n;
    double sum = 0;
    const auto distance = [&](int i, int j, int k) {
        return length(Vec3d{i * h, j * h, k * h} - Vec3d{0.503, 0.491, 0.5}) - r;
    };
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                std::array<double, 8> d;
                for (int c = 0; c < 8; ++c)
                    d[std::size_t(c)] = distance(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
                sum += cell_fraction(d) * h * h * h;
            }
    const double exact = 4 * std::numbers::pi / 3 * r * r * r;
    EXPECT_NEAR(sum, exact, 0.003 * exact);
}

TEST(Clip, BoxBelowPlaneAgainstIntegratedCrossSections) {
    const Bounds box{{-0.3, 0.1, 0.2}, {0.5, 0.4, 1.0}};
    const Vec3d size = box.size();
    for (std::uint64_t i = 0; i < 50; ++i) {
        Vec3d normal = kRandom.direction(i);
        if (i % 5 == 0) normal.x = 0;
        if (i % 7 == 0) normal.z = 0;
        const double offset = dot(normal, box.centre()) + 0.4 * signed_uniform(i + 777);
        // d(volume)/d(offset) = area / |normal|: midpoint rule over cross sections from below the box (whose
        // area jumps when the plane is parallel to a side, i = 0 and 35).
        const int steps = 4000;
        const double from = offset - 2.5, width = 2.5 / steps;
        double sum = 0;
        for (int k = 0; k < steps; ++k) sum += cut_box(box, normal, from + (k + 0.5) * width).area() * width;
        const double expected = sum / length(normal) / (size.x * size.y * size.z);
        EXPECT_NEAR(box_fraction_below_plane(box, normal, offset), expected, i % 35 == 0 ? 3e-3 : 2e-4) << i;
    }
    EXPECT_NEAR(box_fraction_below_plane({{0, 0, 0}, {1, 1, 1}}, {1, 1, 1}, 1), 1.0 / 6, 1e-14);
    EXPECT_NEAR(box_fraction_below_plane({{0, 0, 0}, {1, 1, 1}}, {1, 1, 1}, 1.5), 0.5, 1e-14);
    EXPECT_NEAR(box_fraction_below_plane({{0, 0, 0}, {1, 1, 1}}, {0, -2, 0}, -0.5), 0.75, 1e-14);
}

TEST(Clip, PolygonOfAPlaneThroughABox) {
    const PlanePolygon hexagon = cut_box({{0, 0, 0}, {1, 1, 1}}, {1, 1, 1}, 1.5);
    EXPECT_EQ(hexagon.count, 6);
    EXPECT_NEAR(hexagon.area(), 0.75 * std::sqrt(3.0), 1e-14);
    const PlanePolygon square = cut_box({{0, 0, 0}, {1, 2, 3}}, {0, 1, 0}, 0.4);
    EXPECT_EQ(square.count, 4);
    EXPECT_NEAR(square.area(), 3, 1e-14);
    EXPECT_GT(cross(square.point[1] - square.point[0], square.point[2] - square.point[1]).y, 0);
    EXPECT_EQ(cut_box({{0, 0, 0}, {1, 1, 1}}, {1, 0, 0}, 2).count, 0);
    EXPECT_EQ(cut_box({{0, 0, 0}, {1, 1, 1}}, {}, 0).count, 0);
}

}  // namespace
}  // namespace rivulet::geometry
