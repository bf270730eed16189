#include <rivulet/liquid/skin_pressure.h>

#include <gtest/gtest.h>

#include <rivulet/grid/level_set.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>

using namespace rivulet;
using namespace rivulet::liquid;

namespace {

constexpr double kCell = 0.02, kStep = 2e-3;
constexpr int kSide = 6;  // cells

/// A cube full of liquid with the same stress everywhere; its skin.
struct Cube {
    grid::Topology topology;
    grid::ParticleOrder order;
    LiquidState state;
    std::vector<ParticleLaw> laws{ParticleLaw(300, {1, 1, 1})};
    Strain stress;
    grid::Field skin;

    Cube() {
        const double half = 0.5 * kCell;
        std::vector<NewParticle> particles;
        for (int i = 0; i < 8 * kSide * kSide * kSide; ++i) {
            const Vec3d at{double(i % (2 * kSide)), double(i / (2 * kSide) % (2 * kSide)),
                           double(i / (4 * kSide * kSide))};
            particles.push_back({(at + Vec3d{0.5, 0.5, 0.5}) * half, {}, half * half * half, 0, {}});
        }
        LiquidState loose;
        add_particles(loose, particles);
        start_strain(loose);
        const Strain strain{1.1, 0.02, 0, 0.95, 0, (1 / (1.1 * 0.95 - 0.02 * 0.02))};
        for (std::size_t i = 0; i < loose.size(); ++i) set_strain(loose, i, strain);
        stress = shear_stress(300, strain);
        grid::TopologyBuilder builder;
        builder.start(kCell, {});
        builder.add_points(loose.position);
        builder.build(topology);
        grid::ParticleSorter().sort(topology, loose.position, order);
        sort_particles(topology, order, loose, state);
        grid::Field fraction, phi;
        grid::find_level_set(topology, order, state.position, state.volume, nullptr, fraction, phi);
        grid::FaceBoundary open;
        open.clear(topology.cells(), false);
        grid::FaceFlow flow;
        flow.start(open, 1000.0);
        find_skin_pressure(particles_of(), {topology, phi, open, flow, kStep}, nullptr, skin);
    }
    ShearParticles particles_of() const { return {topology, order, state, laws, state.material, kStep}; }
    double skin_at(const Vec3i& cell) const {
        for (std::size_t b = 0; b < topology.size(); ++b)
            for (int c = 0; c < grid::kBlockCells; ++c) {
                const int e = grid::kBlockEdge;
                if (topology.corner[b] + Vec3i{c % e, c / e % e, c / (e * e)} == cell)
                    return skin[b * grid::kBlockCells + std::size_t(c)];
            }
        return 0;
    }
};

}  // namespace

TEST(SkinPressure, IsTheStressAcrossTheSurface) {
    const Cube cube;
    const int last = kSide - 1, mid = kSide / 2;
    EXPECT_NEAR(cube.skin_at({0, mid, mid}), cube.stress.xx, 1e-9);
    EXPECT_NEAR(cube.skin_at({last, mid, mid}), cube.stress.xx, 1e-9);
    EXPECT_NEAR(cube.skin_at({mid, last, mid}), cube.stress.yy, 1e-9);
    EXPECT_NEAR(cube.skin_at({mid, mid, 0}), cube.stress.zz, 1e-9);
    EXPECT_EQ(cube.skin_at({mid, mid, mid}), 0);
}

TEST(SkinPressure, IsTheStressAcrossASlipWall) {
    Cube cube;
    const grid::Topology& t = cube.topology;
    grid::Field deep(t.cells(), -1.5 * kCell), floor(t.cells());
    for (std::size_t b = 0; b < t.size(); ++b)
        for (int c = 0; c < grid::kBlockCells; ++c)
            floor[b * grid::kBlockCells + std::size_t(c)] =
                t.cell_centre(b, 0, c / grid::kBlockEdge % grid::kBlockEdge, 0).y;
    grid::FaceBoundary boundary;
    boundary.clear(t.cells(), false);
    for (auto& wall : boundary.wall) std::fill(wall.begin(), wall.end(), std::uint8_t(0));
    for (const auto kind : {grid::WallKind::slip, grid::WallKind::no_slip}) {
        boundary.rules = {{kind, 0, true, 0}};
        grid::FaceFlow flow;
        flow.start(boundary, 1000.0);
        find_skin_pressure(cube.particles_of(), {t, deep, boundary, flow, kStep}, &floor, cube.skin);
        EXPECT_NEAR(cube.skin_at({2, 0, 3}), kind == grid::WallKind::slip ? cube.stress.yy : 0.0, 1e-9);
        EXPECT_EQ(cube.skin_at({2, 2, 3}), 0);
    }
}

/// In a velocity field that is linear the impulse does the work q · divergence in every particle.
TEST(SkinPressure, ImpulseDoesTheWorkOfAPressure) {
    Cube cube;
    const grid::Topology& t = cube.topology;
    for (std::size_t c = 0; c < t.cells(); ++c) cube.skin[c] = double(c % 7);
    std::vector<double> impulse(3 * t.cells());
    ShearOperator().skin_impulse(cube.particles_of(), cube.skin, impulse);
    double expected = 0;
    for (std::size_t c = 0; c < t.cells(); ++c)
        for (std::size_t i = cube.order.cell_begin(c); i < cube.order.cell_end(c); ++i)
            expected += kStep * cube.state.volume[i] * cube.skin[c];
    for (int axis = 0; axis < 3; ++axis) {
        double along = 0, across = 0;  // u_axis = x_axis; x of the next axis
        for (std::size_t b = 0; b < t.size(); ++b)
            for (int c = 0; c < grid::kBlockCells; ++c) {
                const int e = grid::kBlockEdge;
                Vec3d x = to_double(t.corner[b] + Vec3i{c % e, c / e % e, c / (e * e)});
                x += Vec3d{0.5, 0.5, 0.5};
                x[axis] -= 0.5;
                const double f =
                    impulse[std::size_t(axis) * t.cells() + b * grid::kBlockCells + std::size_t(c)];
                along += f * x[axis] * kCell, across += f * x[(axis + 1) % 3] * kCell;
            }
        // Of single precision.
        EXPECT_NEAR(along, expected, 2e-6 * std::abs(expected));
        EXPECT_NEAR(across, 0, 2e-6 * std::abs(expected));
    }
}
