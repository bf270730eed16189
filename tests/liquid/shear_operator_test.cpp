#include <rivulet/liquid/shear_operator.h>

#include <gtest/gtest.h>

#include <cmath>

#include <liquid/lump.h>
#include <rivulet/base/error.h>
#include <rivulet/linear/pcg.h>
#include <rivulet/liquid/shear_solver.h>
#include <rivulet/liquid/shear_tangent.h>

using namespace rivulet;
using namespace rivulet::liquid;

namespace {

using Vector = linear::AlignedVector<double>;

}  // namespace

namespace {

/// Velocity gradients that particles see [1/s].
std::vector<Mat3d> gradients(const Lump& lump, const Vector& velocity) {
    const std::size_t n = lump.topology.cells();
    grid::FaceField faces;
    grid::fill(faces, n, 0.0);
    for (std::size_t i = 0; i < velocity.size(); ++i) faces[i / n][i % n] = velocity[i];
    std::vector<Vec3d> found(lump.state.size());
    std::vector<Mat3d> affine(lump.state.size());
    grid::grid_to_particle(lump.topology, lump.order, faces, lump.state.position, found, affine);
    return affine;
}

}  // namespace

/// Work by two motions x and y, particle by particle: Σ V Δt² sym(∇y) : tangent sym(∇x).
TEST(ShearOperator, ProductIsThatOfTheLaw) {
    const Lump lump;
    const ShearParticles p = lump.particles();
    ShearOperator op;
    const Vector u = lump.some_velocity(1, 0.3), x = lump.some_velocity(2, 1), y = lump.some_velocity(3, 1);
    Vector f(u.size()), kx(u.size());
    op.evaluate(p, u, f);
    op.apply(p, x, kx);
    const auto at_u = gradients(lump, u), at_x = gradients(lump, x), at_y = gradients(lump, y);
    double expected = 0, size = 0;
    int yielded = 0;
    for (std::size_t i = 0; i < lump.state.size(); ++i) {
        const ParticleLaw& law = p.law(i);
        const ShearStep step =
            shear_step(strain_of(lump.state, i), at_u[i], Lump::kStep, law.shear_modulus, law.law);
        yielded += step.yielded;
        const Strain answer = tangent_stress(step, scaled(Lump::kStep, symmetric_part(at_x[i])));
        const double work = lump.state.volume[i] * Lump::kStep * contract(symmetric_part(at_y[i]), answer);
        expected += work;
        size += std::abs(work);
    }
    EXPECT_GT(yielded, 50);
    EXPECT_LT(yielded, 300);
    EXPECT_NEAR(linear::dot(y, kx), expected, 1e-6 * size);  // tangents are kept in single precision
}

TEST(ShearOperator, TangentIsSymmetricAndPositive) {
    const Lump lump;
    const ShearParticles p = lump.particles();
    ShearOperator op;
    const Vector u = lump.some_velocity(1, 0.3);
    Vector f(u.size()), kx(u.size()), ky(u.size());
    op.evaluate(p, u, f);
    for (std::uint64_t seed = 10; seed < 15; ++seed) {
        const Vector x = lump.some_velocity(seed, 1), y = lump.some_velocity(seed + 100, 1);
        op.apply(p, x, kx);
        op.apply(p, y, ky);
        const double xky = linear::dot(x, ky), ykx = linear::dot(y, kx), xkx = linear::dot(x, kx);
        EXPECT_NEAR(xky, ykx, 1e-12 * xkx);
        EXPECT_GT(xkx, 0);
    }
}

TEST(ShearOperator, HalfTheDigitsGiveTheSame) {
    const Lump lump;
    const ShearParticles p = lump.particles();
    ShearOperator full, half;
    // Falling fast: what all share must not cost digits.
    Vector u = lump.some_velocity(1, 0.03);
    const Vector x = lump.some_velocity(2, 1);
    for (double& v : u) v += 20;
    Vector f(u.size()), f_half(u.size()), kx(u.size()), kx_half(u.size());
    full.evaluate(p, u, f);
    half.evaluate(p, u, f_half, ShearOperator::Digits::single);
    full.apply(p, x, kx);
    half.apply(p, x, kx_half);
    double impulse = 0, product = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        impulse = std::max(impulse, std::abs(f[i]));
        product = std::max(product, std::abs(kx[i]));
    }
    for (std::size_t i = 0; i < u.size(); ++i) {
        EXPECT_NEAR(f_half[i], f[i], 2e-6 * impulse);
        EXPECT_NEAR(kx_half[i], kx[i], 2e-6 * product);
    }
}

