#include "elastic/rod_samples.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include <rivulet/elastic/cross_section.h>

namespace rivulet::elastic {
namespace {

using samples::expand;
using samples::JointSample;
using samples::Part;
using samples::StencilEnergy;

// Central differences with step 1e-5: truncation 1e-10 times third derivatives, rounding 1e-11.
constexpr double kStep = 1e-5, kTolerance = 1e-7;

void expect_derivatives(const JointSample& sample, Part part) {
    const StencilEnergy<double> at = samples::evaluate(sample, part);
    double scale_g = 0, scale_h = 0;
    for (int i = 0; i < 11; ++i) {
        scale_g = std::max(scale_g, std::abs(at.gradient[i]));
        for (int j = 0; j < 11; ++j) scale_h = std::max(scale_h, std::abs(at.hessian[i][j]));
    }
    for (int i = 0; i < 11; ++i) {
        JointSample up = sample, down = sample;
        up.unknowns[std::size_t(i)] += kStep;
        down.unknowns[std::size_t(i)] -= kStep;
        const auto eu = samples::evaluate(up, part), ed = samples::evaluate(down, part);
        EXPECT_NEAR((eu.value - ed.value) / (2 * kStep), at.gradient[i], kTolerance * scale_g)
            << "unknown " << i;
        for (int j = 0; j < 11; ++j)
            EXPECT_NEAR((eu.gradient[j] - ed.gradient[j]) / (2 * kStep), at.hessian[i][j],
                        kTolerance * scale_h)
                << "entry " << i << ", " << j;
    }
}

TEST(Rod, BendDerivativesAreThoseOfTheValue) {
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const double hop : {0.0, 0.1, 0.8})
            expect_derivatives(samples::random_joint(seed, hop, 0.9), Part::bend);
}

TEST(Rod, TwistDerivativesAreThoseOfTheValue) {
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const double hop : {0.0, 0.1, 0.8})
            expect_derivatives(samples::random_joint(seed, hop, 0.9), Part::twist);
}

TEST(Rod, DerivativesHoldFromStraightToSharpTurns) {
    for (const double turn : {0.0, 1e-4, 0.3, 1.5, 2.5})
        for (std::uint64_t seed = 40; seed < 50; ++seed)
            expect_derivatives(samples::random_joint(seed, 0.2, turn), Part::both);
}

TEST(Rod, StretchDerivativesAreThoseOfTheValue) {
    const auto at = [](const Vec3d& e) {
        const double l = length(e);
        return stretch(e / l, l, 1 / l, 3.0, 0.9, 1.0);
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Vec3d e = Random(seed, 3).uniform(9, 0.4, 1.6) * Random(seed, 3).direction(0);
        for (int i = 0; i < 3; ++i) {
            Vec3d up = e, down = e;
            up[i] += kStep;
            down[i] -= kStep;
            EXPECT_NEAR((at(up).value - at(down).value) / (2 * kStep), at(e).gradient[i], 1e-8);
            for (int j = 0; j < 3; ++j)
                EXPECT_NEAR((at(up).gradient[j] - at(down).gradient[j]) / (2 * kStep), at(e).hessian(i, j),
                            1e-7);
        }
    }
}

Eigen::Matrix<double, 11, 11> matrix(const StencilEnergy<double>& s) {
    Eigen::Matrix<double, 11, 11> m;
    for (int i = 0; i < 11; ++i)
        for (int j = 0; j < 11; ++j) m(i, j) = s.hessian[i][j];
    return m;
}

TEST(Rod, GaussNewtonHessianIsNeverNegative) {
    double least_exact = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const JointSample s = samples::random_joint(seed, 0.3, 2.0);
        const auto gauss_newton = matrix(samples::evaluate(s, Part::both, 0));
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 11, 11>> solver(gauss_newton);
        EXPECT_GT(solver.eigenvalues()(0), -1e-12 * solver.eigenvalues()(10));
        least_exact =
            std::min(least_exact, matrix(samples::evaluate(s, Part::both)).eigenvalues().real().minCoeff());
    }
    EXPECT_LT(least_exact, -0.1);  // the exact one is indefinite, so the option is worth having
}

