#include <rivulet/grid/operators.h>

#include <gtest/gtest.h>

#include <rivulet/grid/extrapolate.h>
#include <rivulet/grid/paths.h>

#include "grid/particle_cloud.h"

using namespace rivulet;
using namespace rivulet::grid;

namespace {

template <class F>
void set_faces(const Topology& t, FaceField& faces, F&& velocity) {
    fill(faces, t.cells(), 0.0);
    for (std::size_t b = 0; b < t.size(); ++b)
        for (int k = 0; k < kBlockEdge; ++k)
            for (int j = 0; j < kBlockEdge; ++j)
                for (int i = 0; i < kBlockEdge; ++i)
                    for (int a = 0; a < 3; ++a)
                        faces[std::size_t(a)][b * kBlockCells + std::size_t(cell_in_block(i, j, k))] =
                            velocity(t.face_centre(b, i, j, k, a))[a];
}

Field random_field(std::size_t n, std::uint64_t stream) {
    const Random random(9, stream);
    Field f(n);
    for (std::size_t i = 0; i < n; ++i) f[i] = random.uniform(i, -1, 1);
    return f;
}

Topology cube_of_blocks(int blocks, double cell, Vec3i period = {}) {
    TopologyBuilder builder;
    Topology t;
    builder.start(cell, period);
    for (int k = 0; k < blocks; ++k)
        for (int j = 0; j < blocks; ++j)
            for (int i = 0; i < blocks; ++i) builder.add_block(Vec3i{i, j, k} * kBlockEdge);
    builder.build(t);
    return t;
}

}  // namespace

TEST(Operators, DivergenceOfALinearFieldIsItsTrace) {
    const Topology t = cube_of_blocks(2, 0.1);
    FaceField u;
    set_faces(t, u, [](Vec3d x) { return Vec3d{2 * x.x + x.y, 3 * x.y - x.z, 0.5 * x.z}; });
    Field d;
    divergence(t, u, d);
    const int n = 2 * kBlockEdge;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(d[std::size_t(t.index(Vec3i{i, n - 1 - i, i / 2}))], 5.5, 1e-12);
}

TEST(Operators, GradientIsMinusTheTransposeOfDivergence) {
    const int e = kBlockEdge;
    const Topology t = cube_of_blocks(3, 0.1, {3 * e, 3 * e, 3 * e});
    ASSERT_EQ(t.size(), 27u);
    const Field p = random_field(t.cells(), 0);
    const FaceField u{random_field(t.cells(), 1), random_field(t.cells(), 2), random_field(t.cells(), 3)};
    FaceField g;
    Field d;
    gradient(t, p, g);
    divergence(t, u, d);
    double gu = 0, pd = 0;
    for (std::size_t i = 0; i < t.cells(); ++i) {
        gu += g[0][i] * u[0][i] + g[1][i] * u[1][i] + g[2][i] * u[2][i];
        pd += p[i] * d[i];
    }
    EXPECT_NEAR(gu, -pd, 1e-10 * double(t.cells()));
}

TEST(Operators, ComponentAtAFaceIsExactForLinearFields) {
    const Topology t = cube_of_blocks(2, 0.1);
    FaceField u;
    fill(u, t.cells(), 0.0);
    const auto value = [](const Vec3d& x) { return 2 * x.x - 3 * x.y + x.z; };
    for (std::size_t b = 0; b < t.size(); ++b)
        for (int k = 0; k < kBlockEdge; ++k)
            for (int j = 0; j < kBlockEdge; ++j)
                for (int i = 0; i < kBlockEdge; ++i)
                    for (int a = 0; a < 3; ++a)
                        u[std::size_t(a)][b * kBlockCells + std::size_t(cell_in_block(i, j, k))] =
                            value(t.face_centre(b, i, j, k, a));
    const std::size_t b = std::size_t(t.find({0, 0, 0}));
    for (int axis = 0; axis < 3; ++axis)
        for (int c = 0; c < 3; ++c)
            if (c != axis) {
                EXPECT_NEAR(component_at_face(t, u, b, {2, 1, 2}, axis, c),
                            value(t.face_centre(b, 2, 1, 2, axis)), 1e-13);
            }
}

TEST(Extrapolation, ContinuesAConstantAndCountsLayers) {
    const Topology t = cube_of_blocks(1, 0.1);
    Field phi;
    fill(phi, t.cells(), 1.0);
    const int e = kBlockEdge;
    for (int k = 0; k < e; ++k)
        for (int j = 0; j < e; ++j)
            for (int i = 0; i < e; ++i) phi[std::size_t(t.index(Vec3i{i, j, k}))] = -1;
    FaceFlags known;
    faces_of_liquid(t, phi, known);
    EXPECT_EQ(known[0][std::size_t(t.index(Vec3i{e, 0, 0}))], 1);
    EXPECT_EQ(known[1][std::size_t(t.index(Vec3i{e, 0, 0}))], 0);
    FaceField u;
    fill(u, t.cells(), -9.0);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t i = 0; i < t.cells(); ++i)
            if (known[a][i]) u[a][i] = double(a) + 2;
    Extrapolation().run(t, 2, u, known);
    for (int i = -3; i < e + 3; ++i) {
        const auto f = std::size_t(t.index(Vec3i{i, 1, 1}));
        const int layer = i < 0 ? -i : i > e ? i - e : 0;
        EXPECT_EQ(known[0][f], layer <= 2 ? layer + 1 : 0);
        EXPECT_EQ(u[0][f], layer <= 2 ? 2 : -9);
    }
}

