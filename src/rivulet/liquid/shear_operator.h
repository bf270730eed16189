#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <rivulet/base/pack.h>
#include <rivulet/elastic/sym3.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>
#include <rivulet/liquid/material.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// What the shear of one liquid needs, in the norms of rheology.h. Remembers nothing by default.
struct ParticleLaw {
    ParticleLaw() = default;
    ParticleLaw(double modulus, const NormLaw& flow)
        : shear_modulus(modulus),
          law(flow),
          power(1 / flow.flow_index),
          consistency(power * std::log(flow.consistency)) {}

    double shear_modulus = 0;  // Pa
    NormLaw law;
    double power = 1;        // 1 / flow index
    double consistency = 0;  // its logarithm times the power
};
std::vector<ParticleLaw> particle_laws(std::span<const LiquidMaterial> materials);

/// Particles of one step, sorted by `order`; strains as they were before it.
struct ShearParticles {
    const grid::Topology& topology;
    const grid::ParticleOrder& order;
    const LiquidState& state;
    std::span<const ParticleLaw> laws;
    std::span<const std::uint8_t> law_of;  // index into laws, by particle
    double dt;                             // s

    const ParticleLaw& law(std::size_t i) const { return laws[law_of[i]]; }
};

/// The shear force of MLS-MPM on staggered faces (Fei 2019 eq. 35, diss. 14.7)
///
///     f_i = − Σ_p V_p 4/Δx² w_ip e_a · τ_p (x_i − x_p),   a the axis of face i,
///
/// V the rest volume, τ the deviatoric Kirchhoff stress after the elastic step with the gradient of the face
/// velocities and the plastic return, and its derivative by them.
///
/// Vectors hold the three components one after the other: entry axis·cells + face. A block's particles are
/// summed in private tiles, tiles in the order of colours: the same bits for any number of threads.
class ShearOperator {
 public:
    /// Digits that sums and stresses are computed with. Single precision leaves about 1e-6 of the impulse.
    enum class Digits { single, twofold };

    /// impulse ← dt f of the strains as they are [kg m/s].
    void present_impulse(const ShearParticles& particles, std::span<double> impulse) const;
    /// impulse ← dt f of −q I in place of the stress, q [Pa] of the particles' cells (skin_pressure.h).
    void skin_impulse(const ShearParticles& particles, const grid::Field& q, std::span<double> impulse) const;
    /// impulse ← dt f(velocity) [kg m/s]; keeps the tangents there for `apply`, and the digits.
    void evaluate(const ShearParticles& particles, std::span<const double> velocity,
                  std::span<double> impulse, Digits digits = Digits::twofold);
    /// out ← dt² K x [kg m/s], K the radial-return tangent at the last velocity evaluated: symmetric,
    /// positive semi-definite.
    void apply(const ShearParticles& particles, std::span<const double> x, std::span<double> out) const;

 private:
    template <class P>
    void evaluate_in(const ShearParticles& particles, std::span<const double> velocity,
                     std::span<double> impulse);
    template <class P>
    void apply_in(const ShearParticles& particles, std::span<const double> x, std::span<double> out) const;

    Digits digits_ = Digits::twofold;
    std::vector<std::uint32_t> first_batch_;  // of each block, and the number of all
    /// tangent_stress() of the particles of a batch times their volume in cells [Pa], 7 numbers of each lane.
    /// Single precision: Newton's method mends what that leaves, and it is what moves through memory in a
    /// product.
    std::vector<float> tangent_;
};

/// The strain of every particle over the step whose velocity gradient `state.affine` holds.
void deform_particles(std::span<const ParticleLaw> laws, std::span<const std::uint8_t> law_of, double dt,
                      LiquidState& state);

}  // namespace rivulet::liquid
