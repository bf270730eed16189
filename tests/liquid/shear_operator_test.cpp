#include <rivulet/liquid/shear_operator.h>

#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/linear/pcg.h>
#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/liquid/pressure_solver.h>
#include <rivulet/liquid/shear_passes.h>
#include <rivulet/liquid/shear_solver.h>

using namespace rivulet;
using namespace rivulet::liquid;

namespace {

constexpr double kCell = 0.02, kStep = 2e-3;

/// A lump of cream and mud that has been sheared, some of it past yield.
struct Lump {
    grid::Topology topology;
    grid::ParticleOrder order;
    LiquidState state;
    std::vector<LiquidMaterial> materials{2};
    std::vector<ParticleLaw> laws;

    explicit Lump(Vec3i period = {}) {
        materials[0].density = 200;
        materials[0].shear_modulus = 290;
        materials[0].yield_stress = 18.4;
        materials[0].consistency = 17.8;
        materials[0].flow_index = 0.22;
        materials[1].density = 1220;
        materials[1].shear_modulus = 100;
        materials[1].yield_stress = 0.97;
        materials[1].consistency = 0.384;
        materials[1].flow_index = 0.5173;
        laws = particle_laws(materials);
        const Random random(7, 0);
        std::vector<NewParticle> particles;
        for (std::size_t i = 0; i < 300; ++i)
            particles.push_back(
                {random.uniform3(i) * (5 * kCell), {}, kCell * kCell * kCell / 8, std::uint8_t(i % 2), {}});
        LiquidState loose;
        add_particles(loose, particles);
        start_strain(loose);
        for (std::size_t i = 0; i < loose.size(); ++i) {
            Mat3d turn;
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    turn(a, b) = random.uniform(5000 + 9 * i + std::size_t(3 * a + b)) - 0.5;
            set_strain(loose, i, elastic_predictor(identity_strain(), turn, 0.1));
        }
        grid::TopologyBuilder builder;
        builder.start(kCell, period);
        builder.add_points(loose.position);
        builder.build(topology);
        grid::ParticleSorter().sort(topology, loose.position, order);
        sort_particles(topology, order, loose, state);
    }
    ShearParticles particles() const { return {topology, order, state, laws, state.material, kStep}; }
    linear::AlignedVector<double> some_velocity(std::uint64_t seed, double size) const {
        const Random random(seed, 1);
        linear::AlignedVector<double> u(3 * topology.cells());
        for (std::size_t i = 0; i < u.size(); ++i) u[i] = size * (random.uniform(i) - 0.5);
        return u;
    }
    grid::FaceField mass() const {
        grid::FaceField m, momentum;
        const std::vector<double> density{materials[0].density, materials[1].density};
        grid::particle_to_grid(
            topology, order,
            {state.position, state.velocity, state.affine, state.volume, state.material, density}, m,
            momentum);
        return m;
    }
};

using Vector = linear::AlignedVector<double>;

}  // namespace

TEST(ShearOperator, ExactProductIsTheDerivativeOfTheImpulse) {
    const Lump lump;
    const ShearParticles p = lump.particles();
    ShearOperator op;
    const Vector u = lump.some_velocity(1, 0.3), x = lump.some_velocity(2, 1);
    Vector high = u, low = u, f_high(u.size()), f_low(u.size()), exact(u.size());
    constexpr double kReach = 1e-6;
    for (std::size_t i = 0; i < u.size(); ++i) {
        high[i] += kReach * x[i];
        low[i] -= kReach * x[i];
    }
    op.evaluate(p, high, f_high);
    op.evaluate(p, low, f_low);
    op.apply_exact(p, u, x, exact);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        const double difference = -(f_high[i] - f_low[i]) / (2 * kReach);
        error = std::max(error, std::abs(difference - exact[i]));
        size = std::max(size, std::abs(exact[i]));
    }
    EXPECT_LT(error, 1e-6 * size);
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

TEST(ShearOperator, TangentIsTheExactProductFromRest) {
    // Without strain and flow both are 2 mu dev.
    Lump lump;
    start_strain(lump.state);
    const ShearParticles p = lump.particles();
    ShearOperator op;
    const Vector u(3 * lump.topology.cells(), 0.0), x = lump.some_velocity(3, 1);
    Vector f(u.size()), tangent(u.size()), exact(u.size());
    op.evaluate(p, u, f);
    op.apply(p, x, tangent);
    op.apply_exact(p, u, x, exact);
    for (std::size_t i = 0; i < u.size(); ++i) {
        EXPECT_EQ(f[i], 0);
        EXPECT_NEAR(tangent[i], exact[i], 1e-12);
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

TEST(ShearPasses, DragLoadsShearAndPressureAlike) {
    const Lump lump;
    const std::size_t n = lump.topology.cells();
    const grid::FaceField mass = lump.mass();
    grid::FaceBoundary boundary;
    boundary.clear(n, false);
    grid::Field distance, phi;
    grid::fill(distance, n, 1.0);
    grid::fill(phi, n, 0.0);
    for (std::size_t b = 0; b < lump.topology.size(); ++b)
        for (int c = 0; c < grid::kBlockCells; ++c) {
            const Vec3i at = place_in_block(c);
            const Vec3d x = lump.topology.cell_centre(b, at.x, at.y, at.z);
            phi[b * grid::kBlockCells + std::size_t(c)] =
                length(x - Vec3d{2.5, 2.5, 2.5} * kCell) - 2 * kCell;
        }
    grid::FaceField drag, still;
    grid::fill(drag, n, 1500.0);
    grid::fill(still, n, 0.0);
    // The velocity that shear starts the first projection with; all of the step is run.
    const auto step = [&](grid::FaceFlow& flow) {
        const PressureDomain domain{lump.topology, phi, boundary, flow, kStep};
        grid::FaceField velocity = still;
        ShearPasses passes;
        passes.start(lump.particles(), domain, distance, flow.loaded(mass), velocity);
        const grid::FaceField pushed = velocity;
        Projection projection;
        grid::Field pressure;
        projection.project(domain, {1e-10, 200, 0}, velocity, pressure);
        ShearOptions options;
        options.passes = 1;
        passes.pass(lump.particles(), options, 1, velocity);
        const PressureReport report = projection.project_again(domain, {1e-10, 200, 0}, velocity, pressure);
        EXPECT_LT(report.max_divergence, 1e-6);
        return pushed;
    };
    grid::FaceFlow light, dragged;
    light.start(boundary, 500.0);
    dragged.start(boundary, 500.0);
    dragged.add_drag(drag, still);
    const grid::FaceField free = step(light), held = step(dragged);
    double size = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t f = 0; f < n; ++f) size = std::max(size, std::abs(free[axis][f]));
    EXPECT_GT(size, 1e-3);
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t f = 0; f < n; ++f) ASSERT_NEAR(4 * held[axis][f], free[axis][f], 1e-6 * size);
}