/// One layer, face by face, straight from the definition.
void extrapolate_layer(const Topology& t, int layer, Field& u, AlignedVector<std::uint8_t>& known) {
    const Field before = u;
    const AlignedVector<std::uint8_t> known_before = known;
    for (std::size_t b = 0; b < t.size(); ++b)
        for (int c = 0; c < kBlockCells; ++c) {
            const std::size_t f = b * kBlockCells + std::size_t(c);
            if (known_before[f]) continue;
            double sum = 0, total = 0;
            for (int d = 0; d < 27; ++d) {
                const Vec3i o{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
                const Vec3i at = t.corner[b] + Vec3i{c % kBlockEdge, c / kBlockEdge % kBlockEdge,
                                                     c / (kBlockEdge * kBlockEdge)};
                const std::int64_t n = t.index(at + o);
                if (n < 0 || !known_before[std::size_t(n)]) continue;
                const double w[4] = {0, 4, 2, 1};
                const int steps = std::abs(o.x) + std::abs(o.y) + std::abs(o.z);
                sum += w[steps] * before[std::size_t(n)];
                total += w[steps];
            }
            if (total == 0) continue;
            u[f] = sum / total;
            known[f] = std::uint8_t(1 + layer);
        }
}

TEST(Extrapolation, MatchesItsDefinition) {
    const Topology t = cube_of_blocks(3, 0.1);
    Field phi = random_field(t.cells(), 5);
    for (double& p : phi) p += 0.95;
    FaceFlags known, known_slow;
    FaceField u{random_field(t.cells(), 1), random_field(t.cells(), 2), random_field(t.cells(), 3)};
    faces_of_liquid(t, phi, known);
    FaceField slow = u;
    known_slow = known;
    Extrapolation().run(t, 3, u, known);
    for (std::size_t a = 0; a < 3; ++a) {
        for (int layer = 1; layer <= 3; ++layer) extrapolate_layer(t, layer, slow[a], known_slow[a]);
        ASSERT_EQ(known[a], known_slow[a]);
        for (std::size_t f = 0; f < t.cells(); ++f) ASSERT_NEAR(u[a][f], slow[a][f], 1e-14);
    }
}

TEST(Extrapolation, IsTheSameForAnyNumberOfThreads) {
    const Topology t = cube_of_blocks(4, 0.1);
    const auto run = [&](int threads) {
        Field phi = random_field(t.cells(), 5);
        for (double& p : phi) p += 0.9;
        FaceFlags known;
        FaceField u{random_field(t.cells(), 1), random_field(t.cells(), 2), random_field(t.cells(), 3)};
        with_threads(threads, [&] {
            faces_of_liquid(t, phi, known);
            Extrapolation().run(t, 3, u, known);
        });
        return u;
    };
    EXPECT_EQ(run(1), run(2));
}

TEST(Paths, SampleReproducesLinearFields) {
    const Topology t = cube_of_blocks(2, 0.1);
    FaceField u;
    const auto field = [](Vec3d x) { return Vec3d{1 - x.y, x.z + x.x, 2 * x.y - 3}; };
    set_faces(t, u, field);
    const Random random(2, 0);
    for (std::size_t i = 0; i < 200; ++i) {
        const Vec3d x = random.uniform3(i) * 0.8;
        EXPECT_NEAR(length(sample_velocity(t, u, x) - field(x)), 0, 1e-13);
    }
}

TEST(Paths, ARotationIsFollowedToSecondOrder) {
    const Topology t = cube_of_blocks(4, 0.1);
    FaceField u;
    const Vec3d centre = Vec3d{1, 1, 1} * (2 * kBlockEdge * 0.1);
    const Vec3d spin{0.3, -0.2, 1};
    const auto field = [&](Vec3d x) { return cross(spin, x - centre); };
    set_faces(t, u, field);
    const auto error = [&](double dt) {
        const Vec3d start = centre + Vec3d{0.4, 0.1, -0.2};
        const std::vector<Vec3d> x{start}, v{field(start)};
        ParticleSorter sorter;
        ParticleOrder order;
        sorter.sort(t, x, order);
        std::vector<Vec3d> end(1);
        trace_paths(t, order, u, nullptr, x, v, dt, end);
        const double angle = length(spin) * dt;
        const Vec3d k = normalized(spin), r = start - centre;
        const Vec3d exact =
            r * std::cos(angle) + cross(k, r) * std::sin(angle) + k * (dot(k, r) * (1 - std::cos(angle)));
        return length(end[0] - centre - exact);
    };
    const double coarse = error(0.4), fine = error(0.2);
    EXPECT_LT(coarse, 1e-2);
    EXPECT_NEAR(std::log2(coarse / fine), 3, 0.3);  // local error of a second-order method
}

TEST(Paths, FastParticlesLeaveTheTileWithTheSameResult) {
    const ParticleCloud c(2000, 14, 0.1);
    FaceField u, shift;
    set_faces(c.topology, u, [](Vec3d x) { return Vec3d{std::sin(3 * x.y), 8 + std::cos(2 * x.x), x.z}; });
    set_faces(c.topology, shift, [](Vec3d x) { return Vec3d{x.y, -x.z, 0.1} * 0.01; });
    const double dt = 0.05;
    std::vector<Vec3d> end(c.position.size()), start(end.size());
    for (std::size_t p = 0; p < end.size(); ++p) start[p] = c.velocity[p] + Vec3d{0, 8, 0};
    trace_paths(c.topology, c.order, u, &shift, c.position, start, dt, end);
    for (std::size_t p = 0; p < end.size(); ++p) {
        const Vec3d middle = c.position[p] + start[p] * (dt / 2);
        const Vec3d expected = c.position[p] + sample_velocity(c.topology, u, middle) * dt +
                               sample_velocity(c.topology, shift, middle);
        EXPECT_NEAR(length(end[p] - expected), 0, 1e-14);
    }
}
