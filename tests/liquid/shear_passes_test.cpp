#include <rivulet/liquid/shear_passes.h>

#include <gtest/gtest.h>

#include <cmath>

#include <liquid/first_principles.h>
#include <liquid/lump.h>
#include <rivulet/liquid/pressure_solver.h>

namespace rivulet::liquid {
namespace {

using Vector = linear::AlignedVector<double>;

/// A lump in a box of liquid larger than all its particles touch, so that every face is free. Something
/// submerged fills part of the space, moves by itself, answers to pressure and drags the liquid along.
struct ShearedMixture {
    static constexpr double kDensity = 500;  // that pressure sees, kg/m³
    Lump lump;
    const grid::Topology& topology = lump.topology;
    std::size_t n = topology.cells();
    grid::FaceField mass = lump.mass(), start, fraction, submerged_velocity, mobility, drag, nothing;
    grid::FaceBoundary boundary;
    grid::Field distance, phi;
    grid::FaceFlow flow;

    ShearedMixture() {
        boundary.clear(n, false);
        grid::fill(distance, n, 1.0);
        grid::fill(phi, n, 0.0);
        for (grid::FaceField* f : {&start, &fraction, &submerged_velocity, &mobility, &drag})
            grid::fill(*f, n, 0.0);
        const Random random(5, 2);
        for_cells(topology, [&](std::size_t e, const Vec3i& at) {
            const Vec3d from_middle = to_double(at) - Vec3d{2, 2, 2};
            const double farthest =
                std::max({std::abs(from_middle.x), std::abs(from_middle.y), std::abs(from_middle.z)});
            phi[e] = (farthest - 4.7) * Lump::kCell;
            for (std::size_t a = 0; a < 3; ++a) {
                const auto some = [&](std::uint64_t what, double low, double high) {
                    return random.uniform(32 * std::uint64_t(e) + 4 * what + a, low, high);
                };
                if (mass[a][e] > 0) start[a][e] = some(0, -0.1, 0.1);
                fraction[a][e] = some(1, 0, 0.6);
                submerged_velocity[a][e] = some(2, -0.1, 0.1);
                mobility[a][e] = some(3, 0, 2e-3);
                drag[a][e] = some(4, 0, 3000);
            }
        });
    }
    PressureDomain domain() const { return {topology, phi, boundary, flow, Lump::kStep}; }
};

/// A step of two passes, and what is needed to look at its last one.
struct ShearedStep {
    Projection projection;
    grid::FaceField pulled, velocity;  // u0; at the end
    grid::FaceField before, given[2];  // the last pass starts from; what the last two projections were given
    grid::Field pressure;

    explicit ShearedStep(ShearedMixture& mixture) {
        const PressureOptions tight{1e-12, 400, 0};
        ShearOptions options;
        options.passes = 2;
        options.newton_steps = 40;
        options.tolerance = 1e-9;
        options.linear = 1e-6;
        const PressureDomain domain = mixture.domain();
        const ShearParticles particles = mixture.lump.particles();
        pulled = mixture.start;
        mixture.flow.pull(pulled);
        velocity = pulled;
        projection.assemble(domain);
        ShearPasses passes;
        passes.start(particles, domain, mixture.distance, mixture.flow.loaded(mixture.mass), velocity);
        projection.project_assembled(domain, tight, velocity, pressure);
        passes.pass(particles, options, 1, velocity);
        given[0] = velocity;
        projection.project_again(domain, tight, velocity, pressure);
        before = velocity;
        passes.pass(particles, options, 2, velocity);
        given[1] = velocity;
        projection.project_again(domain, tight, velocity, pressure);
    }
};

TEST(ShearPasses, DivergenceIsTheOnePromised) {
    for (const bool answers : {false, true}) {
        ShearedMixture mixture;
        mixture.flow.start(mixture.boundary, ShearedMixture::kDensity);
        const grid::FaceFlow::Submerged submerged{mixture.fraction, mixture.submerged_velocity,
                                                  answers ? mixture.mobility : mixture.nothing};
        mixture.flow.submerge(submerged);
        mixture.flow.add_drag(mixture.drag, mixture.submerged_velocity);
        const ShearedStep step(mixture);
        EXPECT_LT(largest_divergence(mixture.domain(), step.projection.system(), step.velocity, step.pressure,
                                     &submerged),
                  1e-8)
            << answers;
        EXPECT_GT(largest_divergence(mixture.domain(), step.projection.system(), step.velocity, step.pressure,
                                     nullptr),
                  1e-3)
            << "of the liquid alone";
    }
}

/// m (u − u*) = shear impulse − m/ρ (Δt ∇p + drag (u − towards)) on every face with mass, the shear impulse
/// found anew for the velocity that the last pass ended with.
TEST(ShearPasses, MomentumIsWhatShearPressureAndDragGive) {
    ShearedMixture mixture;
    mixture.flow.start(mixture.boundary, ShearedMixture::kDensity);
    mixture.flow.add_drag(mixture.drag, mixture.submerged_velocity);
    const ShearedStep step(mixture);
    const std::size_t n = mixture.n;
    Vector u(3 * n, 0.0), impulse(3 * n);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t f = 0; f < n; ++f)
            if (mixture.mass[a][f] > 0)
                u[a * n + f] = step.given[1][a][f] + step.before[a][f] - step.given[0][a][f];
    ShearOperator().evaluate(mixture.lump.particles(), u, impulse);
    double size = 0;
    for (const double f : impulse) size = std::max(size, std::abs(f));
    std::size_t looked_at = 0;
    for_cells(mixture.topology, [&](std::size_t e, const Vec3i& at) {
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t a = std::size_t(axis);
            const double mass = mixture.mass[a][e];
            if (!(mass > 0)) continue;
            const double gradient = pressure_rise(mixture.domain(), step.projection.system(), step.pressure,
                                                  e, cell_below(mixture.topology, at, axis)) /
                                    Lump::kCell;
            const double end = step.velocity[a][e];
            const double others =
                Lump::kStep * gradient + mixture.drag[a][e] * (end - mixture.submerged_velocity[a][e]);
            ASSERT_NEAR(mass * (end - mixture.start[a][e]),
                        impulse[a * n + e] - mass / ShearedMixture::kDensity * others, 1e-6 * size);
            ++looked_at;
        }
    });
    EXPECT_GT(looked_at, 500u);
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
    // A ball in the lump: faces at its surface follow those in it.
    for_cells(lump.topology, [&](std::size_t e, const Vec3i& at) {
        phi[e] = (length(to_double(at) - Vec3d{2, 2, 2}) - 2) * Lump::kCell;
    });
    grid::FaceField drag, still;
    grid::fill(drag, n, 1500.0);
    grid::fill(still, n, 0.0);
    // The velocity that shear starts the first projection with; all of the step is run.
    const auto step = [&](grid::FaceFlow& flow) {
        const PressureDomain domain{lump.topology, phi, boundary, flow, Lump::kStep};
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

}  // namespace
}  // namespace rivulet::liquid
