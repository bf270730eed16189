#include "elastic/shell_samples.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace rivulet::elastic {
namespace {

using samples::random_shell;
using samples::ShellSample;

using Unknowns = std::array<double, kPlateUnknowns>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;

constexpr double kStep = 1e-5;

Unknowns unit(std::size_t u, double by) {
    Unknowns d{};
    d[u] = by;
    return d;
}

Vector12 plate_gradient(const ShellSample& s) {
    const PlateShape shape = s.shape();
    const PlateEnergy e = plate(s.rest, s.bend, shape, s.curvature_target);
    Vector12 g;
    for (int u = 0; u < 9; ++u) g(u) = e.gradient[std::size_t(u / 3)] * shape.normal[u % 3];
    for (int i = 0; i < 3; ++i) g(9 + i) = e.gradient[std::size_t(3 + i)];
    return g;
}
Matrix12 plate_matrix(const ShellSample& s) {
    const PlateHessian h = plate_hessian(s.rest, s.bend, s.shape(), s.curvature_target);
    Matrix12 m;
    for (std::size_t a = 0; a < 12; ++a)
        for (std::size_t b = 0; b < 12; ++b) m(int(a), int(b)) = h[a][b];
    return m;
}
Vector12 membrane_gradient(const ShellSample& s) {
    const MembraneEnergy e = s.membrane_here();
    Vector12 g = Vector12::Zero();
    for (int u = 0; u < 9; ++u) g(u) = e.gradient[std::size_t(u / 3)][u % 3];
    return g;
}
Matrix12 membrane_matrix(const MembraneEnergy& e) {
    Matrix12 m = Matrix12::Zero();
    for (int a = 0; a < 9; ++a)
        for (int b = 0; b < 9; ++b) m(a, b) = e.hessian[std::size_t(a / 3)][std::size_t(b / 3)](a % 3, b % 3);
    return m;
}

/// Value, gradient and Hessian of each energy: a new one joins this list.
struct Energy {
    const char* name;
    double (*value)(const ShellSample&);
    Vector12 (*gradient)(const ShellSample&);
    Matrix12 (*hessian)(const ShellSample&);
};
const Energy kEnergies[] = {
    {"membrane", [](const ShellSample& s) { return s.membrane_value_here(); }, membrane_gradient,
     [](const ShellSample& s) { return membrane_matrix(s.membrane_here()); }},
    {"plate", [](const ShellSample& s) { return s.plate_value_here(); }, plate_gradient, plate_matrix},
};

class Shell : public testing::TestWithParam<Energy> {};

TEST_P(Shell, GradientIsThatOfTheValue) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const ShellSample s = random_shell(seed, 0.2, 1.2);
        const Vector12 g = GetParam().gradient(s);
        for (std::size_t u = 0; u < 12; ++u) {
            const double up = GetParam().value(s.moved(unit(u, kStep))),
                         down = GetParam().value(s.moved(unit(u, -kStep)));
            EXPECT_NEAR((up - down) / (2 * kStep), g(int(u)), 1e-7 * g.norm() + 1e-9) << "unknown " << u;
        }
    }
}

// A moved base turns directors on another way than one transport would: of the slopes of gradients the
// symmetric part is the Hessian of the value.
TEST_P(Shell, HessianIsThatOfTheGradient) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const ShellSample s = random_shell(seed, 0.2, 1.2);
        const Matrix12 h = GetParam().hessian(s);
        Matrix12 slopes;
        for (std::size_t u = 0; u < 12; ++u)
            slopes.col(int(u)) = (GetParam().gradient(s.moved(unit(u, kStep))) -
                                  GetParam().gradient(s.moved(unit(u, -kStep)))) /
                                 (2 * kStep);
        EXPECT_LT((h - 0.5 * (slopes + slopes.transpose())).norm(), 1e-7 * h.norm()) << seed;
        EXPECT_LT((h - h.transpose()).norm(), 1e-12 * h.norm());
    }
}

