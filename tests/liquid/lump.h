#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/linear/aligned.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/liquid/shear_operator.h>

namespace rivulet::liquid {

/// A lump of cream and mud that has been sheared, some of it past yield.
struct Lump {
    static constexpr double kCell = 0.02, kStep = 2e-3;  // m, s

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

}  // namespace rivulet::liquid
