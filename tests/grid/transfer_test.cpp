#include <gtest/gtest.h>

#include <map>

#include "grid/node_loop.h"
#include "grid/particle_cloud.h"

using namespace rivulet;
using namespace rivulet::grid;

namespace {

Vec3d unit(int a) {
    Vec3d e;
    e[a] = 1;
    return e;
}

double at(const Topology& t, const Field& f, const Vec3i& cell) {
    const std::int64_t i = t.index(cell);
    return i < 0 ? 0 : f[std::size_t(i)];
}

struct Momenta {
    double mass = 0;
    Vec3d linear, angular;
};

Momenta of_particles(const ParticleCloud& c, const std::vector<Vec3d>& velocity,
                     const std::vector<Mat3d>& affine) {
    Momenta s;
    for (std::size_t p = 0; p < c.position.size(); ++p) {
        const double m = c.mass(p);
        s.mass += m;
        s.linear += velocity[p] * m;
        s.angular += cross(c.position[p], velocity[p]) * m;
        for (int a = 0; a < 3; ++a)
            s.angular +=
                cross(affine[p].row(a), unit(a)) * (m * c.topology.cell * c.topology.cell / kAffineScale);
    }
    return s;
}

Momenta of_grid(const Topology& t, const FaceField& mass, const FaceField& momentum) {
    Momenta s;
    for (std::size_t b = 0; b < t.size(); ++b)
        for (int k = 0; k < kBlockEdge; ++k)
            for (int j = 0; j < kBlockEdge; ++j)
                for (int i = 0; i < kBlockEdge; ++i)
                    for (int a = 0; a < 3; ++a) {
                        const std::size_t f = b * kBlockCells + std::size_t(cell_in_block(i, j, k));
                        const Vec3d q = unit(a) * momentum[std::size_t(a)][f];
                        if (a == 0) s.mass += mass[0][f];
                        s.linear += q;
                        s.angular += cross(t.face_centre(b, i, j, k, a), q);
                    }
    return s;
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance);
}

}  // namespace

TEST(Kernel, WeightsReproduceConstantLinearAndSecondMoment) {
    for (double d = -0.5; d <= 0.5; d += 0.05) {
        const QuadraticWeights w(d);
        EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-15);
        EXPECT_NEAR(w[0] * (-1 - d) + w[1] * (-d) + w[2] * (1 - d), 0, 1e-15);
        EXPECT_NEAR(w[0] * (1 + d) * (1 + d) + w[1] * d * d + w[2] * (1 - d) * (1 - d), 1 / kAffineScale,
                    1e-15);
        const double e = 1e-6;
        for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(QuadraticSlopes(d)[i],
                        (QuadraticWeights(d + e)[i] - QuadraticWeights(d - e)[i]) / (2 * e), 1e-9);
    }
}

TEST(Kernel, IntegralAndInverse) {
    EXPECT_DOUBLE_EQ(quadratic_integral(0), 0.5);
    EXPECT_NEAR(quadratic_integral(-0.5), 1.0 / 6, 1e-15);
    for (double t = -1.45; t < 1.5; t += 0.05)
        EXPECT_NEAR(quadratic_integral_inverse(quadratic_integral(t)), t, 1e-11);
    EXPECT_EQ(quadratic_integral_inverse(-1), -1.5);
    EXPECT_EQ(quadratic_integral_inverse(2), 1.5);
}

TEST(ParticleToGrid, AgreesWithThePlainLoop) {
    for (const Vec3i period : {Vec3i{0, 0, 0}, Vec3i{kBlockEdge, 2 * kBlockEdge, 3 * kBlockEdge}}) {
        const ParticleCloud c(3000, 11, 0.02, period);
        FaceField mass, momentum, volume;
        particle_to_grid(c.topology, c.order, c.view(), mass, momentum, &volume);
        FaceField m2, q2, v2;
        fill(m2, c.topology.cells(), 0.0);
        fill(q2, c.topology.cells(), 0.0);
        fill(v2, c.topology.cells(), 0.0);
        for (std::size_t p = 0; p < c.position.size(); ++p)
            for (int a = 0; a < 3; ++a)
                for_nodes(c.topology, c.position[p], a, [&](Vec3i n, double w, Vec3d arm, Vec3d) {
                    const auto f = static_cast<std::size_t>(c.topology.index(n));
                    m2[std::size_t(a)][f] += w * c.mass(p);
                    v2[std::size_t(a)][f] += w * c.volume[p];
                    q2[std::size_t(a)][f] +=
                        w * c.mass(p) * (c.velocity[p][a] + dot(c.affine[p].row(a), arm));
                });
        const double scale = 1000 * 0.02 * 0.02 * 0.02;
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t f = 0; f < c.topology.cells(); ++f) {
                ASSERT_NEAR(mass[a][f], m2[a][f], 1e-13 * scale);
                ASSERT_NEAR(momentum[a][f], q2[a][f], 1e-13 * scale);
                ASSERT_NEAR(volume[a][f], v2[a][f], 1e-16 * scale);
            }
    }
}

