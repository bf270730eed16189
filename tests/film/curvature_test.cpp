#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/film/curvature.h>

namespace rivulet::film {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(Curvature, ConeHasItsDerivatives) {
    const double r0 = 1.3, r1 = 0.9, length = 0.7, d = 1e-6;
    const Cone c = cone(r0, r1, length);
    EXPECT_DOUBLE_EQ(c.area, kPi * (r0 + r1) * std::sqrt(length * length + 0.16));
    EXPECT_NEAR(c.by_r0, (cone(r0 + d, r1, length).area - cone(r0 - d, r1, length).area) / (2 * d), 1e-8);
    EXPECT_NEAR(c.by_r1, (cone(r0, r1 + d, length).area - cone(r0, r1 - d, length).area) / (2 * d), 1e-8);
    EXPECT_NEAR(c.by_r0_r0, (cone(r0 + d, r1, length).by_r0 - cone(r0 - d, r1, length).by_r0) / (2 * d),
                1e-8);
    EXPECT_NEAR(c.by_r0_r1, (cone(r0, r1 + d, length).by_r0 - cone(r0, r1 - d, length).by_r0) / (2 * d),
                1e-8);
    EXPECT_NEAR(c.by_r1_r1, (cone(r0, r1 + d, length).by_r1 - cone(r0, r1 - d, length).by_r1) / (2 * d),
                1e-8);
    EXPECT_NEAR(axial_stiffness(r0, r1, length), -c.by_r0_r1, 1e-14);
}

TEST(Curvature, OfAnEvenFilmIsOneOverItsRadiusOnAnySpacing) {
    EXPECT_NEAR(curvature({2, 2, 2}, 0.3, 0.5, 0.4).value, 0.5, 1e-15);
    EXPECT_NEAR(curvature({9, 2, 2}, 0, 0.5, 0.25).value, 0.5, 1e-15);
    EXPECT_NEAR(curvature({2, 2, 9}, 0.3, 0, 0.15).value, 0.5, 1e-15);
}

TEST(Curvature, IsThatOfTheSmoothSurfaceToSecondOrder) {
    // Wavy, and steep: R = 1 + 0.4 sin(2x).
    const auto error = [](double h) {
        double worst = 0;
        for (double x = 0; x < kPi; x += 0.1) {
            const auto radius = [](double y) { return 1 + 0.4 * std::sin(2 * y); };
            const double slope = 0.8 * std::cos(2 * x), bend = -1.6 * std::sin(2 * x);
            const double q = 1 + slope * slope;
            const double exact = 1 / (radius(x) * std::sqrt(q)) - bend / (q * std::sqrt(q));
            const double found = curvature({radius(x - h), radius(x), radius(x + h)}, h, h, h).value;
            worst = std::max(worst, std::abs(found - exact));
        }
        return worst;
    };
    EXPECT_LT(error(0.05), 0.01);
    EXPECT_NEAR(std::log2(error(0.05) / error(0.025)), 2, 0.1);
}

TEST(Curvature, DerivativesByTheAreasOfThreeVertices) {
    const Random random(11, 1);
    std::size_t at = 0;
    for (int k = 0; k < 50; ++k) {
        const double a = 0.5;
        std::array<double, 3> area;
        for (double& one : area) one = 0.2 + 3 * random.uniform(at++);
        double before = 0.2 + random.uniform(at++), after = 0.2 + random.uniform(at++);
        if (k % 5 == 1) before = 0;
        if (k % 5 == 2) after = 0;
        const double length = 0.5 * (before + after);
        const auto value = [&](const std::array<double, 3>& areas) {
            std::array<double, 3> radius;
            for (std::size_t i = 0; i < 3; ++i) radius[i] = std::sqrt(a * a + areas[i] / kPi);
            return curvature(radius, before, after, length);
        };
        for (std::size_t i = 0; i < 3; ++i) {
            const double d = 1e-5;
            auto more = area, less = area;
            more[i] += d;
            less[i] -= d;
            EXPECT_NEAR(value(area).by_area[i], (value(more).value - value(less).value) / (2 * d), 1e-7);
        }
    }
}

TEST(Curvature, BeadAtRestHasThePressureOfCarrollEverywhere) {
    // The unduloid between radii a and b: R_xx = (1 + R_x^2)/R - p (1 + R_x^2)^(3/2), p = 2/(a + b).
    const double a = 1, b = 3, p = 2 / (a + b);
    const auto bend = [&](double r, double s) {
        const double q = 1 + s * s;
        return q / r - p * q * std::sqrt(q);
    };
    const auto spread = [&](int fine) {
        const double dx = 0.2 / fine;
        const int sub = 200;
        std::vector<double> radius{b};
        double r = b, s = 0;
        while (r > a * 1.0005 && s <= 0) {
            for (int k = 0; k < sub; ++k) {
                const double h = dx / sub;
                const double r1 = s, s1 = bend(r, s);
                const double r2 = s + 0.5 * h * s1, s2 = bend(r + 0.5 * h * r1, r2);
                const double r3 = s + 0.5 * h * s2, s3 = bend(r + 0.5 * h * r2, r3);
                const double r4 = s + h * s3, s4 = bend(r + h * r3, r4);
                r += h / 6 * (r1 + 2 * r2 + 2 * r3 + r4);
                s += h / 6 * (s1 + 2 * s2 + 2 * s3 + s4);
            }
            radius.push_back(r);
        }
        EXPECT_GT(radius.size(), 10u * unsigned(fine));
        double worst = 0;
        for (std::size_t i = 1; i + 1 < radius.size(); ++i)
            worst = std::max(worst,
                             std::abs(curvature({radius[i - 1], radius[i], radius[i + 1]}, dx, dx, dx).value -
                                      2 / (a + b)));
        return worst;
    };
    EXPECT_LT(spread(1), 0.02 * p);
    EXPECT_NEAR(std::log2(spread(2) / spread(4)), 2, 0.2);
}

}  // namespace
}  // namespace rivulet::film
