#include <rivulet/liquid/shear_operator.h>

#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/shear_kernel.h>

namespace rivulet::liquid {
namespace {

/// Clears `out`, then calls body(particle, stencil, tiles of `in`, tiles to add to) for every particle that
/// remembers and adds the tiles to `out`.
template <class F>
void scatter(const ShearParticles& p, std::span<const double> in, std::span<double> out, F&& body) {
    const grid::Topology& topology = p.topology;
    parallel_chunks(out.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::fill(out.begin() + std::ptrdiff_t(begin), out.begin() + std::ptrdiff_t(end), 0.0);
    });
    const double inverse = 1 / topology.cell;
    grid::for_coloured_blocks(topology, [&](std::size_t b) {
        const std::size_t begin = p.order.block_begin(b), end = p.order.block_end(b);
        if (begin == end) return;
        FaceTiles from, to;
        if (!in.empty()) from.gather(topology, in, b);
        to.clear();
        const Vec3d corner = to_double(topology.corner[b]);
        for (std::size_t i = begin; i < end; ++i) {
            if (p.law(i).shear_modulus == 0) continue;
            body(i, grid::ParticleStencil(p.state.position[i], corner, inverse), from, to);
        }
        to.add_to(topology, out, b);
    });
}

}  // namespace

std::vector<ParticleLaw> particle_laws(std::span<const LiquidMaterial> materials) {
    std::vector<ParticleLaw> laws;
    for (const LiquidMaterial& m : materials)
        laws.push_back(m.remembers() ? ParticleLaw{m.shear_modulus, to_norm(flow_curve(m))} : ParticleLaw{});
    return laws;
}

void deform_particles(std::span<const ParticleLaw> laws, std::span<const std::uint8_t> law_of, double dt,
                      LiquidState& state) {
    parallel_chunks(state.size(), 2048, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            const ParticleLaw& m = laws[law_of[i]];
            if (m.shear_modulus == 0) continue;
            set_strain(state, i,
                       shear_step(strain_of(state, i), state.affine[i], dt, m.shear_modulus, m.law).strain);
        }
    });
}

void ShearOperator::evaluate(const ShearParticles& p, std::span<const double> velocity,
                             std::span<double> impulse) {
    tangent_.resize(p.state.size());
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    scatter(p, velocity, impulse,
            [&](std::size_t i, const grid::ParticleStencil& stencil, const FaceTiles& from, FaceTiles& to) {
                const ParticleLaw& m = p.law(i);
                const ShearStep at =
                    shear_step(strain_of(p.state, i), first_moments(from, stencil) * to_gradient, p.dt,
                               m.shear_modulus, m.law);
                const double reach = p.state.volume[i] * to_gradient * p.dt;
                const double stiffness = 2 * at.trial_modulus * reach * to_gradient * p.dt;
                tangent_[i] = {at.direction, stiffness * at.ratio, stiffness * (at.slope - at.ratio)};
                add_moments(to, stencil, scaled(-reach, shear_stress(m.shear_modulus, at.strain)));
            });
}

void ShearOperator::present_impulse(const ShearParticles& p, std::span<double> impulse) const {
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    scatter(p, {}, impulse,
            [&](std::size_t i, const grid::ParticleStencil& stencil, const FaceTiles&, FaceTiles& to) {
                const double modulus = p.law(i).shear_modulus;
                add_moments(to, stencil,
                            scaled(-p.state.volume[i] * to_gradient * p.dt,
                                   shear_stress(modulus, strain_of(p.state, i))));
            });
}

void ShearOperator::apply(const ShearParticles& p, std::span<const double> x, std::span<double> out) const {
    scatter(p, x, out,
            [&](std::size_t i, const grid::ParticleStencil& stencil, const FaceTiles& from, FaceTiles& to) {
                const Tangent& t = tangent_[i];
                const Strain dev = deviator(symmetric_part(first_moments(from, stencil)));
                const Strain& d = t.direction;
                const double a = t.across, l = t.along * contract(d, dev);
                add_moments(to, stencil,
                            {a * dev.xx + l * d.xx, a * dev.xy + l * d.xy, a * dev.xz + l * d.xz,
                             a * dev.yy + l * d.yy, a * dev.yz + l * d.yz, a * dev.zz + l * d.zz});
            });
}

void ShearOperator::apply_exact(const ShearParticles& p, std::span<const double> velocity,
                                std::span<const double> x, std::span<double> out) const {
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    std::vector<Mat3d> gradient(p.state.size());
    scatter(p, velocity, out,
            [&](std::size_t i, const grid::ParticleStencil& stencil, const FaceTiles& from, FaceTiles&) {
                gradient[i] = first_moments(from, stencil) * to_gradient;
            });
    scatter(p, x, out,
            [&](std::size_t i, const grid::ParticleStencil& stencil, const FaceTiles& from, FaceTiles& to) {
                const ParticleLaw& m = p.law(i);
                const Strain change = exact_stress_change(strain_of(p.state, i), gradient[i],
                                                          first_moments(from, stencil) * to_gradient, p.dt,
                                                          m.shear_modulus, m.law);
                add_moments(to, stencil, scaled(p.state.volume[i] * to_gradient * p.dt, change));
            });
}

}  // namespace rivulet::liquid