TEST_P(Shell, SecondDifferencesOfTheValueAgree) {
    constexpr double kWide = 1e-4;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const ShellSample s = random_shell(seed, 0.2, 1.2);
        const Matrix12 h = GetParam().hessian(s);
        const double here = GetParam().value(s);
        for (std::uint64_t k = 0; k < 12; ++k) {
            Unknowns up, down;
            Vector12 d;
            for (std::size_t u = 0; u < 12; ++u) {
                d(int(u)) = Random(seed, 5).uniform(100 * k + u, -1, 1);
                up[u] = kWide * d(int(u));
                down[u] = -up[u];
            }
            const double second =
                (GetParam().value(s.moved(up)) + GetParam().value(s.moved(down)) - 2 * here) /
                (kWide * kWide);
            EXPECT_NEAR(second, d.dot(h * d), 2e-5 * h.norm());
        }
    }
}

TEST_P(Shell, ForcesAndTorquesSumToZero) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const ShellSample s = random_shell(seed, 0.3, 1.2);
        const Vector12 g = GetParam().gradient(s);
        Vec3d force, torque;
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d f{g(int(3 * i)), g(int(3 * i + 1)), g(int(3 * i + 2))};
            force += f;
            torque += cross(s.x[i], f) + g(int(9 + i)) * normalized(s.along(i));
        }
        EXPECT_LT(length(force), 1e-12 * g.norm());
        EXPECT_LT(length(torque), 1e-12 * g.norm());
    }
}

TEST_P(Shell, RigidMotionKeepsTheValue) {
    const Vec3d axis = normalized(Vec3d{1, 2, -0.5});
    const auto rotate = [&](const Vec3d& v) {
        return turned(v - dot(v, axis) * axis, axis, 1.3) + dot(v, axis) * axis;
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const ShellSample s = random_shell(seed, 0.3, 1.2);
        ShellSample t = s;
        for (std::size_t i = 0; i < 3; ++i) {
            t.x[i] = rotate(s.x[i]) + Vec3d{3, -1, 2};
            t.director[i] = rotate(s.director[i]);
        }
        EXPECT_NEAR(GetParam().value(s), GetParam().value(t), 1e-12 * GetParam().value(s));
    }
}

INSTANTIATE_TEST_SUITE_P(Energies, Shell, testing::ValuesIn(kEnergies),
                         [](const auto& of) { return std::string(of.param.name); });

double least_eigenvalue(const Eigen::MatrixXd& m) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues()(0);
}

TEST(Shells, PositiveHessiansAreNeverNegative) {
    double least_exact = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const ShellSample s = random_shell(seed, 0.4, 1.2);
        const Deformation f = deformation(s.rest, s.x);
        const Voigt stress = membrane_stress(s.stretch, s.stiffening, green_strain(f), s.strain_target);
        const Matrix12 m = membrane_matrix(
            membrane(s.rest, s.stretch, s.stiffening, f, s.strain_target, stress_above(0, stress)));
        EXPECT_GT(least_eigenvalue(m), -1e-12 * m.norm());
        least_exact = std::min(least_exact, least_eigenvalue(membrane_matrix(s.membrane_here())));
        const auto h = plate(s.rest, s.bend, s.shape(), s.curvature_target).hessian;
        Eigen::Matrix<double, 6, 6> p;
        for (std::size_t a = 0; a < 6; ++a)
            for (std::size_t b = 0; b < 6; ++b) p(int(a), int(b)) = h[a][b];
        EXPECT_GT((Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(p).eigenvalues()(0)),
                  -1e-12 * p.norm());
        least_exact = std::min(least_exact, least_eigenvalue(plate_matrix(s)));
    }
    EXPECT_LT(least_exact, -0.1);  // the exact ones are indefinite
}

TEST(Shells, StressAboveKeepsTension) {
    EXPECT_EQ(stress_above(0, {2, 1, 0.5}), (Voigt{2, 1, 0.5}));
    EXPECT_EQ(stress_above(0, {-2, -1, 0.5}), (Voigt{0, 0, 0}));
    const Voigt one = stress_above(-0.5, {3, -1, 0});
    EXPECT_NEAR(one[0], 3, 1e-15);
    EXPECT_NEAR(one[1], -0.5, 1e-15);
}