TEST(ShearOperator, TangentIsTheDerivativeFromRest) {
    // Without strain and flow both are 2 mu dev.
    Lump lump;
    start_strain(lump.state);
    const ShearParticles p = lump.particles();
    ShearOperator op;
    const Vector rest(3 * lump.topology.cells(), 0.0), x = lump.some_velocity(3, 1);
    Vector high = x, low = x, f(x.size()), f_high(x.size()), f_low(x.size()), tangent(x.size());
    constexpr double kReach = 1e-5;
    for (std::size_t i = 0; i < x.size(); ++i) {
        high[i] *= kReach;
        low[i] *= -kReach;
    }
    op.evaluate(p, high, f_high);
    op.evaluate(p, low, f_low);
    op.evaluate(p, rest, f);
    op.apply(p, x, tangent);
    double size = 0;
    for (const double t : tangent) size = std::max(size, std::abs(t));
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(f[i], 0);
        EXPECT_NEAR(tangent[i], -(f_high[i] - f_low[i]) / (2 * kReach), 1e-6 * size);
    }
}

TEST(ShearOperator, ForcesNeitherPushNorTurn) {
    const Lump lump;
    ShearOperator op;
    const Vector u = lump.some_velocity(1, 0.3);
    Vector f(u.size());
    op.evaluate(lump.particles(), u, f);
    const std::size_t n = lump.topology.cells();
    Vec3d push, turn;
    double size = 0;
    for (std::size_t b = 0; b < lump.topology.size(); ++b)
        for (int c = 0; c < grid::kBlockCells; ++c)
            for (int axis = 0; axis < 3; ++axis) {
                const double force = f[std::size_t(axis) * n + b * grid::kBlockCells + std::size_t(c)];
                Vec3d along;
                along[axis] = force;
                push += along;
                turn += cross(lump.topology.face_centre(b, c % 4, c / 4 % 4, c / 16, axis), along);
                size += std::abs(force);
            }
    EXPECT_LT(length(push), 1e-13 * size);
    EXPECT_LT(length(turn), 1e-13 * size);
}

namespace {

/// A lump in free fall, ready to solve from random velocities.
struct Solve {
    Lump lump;
    std::size_t n = lump.topology.cells();
    grid::FaceField mass = lump.mass(), velocity;
    Vector start = lump.some_velocity(4, 0.5);
    ShearSolver solver;

    explicit Solve(double stiffer = 1) {
        for (LiquidMaterial& m : lump.materials) {
            m.shear_modulus *= stiffer;
            m.yield_stress *= stiffer;
        }
        lump.laws = particle_laws(lump.materials);
        grid::FaceBoundary boundary;
        boundary.clear(n);
        grid::Field distance, phi;
        grid::fill(distance, n, 1.0);
        grid::fill(phi, n, -1.0);
        solver.start(lump.topology, boundary, phi, distance, mass);
        grid::fill(velocity, n, 0.0);
        for (std::size_t i = 0; i < start.size(); ++i) velocity[i / n][i % n] = start[i];
    }
    ShearReport run(const ShearOptions& options) {
        Vector from(solver.faces().size()), u(solver.faces().size());
        solver.faces().gather(start, from);
        solver.faces().gather(start, u);
        const ShearReport report = solver.solve(lump.particles(), options, from, u);
        solver.faces().scatter(u, velocity);
        return report;
    }
};

}  // namespace

TEST(ShearSolver, ProductsAreBounded) {
    ShearOptions few;
    few.most_products = 3;
    few.tolerance = 1e-4;
    few.linear = 1e-6;
    const ShearReport soft = Solve().run(few);
    EXPECT_EQ(soft.iterations, 3);  // stops there; the residual is good enough to go on
    EXPECT_GT(soft.residual, few.tolerance);
    EXPECT_LT(soft.residual, few.worst);
    EXPECT_THROW(Solve(1e4).run(few), StepFailed);  // asks for a shorter step
    ShearOptions usual;
    const ShearReport stiff = Solve(1e4).run(usual);
    EXPECT_LE(stiff.iterations, usual.most_products);
    EXPECT_LE(stiff.newton_steps, usual.newton_steps);
}

TEST(ShearSolver, MeetsItsEquationAndKeepsMomentum) {
    Solve solve;
    const auto& [lump, n, mass, velocity, start, solver] = solve;
    ShearOptions tight;
    tight.newton_steps = 40;
    tight.tolerance = 1e-10;
    tight.linear = 1e-6;
    const ShearReport report = solve.run(tight);
    EXPECT_LT(report.residual, 1e-10);
    EXPECT_LT(report.newton_steps, 40);
    Vector u(3 * n), f(3 * n);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = velocity[i / n][i % n];
    ShearOperator op;
    op.evaluate(lump.particles(), u, f);
    Vec3d change;
    double worst = 0, size = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        const double m = mass[i / n][i % n];
        change[int(i / n)] += m * (u[i] - start[i]);
        worst = std::max(worst, std::abs(m * (u[i] - start[i]) - f[i]));
        size = std::max(size, std::abs(f[i]));
    }
    EXPECT_LT(worst, 1e-7 * size);
    EXPECT_LT(length(change), 1e-6 * size);
}