TEST(Rod, GaussNewtonStretchDropsOnlyTheNegativePart) {
    const Vec3d t{0, 0, 1};
    EXPECT_EQ(stretch(t, 0.5, 2.0, 3.0, 1.0, 0.0).hessian.xx, 0);
    EXPECT_LT(stretch(t, 0.5, 2.0, 3.0, 1.0, 1.0).hessian.xx, 0);
    EXPECT_EQ(stretch(t, 2.0, 0.5, 3.0, 1.0, 0.0).hessian.xx, stretch(t, 2.0, 0.5, 3.0, 1.0, 1.0).hessian.xx);
}

// A rigid rotation turns edges and material axes alike; about the base configuration the angles then change
// by the spin about each tangent. Force and torque balance: Σ f = 0, Σ x×f + Σ τ t = 0.
TEST(Rod, ForcesAndTorquesSumToZero) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        JointSample s = samples::random_joint(seed, 0.0, 1.1);
        for (const Part part : {Part::bend, Part::twist}) {
            const auto e = samples::evaluate(s, part);
            const auto vec = [](const auto& u, int i) { return Vec3d{u[i], u[i + 1], u[i + 2]}; };
            const double* u = s.unknowns.data();
            const Vec3d x0 = vec(u, 0), x1 = vec(u, 4), x2 = vec(u, 8);
            const Vec3d f0 = vec(e.gradient, 0), f1 = vec(e.gradient, 4), f2 = vec(e.gradient, 8);
            EXPECT_LT(length(f0 + f1 + f2), 1e-13);
            const Vec3d torque = cross(x0, f0) + cross(x1, f1) + cross(x2, f2) +
                                 e.gradient[3] * normalized(x1 - x0) + e.gradient[7] * normalized(x2 - x1);
            EXPECT_LT(length(torque), 1e-12);
        }
    }
}

TEST(Rod, RigidMotionOfBaseAndUnknownsTurnsTheForces) {
    const Vec3d axis = normalized(Vec3d{1, 2, -0.5});
    const double angle = 1.3;
    const auto rotate = [&](const Vec3d& v) {
        return std::cos(angle) * v + std::sin(angle) * cross(axis, v) +
               (1 - std::cos(angle)) * dot(axis, v) * axis;
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const JointSample s = samples::random_joint(seed, 0.4, 1.1);
        JointSample t = s;
        for (auto& b : t.base) b = {rotate(b.tangent), rotate(b.director)};
        for (const std::size_t i : {0, 4, 8}) {
            const Vec3d x = rotate({s.unknowns[i], s.unknowns[i + 1], s.unknowns[i + 2]}) + Vec3d{3, -1, 2};
            for (int c = 0; c < 3; ++c) t.unknowns[i + std::size_t(c)] = x[c];
        }
        const auto e = samples::evaluate(s, Part::both), f = samples::evaluate(t, Part::both);
        EXPECT_NEAR(e.value, f.value, 1e-12);
        for (const int i : {0, 4, 8}) {
            const Vec3d g = rotate({e.gradient[i], e.gradient[i + 1], e.gradient[i + 2]});
            for (int c = 0; c < 3; ++c) EXPECT_NEAR(g[c], f.gradient[i + c], 1e-12);
        }
        EXPECT_NEAR(e.gradient[3], f.gradient[3], 1e-12);
    }
}