TEST(GridToParticle, AgreesWithThePlainLoop) {
    const ParticleCloud c(3000, 11, 0.02, {0, 2 * kBlockEdge, 0});
    FaceField mass, velocity;
    particle_to_grid(c.topology, c.order, c.view(), mass, velocity);
    velocity_from_momentum(mass, velocity);
    std::vector<Vec3d> u(c.position.size());
    std::vector<Mat3d> affine(u.size()), gradient(u.size()), affine_only(u.size());
    grid_to_particle(c.topology, c.order, velocity, c.position, u, affine, gradient);
    std::vector<Vec3d> u_only(u.size());
    grid_to_particle(c.topology, c.order, velocity, c.position, u_only, affine_only);
    EXPECT_EQ(u, u_only);
    EXPECT_EQ(affine, affine_only);
    for (std::size_t p = 0; p < u.size(); ++p)
        for (int a = 0; a < 3; ++a) {
            double value = 0;
            Vec3d moment, derivative;
            for_nodes(c.topology, c.position[p], a, [&](Vec3i n, double w, Vec3d arm, Vec3d slope) {
                const double v = at(c.topology, velocity[std::size_t(a)], n);
                value += w * v;
                moment += arm * (w * v * kAffineScale / (0.02 * 0.02));
                derivative += slope * v;
            });
            ASSERT_NEAR(u[p][a], value, 1e-14);
            expect_near(affine[p].row(a), moment, 1e-11);
            expect_near(gradient[p].row(a), derivative, 1e-11);
        }
}

TEST(Transfer, KeepsMassMomentumAndAngularMomentum) {
    const ParticleCloud c(4000, 10, 0.05);
    FaceField mass, momentum;
    particle_to_grid(c.topology, c.order, c.view(), mass, momentum);
    const Momenta before = of_particles(c, c.velocity, c.affine),
                  on_grid = of_grid(c.topology, mass, momentum);
    const double tolerance = 1e-13 * before.mass;
    EXPECT_NEAR(on_grid.mass, before.mass, tolerance);
    expect_near(on_grid.linear, before.linear, tolerance);
    expect_near(on_grid.angular, before.angular, tolerance);
    velocity_from_momentum(mass, momentum);
    std::vector<Vec3d> u(c.position.size());
    std::vector<Mat3d> affine(u.size());
    grid_to_particle(c.topology, c.order, momentum, c.position, u, affine);
    const Momenta after = of_particles(c, u, affine);
    expect_near(after.linear, before.linear, tolerance);
    expect_near(after.angular, before.angular, tolerance);
}

TEST(Transfer, KeepsAffineVelocityFields) {
    ParticleCloud c(4000, 8, 0.05);
    const Vec3d shift{1, -2, 0.5};
    const Mat3d slope = Mat3d::from_rows({1, 2, -3}, {0.5, -2, 4}, {3, 1, 1});
    for (std::size_t p = 0; p < c.position.size(); ++p) {
        c.velocity[p] = shift + slope * c.position[p];
        c.affine[p] = slope;
    }
    FaceField mass, velocity;
    particle_to_grid(c.topology, c.order, c.view(), mass, velocity);
    velocity_from_momentum(mass, velocity);
    std::vector<Vec3d> u(c.position.size());
    std::vector<Mat3d> affine(u.size()), gradient(u.size());
    grid_to_particle(c.topology, c.order, velocity, c.position, u, affine, gradient);
    for (std::size_t p = 0; p < u.size(); ++p) {
        expect_near(u[p], c.velocity[p], 1e-12);
        for (int a = 0; a < 3; ++a) {
            expect_near(affine[p].row(a), slope.row(a), 1e-10);
            expect_near(gradient[p].row(a), slope.row(a), 1e-10);
        }
    }
}

TEST(Transfer, GivesTheSameBitsForAnyNumberOfThreads) {
    const auto run = [&](int threads) {
        const ParticleCloud c(20000, 24, 0.02, {0, 5 * kBlockEdge, 0}, threads);
        FaceField mass, momentum;
        std::vector<Vec3d> u(c.position.size());
        std::vector<Mat3d> affine(u.size());
        with_threads(threads, [&] {
            particle_to_grid(c.topology, c.order, c.view(), mass, momentum);
            velocity_from_momentum(mass, momentum);
            grid_to_particle(c.topology, c.order, momentum, c.position, u, affine);
        });
        return std::tuple(mass, momentum, u, affine);
    };
    const auto one = run(1);
    EXPECT_TRUE(one == run(2));
    EXPECT_TRUE(one == run(3));
}

TEST(Transfer, SeveralLiquidsGiveFaceDensities) {
    ParticleCloud c(20000, 10, 0.05);
    FaceField mass, momentum, volume;
    particle_to_grid(c.topology, c.order, c.view(), mass, momentum, &volume);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t f = 0; f < c.topology.cells(); ++f) {
            EXPECT_EQ(mass[a][f] > 0, volume[a][f] > 0);
            if (mass[a][f] <= 0) continue;
            EXPECT_GE(mass[a][f] / volume[a][f], 700 * (1 - 1e-12));
            EXPECT_LE(mass[a][f] / volume[a][f], 1000 * (1 + 1e-12));
        }
}

TEST(Transfer, FractionIsOneInsideAFullLattice) {
    const double cell = 0.1;
    std::vector<Vec3d> lattice;
    for (int k = 0; k < 16; ++k)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i)
                lattice.push_back(Vec3d{i + 0.5, j + 0.5, k + 0.5} * (cell / 2) + Vec3d{0.013, 0.02, -0.03});
    TopologyBuilder builder;
    Topology t;
    builder.start(cell, {});
    builder.add_points(lattice);
    builder.build(t);
    ParticleSorter sorter;
    ParticleOrder order;
    std::vector<Vec3d> sorted;
    sorter.sort(t, lattice, order);
    reorder(order, lattice, sorted);
    const std::vector<double> volume(sorted.size(), cell * cell * cell / 8);
    Field fraction;
    particle_fraction(t, order, sorted, volume, fraction);
    for (int i = 3; i < 6; ++i) EXPECT_NEAR(at(t, fraction, {i, 3, 4}), 1, 1e-13);
    double total = 0;
    for (const double f : fraction) total += f;
    EXPECT_NEAR(total, 512, 1e-9);
}
