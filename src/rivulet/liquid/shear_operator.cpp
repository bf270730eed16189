#include <rivulet/liquid/shear_operator.h>

#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/shear_kernel.h>
#include <rivulet/liquid/shear_pack.h>
#include <rivulet/liquid/shear_tangent.h>

namespace rivulet::liquid {
namespace {

/// Up to four particles next to each other in memory; the lanes past `count` repeat the last one.
struct Batch {
    std::size_t first;
    int count;
    std::size_t slot;  // among the batches of all blocks

    std::size_t index(int lane) const { return first + std::size_t(std::min(lane, count - 1)); }
    template <class F>
    Pack pack(F&& value) const {
        return {value(index(0)), value(index(1)), value(index(2)), value(index(3))};
    }
    Pack volume(const LiquidState& state) const {
        return pack([&](std::size_t i) { return state.volume[i]; });
    }
    PackStrain strain(const LiquidState& state) const {
        const auto &d = state.strain_diagonal, &o = state.strain_off_diagonal;
        return {pack([&](std::size_t i) { return d[i].x; }), pack([&](std::size_t i) { return o[i].x; }),
                pack([&](std::size_t i) { return o[i].y; }), pack([&](std::size_t i) { return d[i].y; }),
                pack([&](std::size_t i) { return o[i].z; }), pack([&](std::size_t i) { return d[i].z; })};
    }
    Vec3<Pack> position(const LiquidState& state, const Vec3d& corner, double inverse_cell) const {
        const auto& x = state.position;
        return {pack([&](std::size_t i) { return x[i].x * inverse_cell - corner.x; }),
                pack([&](std::size_t i) { return x[i].y * inverse_cell - corner.y; }),
                pack([&](std::size_t i) { return x[i].z * inverse_cell - corner.z; })};
    }
    PackLaw law(std::span<const ParticleLaw> laws, std::span<const std::uint8_t> law_of) const {
        const auto of = [&](auto&& value) {
            return pack([&](std::size_t i) { return value(laws[law_of[i]]); });
        };
        return {of([](const ParticleLaw& m) { return m.shear_modulus; }),
                of([](const ParticleLaw& m) { return m.law.yield; }),
                of([](const ParticleLaw& m) { return m.power; }),
                of([](const ParticleLaw& m) { return m.consistency; })};
    }
    bool remembers(std::span<const ParticleLaw> laws, std::span<const std::uint8_t> law_of) const {
        for (int lane = 0; lane < count; ++lane)
            if (laws[law_of[index(lane)]].shear_modulus > 0) return true;
        return false;
    }
};

/// Batches of blocks before block b never share a slot with those of it.
std::size_t first_slot(const grid::ParticleOrder& order, std::size_t b) {
    return order.block_begin(b) / Pack::kWidth + b;
}
std::size_t slots(const ShearParticles& p) {
    return p.state.size() / Pack::kWidth + p.topology.size() + 1;
}

/// Clears `out`, then adds the moments of stress(batch, first moments of `in`) of all particles that
/// remember.
template <class F>
void scatter(const ShearParticles& p, std::span<const double> in, std::span<double> out, F&& stress) {
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
        Batch batch{begin, 0, first_slot(p.order, b)};
        ShearStencils stencils;
        for (; batch.first < end; batch.first += Pack::kWidth, ++batch.slot) {
            batch.count = int(std::min<std::size_t>(Pack::kWidth, end - batch.first));
            if (!batch.remembers(p.laws, p.law_of)) continue;
            stencils.set(batch.position(p.state, corner, inverse));
            Mat3<Pack> moments;
            if (!in.empty()) moments = first_moments(from, stencils);
            add_moments(to, stencils, batch.count, stress(batch, moments));
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
        for (Batch batch{begin, 0, 0}; batch.first < end; batch.first += Pack::kWidth) {
            batch.count = int(std::min<std::size_t>(Pack::kWidth, end - batch.first));
            if (!batch.remembers(laws, law_of)) continue;
            Mat3<Pack> gradient;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    gradient(i, j) = batch.pack([&](std::size_t n) { return state.affine[n](i, j); });
            const PackLaw law = batch.law(laws, law_of);
            const PackStrain b = pack_shear_step(batch.strain(state), gradient, dt, law).strain;
            for (int lane = 0; lane < batch.count; ++lane)
                if (law.shear_modulus[lane] > 0)
                    set_strain(state, batch.index(lane),
                               {b.xx[lane], b.xy[lane], b.xz[lane], b.yy[lane], b.yz[lane], b.zz[lane]});
        }
    });
}

void ShearOperator::evaluate(const ShearParticles& p, std::span<const double> velocity,
                             std::span<double> impulse) {
    if (tangent_.capacity() < slots(p)) {
        std::vector<Tangent>().swap(tangent_);
        tangent_.reserve(slots(p) + slots(p) / 8);
    }
    tangent_.resize(slots(p));
    const double volume_in_cells = 1 / (p.topology.cell * p.topology.cell * p.topology.cell);
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    scatter(p, velocity, impulse, [&](const Batch& batch, const Mat3<Pack>& moments) {
        const PackLaw law = batch.law(p.laws, p.law_of);
        const PackShearStep at =
            pack_shear_step(batch.strain(p.state), moments * Pack(to_gradient), p.dt, law);
        const Pack reach = batch.volume(p.state) * Pack(to_gradient * p.dt);
        const Pack stiffness = Pack(2 * volume_in_cells) * at.trial_modulus * batch.volume(p.state);
        const auto narrow = [](const Pack& x) { return __builtin_convertvector(x.v, Tangent::Lanes); };
        const PackStrain& d = at.direction;
        tangent_[batch.slot] = {{narrow(d.xx), narrow(d.xy), narrow(d.xz), narrow(d.yy), narrow(d.yz)},
                                narrow(stiffness * at.ratio),
                                narrow(stiffness * (at.slope - at.ratio))};
        return scaled(-reach * law.shear_modulus, deviator(at.strain));
    });
}

void ShearOperator::present_impulse(const ShearParticles& p, std::span<double> impulse) const {
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    scatter(p, {}, impulse, [&](const Batch& batch, const Mat3<Pack>&) {
        const Pack modulus = batch.law(p.laws, p.law_of).shear_modulus;
        return scaled(batch.volume(p.state) * modulus * Pack(-to_gradient * p.dt),
                      deviator(batch.strain(p.state)));
    });
}

void ShearOperator::apply(const ShearParticles& p, std::span<const double> x, std::span<double> out) const {
    const double cell = p.topology.cell, reach = grid::kAffineScale / cell * p.dt;
    const double scale = reach * reach * cell * cell * cell;
    scatter(p, x, out, [&](const Batch& batch, const Mat3<Pack>& moments) -> PackStrain {
        const Tangent& t = tangent_[batch.slot];
        const auto wide = [](Tangent::Lanes v) { return Pack(__builtin_convertvector(v, Pack::Lanes)); };
        const Pack xx = wide(t.direction[0]), yy = wide(t.direction[3]);
        const PackStrain d{xx, wide(t.direction[1]), wide(t.direction[2]),
                           yy, wide(t.direction[4]), -xx - yy};
        const PackStrain dev = deviator(symmetric_part(moments));
        const Pack a = scale * wide(t.across), l = scale * wide(t.along) * contract(d, dev);
        const auto sum = [&](const Pack& across, const Pack& along) {
            return multiply_add(a, across, l * along);
        };
        return {sum(dev.xx, d.xx), sum(dev.xy, d.xy), sum(dev.xz, d.xz),
                sum(dev.yy, d.yy), sum(dev.yz, d.yz), sum(dev.zz, d.zz)};
    });
}

void ShearOperator::apply_exact(const ShearParticles& p, std::span<const double> velocity,
                                std::span<const double> x, std::span<double> out) const {
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    std::vector<Mat3<Pack>> gradient(slots(p));
    scatter(p, velocity, out, [&](const Batch& batch, const Mat3<Pack>& moments) {
        gradient[batch.slot] = moments * Pack(to_gradient);
        return PackStrain{};
    });
    scatter(p, x, out, [&](const Batch& batch, const Mat3<Pack>& moments) {
        PackStrain out_of;
        for (int lane = 0; lane < batch.count; ++lane) {
            const std::size_t i = batch.index(lane);
            const ParticleLaw& m = p.law(i);
            if (m.shear_modulus == 0) continue;
            Mat3d at, change;
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) {
                    at(a, b) = gradient[batch.slot](a, b)[lane];
                    change(a, b) = moments(a, b)[lane] * to_gradient;
                }
            const Strain s =
                scaled(p.state.volume[i] * to_gradient * p.dt,
                       exact_stress_change(strain_of(p.state, i), at, change, p.dt, m.shear_modulus, m.law));
            out_of.xx.set(lane, s.xx);
            out_of.xy.set(lane, s.xy);
            out_of.xz.set(lane, s.xz);
            out_of.yy.set(lane, s.yy);
            out_of.yz.set(lane, s.yz);
            out_of.zz.set(lane, s.zz);
        }
        return out_of;
    });
}

}  // namespace rivulet::liquid