TEST(Rod, LanesHaveTheBitsOfTheScalar) {
    JointSample s[4];
    for (std::uint64_t l = 0; l < 4; ++l)
        s[l] = samples::random_joint(60 + l, 0.2 * double(l), 0.5 * double(l));
    const auto gather = [&](auto&& get) { return Pack(get(s[0]), get(s[1]), get(s[2]), get(s[3])); };
    const auto gather3 = [&](auto&& get) {
        return Vec3<Pack>{gather([&](auto& j) { return get(j).x; }),
                          gather([&](auto& j) { return get(j).y; }),
                          gather([&](auto& j) { return get(j).z; })};
    };
    std::array<Pack, 11> u;
    for (std::size_t i = 0; i < 11; ++i) u[i] = gather([&](auto& j) { return j.unknowns[i]; });
    std::array<EdgeBase<Pack>, 2> base;
    for (std::size_t i = 0; i < 2; ++i)
        base[i] = {gather3([&](auto& j) { return j.base[i].tangent; }),
                   gather3([&](auto& j) { return j.base[i].director; })};
    const BendRest<Pack> bend{gather([](auto& j) { return j.bend.stiffness1; }),
                              gather([](auto& j) { return j.bend.stiffness2; }),
                              {gather([](auto& j) { return j.bend.rest.before1; }),
                               gather([](auto& j) { return j.bend.rest.before2; }),
                               gather([](auto& j) { return j.bend.rest.after1; }),
                               gather([](auto& j) { return j.bend.rest.after2; })}};
    const TwistRest<Pack> twist{gather([](auto& j) { return j.twist.stiffness; }),
                                gather([](auto& j) { return j.twist.rest; })};
    const Pack exact(1, 0, 1, 0);
    const auto packed = expand(samples::evaluate_joint<Pack>(u, base, bend, twist, Part::both, exact));
    for (int l = 0; l < 4; ++l) {
        const auto plain = samples::evaluate(s[l], Part::both, exact[l]);
        EXPECT_EQ(packed.value[l], plain.value);
        for (int i = 0; i < 11; ++i) {
            EXPECT_EQ(packed.gradient[i][l], plain.gradient[i]);
            for (int j = 0; j < 11; ++j) EXPECT_EQ(packed.hessian[i][j][l], plain.hessian[i][j]);
        }
    }
}

TEST(Rod, FullFoldsStayFinite) {
    for (const double turn : {3.1, 3.14, 3.1415926, std::numbers::pi})
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            const auto e = samples::evaluate(samples::random_joint(seed, 0.0, turn), Part::both);
            EXPECT_TRUE(std::isfinite(e.value));
            for (int i = 0; i < 11; ++i) {
                EXPECT_TRUE(std::isfinite(e.gradient[i]));
                for (int j = 0; j < 11; ++j) EXPECT_TRUE(std::isfinite(e.hessian[i][j]));
            }
        }
}

// Twice the tangent of half the turning angle, the same seen from both edges (κb lies across both).
TEST(Rod, CurvatureIsTheTangentOfHalfTheTurn) {
    JointSample s = samples::random_joint(5, 0.0, 0.7);
    const double* u = s.unknowns.data();
    const Vec3d x0{u[0], u[1], u[2]}, x1{u[4], u[5], u[6]}, x2{u[8], u[9], u[10]};
    const auto before = place_edge(x1 - x0, u[3], s.base[0]), after = place_edge(x2 - x1, u[7], s.base[1]);
    const auto k = curvatures(make_joint(before, after), before, after);
    EXPECT_NEAR(std::hypot(k.before1, k.before2), 2 * std::tan(0.35), 1e-14);
    EXPECT_NEAR(std::hypot(k.after1, k.after2), 2 * std::tan(0.35), 1e-14);
}

TEST(CrossSection, KnownValues) {
    const CrossSection<double> circle{2, 2}, ellipse{3, 1};
    const double pi = std::numbers::pi;
    EXPECT_NEAR(circle.area(), 4 * pi, 1e-14);
    EXPECT_NEAR(circle.bending_moment_1(), 4 * pi, 1e-14);  // πr⁴/4
    EXPECT_NEAR(circle.torsion_constant(), 8 * pi, 1e-13);  // πr⁴/2
    EXPECT_NEAR(circle.polar_moment(), 8 * pi, 1e-13);
    EXPECT_NEAR(ellipse.bending_moment_1(), pi * 27 / 4, 1e-13);
    EXPECT_NEAR(ellipse.bending_moment_2(), pi * 3 / 4, 1e-13);
    EXPECT_NEAR(ellipse.torsion_constant(), pi * 27 / 10, 1e-13);
}

}  // namespace
}  // namespace rivulet::elastic