TEST(Shells, InertiaOutweighsTheLeastStress) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const ShellSample s = random_shell(seed, 0.0, 0.0);
        const double density = 0.3, dt = 0.02, least = least_stress(s.rest, density, dt);
        EXPECT_LT(least, 0);
        Matrix12 m =
            membrane_matrix(membrane(s.rest, {}, {}, deformation(s.rest, s.x), {}, {least, least, 0}));
        EXPECT_LT(least_eigenvalue(m), 0);
        for (int u = 0; u < 9; ++u) m(u, u) += density * s.rest.area / (3 * dt * dt);
        EXPECT_GT(least_eigenvalue(m.topLeftCorner<9, 9>()), 0);
    }
}

// A plain stretch: F = diag(1.1, 1) gives E11 = 0.105 and S11 = C11 E11.
TEST(Shells, MembraneKnownValues) {
    const RestTriangle rest = rest_triangle({Vec2d{0, 0}, Vec2d{2, 0}, Vec2d{0, 1}});
    const std::array<Vec3d, 3> x{Vec3d{0, 0, 0}, Vec3d{2.2, 0, 0}, Vec3d{0, 1, 0}};
    const Voigt strain = green_strain(deformation(rest, x));
    EXPECT_NEAR(strain[0], 0.105, 1e-15);
    EXPECT_NEAR(strain[1], 0, 1e-15);
    EXPECT_NEAR(strain[2], 0, 1e-15);
    const Orthotropic law{100, 50, 10, 5};
    EXPECT_NEAR(membrane_value(rest, law, {}, strain, {}), 0.5 * 100 * 0.105 * 0.105, 1e-14);
    // Twice the modulus at twice the strain where stiffening begins: slope of the stress.
    const Stiffening stiff{0.05, 1};
    const auto stress = [&](double e) { return membrane_stress(law, stiff, {e, 0, 0}, {})[0]; };
    EXPECT_NEAR((stress(0.1 + 1e-6) - stress(0.1 - 1e-6)) / 2e-6, 200, 1e-6);
    EXPECT_NEAR(stress(0.05), 5, 1e-14);
}

// Sides turned as on a cylinder of curvature k about y, and on a saddle: κ is that curvature, for any
// triangle, because Morley's element has it exactly.
TEST(Shells, PlateBendsAsQuadratics) {
    const std::array<Vec2d, 3> p{Vec2d{0.1, -0.2}, Vec2d{1.3, 0.1}, Vec2d{0.4, 0.9}};
    const RestTriangle rest = rest_triangle(p);
    for (const Voigt& k :
         {Voigt{1e-4, 0, 0}, Voigt{0, 2e-4, 0}, Voigt{0, 0, 2e-4}, Voigt{1e-4, -3e-4, 5e-5}}) {
        // w = −½ (k11 x² + k22 y² + (2 k12) x y), ∇w at the middle of each side.
        const auto height = [&](const Vec2d& q) {
            return -0.5 * (k[0] * q.x * q.x + k[1] * q.y * q.y + k[2] * q.x * q.y);
        };
        std::array<Vec3d, 3> x, director;
        for (std::size_t i = 0; i < 3; ++i) x[i] = {p[i].x, p[i].y, height(p[i])};
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec2d &a = p[(i + 1) % 3], &b = p[(i + 2) % 3];
            const Vec2d mid{0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
            const Vec3d normal{k[0] * mid.x + 0.5 * k[2] * mid.y, k[1] * mid.y + 0.5 * k[2] * mid.x, 1};
            director[i] = squared_up(normal, normalized(x[(i + 2) % 3] - x[(i + 1) % 3]));
        }
        const Voigt bent = curvature(rest, plate_turns(x, director));
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(bent[c], k[c], 1e-10);
    }
}

TEST(Shells, FullFoldsStayFinite) {
    const RestTriangle rest = rest_triangle({Vec2d{0, 0}, Vec2d{1, 0}, Vec2d{0, 1}});
    const std::array<Vec3d, 3> x{Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}};
    const PlateShape shape = plate_shape(x, {Vec3d{0, 0, -1}, Vec3d{0, 0, -1}, Vec3d{0, 0, -1}}, {1, 1, 1});
    const PlateEnergy e = plate(rest, {1, 1, 0, 1}, shape, {});
    EXPECT_TRUE(std::isfinite(e.value));
    for (const double g : e.gradient) EXPECT_TRUE(std::isfinite(g));
}

}  // namespace
}  // namespace rivulet::elastic
