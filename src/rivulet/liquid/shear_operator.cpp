#include <rivulet/liquid/shear_operator.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/shear_batch.h>
#include <rivulet/liquid/shear_kernel.h>
#include <rivulet/liquid/shear_tangent.h>

namespace rivulet::liquid {
namespace {

/// Whether any particle of a block remembers its shape.
bool remembers(const ShearParticles& p, std::size_t b) {
    for (std::size_t i = p.order.block_begin(b); i < p.order.block_end(b); ++i)
        if (p.law(i).shear_modulus > 0) return true;
    return false;
}
/// Where the particles of a block are: its first cell with some, and on which sides they touch faces of other
/// blocks (nodes -1 to 2 from their cells).
struct Occupied {
    int cell = -1;
    grid::TileReach reach{{false, false, false}, {false, false, false}};

    Occupied(const grid::ParticleOrder& order, std::size_t b) {
        for (int c = 0; c < grid::kBlockCells; ++c) {
            const std::size_t at = b * grid::kBlockCells + std::size_t(c);
            if (order.cell_begin(at) == order.cell_end(at)) continue;
            if (cell < 0) cell = c;
            const Vec3i place = place_in_block(c);
            for (int axis = 0; axis < 3; ++axis) {
                reach.low[axis] |= place[axis] == 0;
                reach.high[axis] |= place[axis] + 2 >= grid::kBlockEdge;
            }
        }
    }
};

/// The sums over faces around the particles of a batch.
template <class P>
class BatchSums {
    using Real = typename P::Real;
    using Tile = typename FaceTiles<Real>::Tile;

 public:
    BatchSums(const ShearParticles& particles, std::size_t b)
        : state_(particles.state),
          occupied_(particles.order, b),
          corner_(to_double(particles.topology.corner[b])),
          cell_(particles.topology.cell) {
        to_.clear();
    }
    void read(const ShearParticles& p, std::span<const double> in, std::size_t b) {
        from_.gather(p.topology, in, b, occupied_.cell, occupied_.reach);
    }
    void prepare(const Batch<P>& batch) {
        for (int n = 0; n < batch.used; ++n) {
            const Vec3i at = place_in_block(batch.cell[n]);
            const P place = batch.vectors(state_.position, n, corner_ + to_double(at), 1 / cell_);
            // A particle sorted into this cell is inside; a stray one must not have weights past a tile.
            stencil_[n].set(min(max(place, P(0.0)), P(1.0)));
            first_[n] = Tile::at(at.x - 1, at.y - 1, at.z - 1);
        }
    }
    /// Row a: the first moment of component a; times kAffineScale / cell the velocity gradient of MLS-MPM.
    Mat3<P> first_moments(const Batch<P>& batch) {
        typename P::Lanes part[9][4];
        for (int n = 0; n < batch.used; ++n) {
            add_up_moment<0>(from_, first_[n], stencil_[n], part[0][n], part[1][n], part[2][n]);
            add_up_moment<1>(from_, first_[n], stencil_[n], part[3][n], part[4][n], part[5][n]);
            add_up_moment<2>(from_, first_[n], stencil_[n], part[6][n], part[7][n], part[8][n]);
        }
        for (int n = batch.used; n < 4; ++n)
            for (auto& p : part) p[n] = typename P::Lanes{};
        Mat3<P> moments;
        for (int i = 0; i < 9; ++i)
            moments(i / 3, i % 3) = quad_sums(P(part[i][0]), P(part[i][1]), P(part[i][2]), P(part[i][3]));
        return moments;
    }
    void add_moments(const Batch<P>& batch, const elastic::Sym3<P>& s) {
        for (int begin = 0, end = 0; begin < batch.used; begin = end) {
            while (end < batch.used && first_[end] == first_[begin]) ++end;
            if (first_[begin] != at_) {
                flush();
                at_ = first_[begin];
                sums_.clear();
            }
            sums_.template add<0>(stencil_, begin, end, {s.xx, s.xy, s.xz});
            sums_.template add<1>(stencil_, begin, end, {s.xy, s.yy, s.yz});
            sums_.template add<2>(stencil_, begin, end, {s.xz, s.yz, s.zz});
        }
    }
    void write(const grid::Topology& topology, std::span<double> out, std::size_t b) {
        flush();
        to_.add_to(topology, out, b, occupied_.reach);
    }

 private:
    void flush() {
        if (at_ >= 0) sums_.add_to(to_, at_);
    }

    const LiquidState& state_;
    const Occupied occupied_;
    const Vec3d corner_;
    const double cell_;
    FaceTiles<Real> from_, to_;
    ShearStencil<P> stencil_[4];
    int first_[4];  // lowest node of the cell of each register
    CellSums<P> sums_;
    int at_ = -1;  // lowest node of their cell
};

/// Clears `out`, then adds the moments of stress(batch, first moments of `in`) of all particles in blocks
/// with some that remember. `first_batch` of each block, where batches are counted.
template <class P, class F>
void scatter(const ShearParticles& p, std::span<const double> in, std::span<double> out,
             std::span<const std::uint32_t> first_batch, F&& stress) {
    const grid::Topology& topology = p.topology;
    parallel_chunks(out.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::fill(out.begin() + std::ptrdiff_t(begin), out.begin() + std::ptrdiff_t(end), 0.0);
    });
    grid::for_coloured_blocks(topology, [&](std::size_t b) {
        if (!remembers(p, b)) return;
        BatchSums<P> sums(p, b);
        if (!in.empty()) sums.read(p, in, b);
        for_batches<P>(p.order, b, first_batch.empty() ? 0 : first_batch[b], [&](const Batch<P>& batch) {
            sums.prepare(batch);
            Mat3<P> moments;
            if (!in.empty()) moments = sums.first_moments(batch);
            sums.add_moments(batch, stress(batch, moments));
        });
        sums.write(topology, out, b);
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
    assert(law_of.size() == state.size() && (state.size() == 0 || has_strain(state)));
    parallel_chunks(state.size(), 2048, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t first = begin; first < end; first += Pack::kWidth) {
            Batch<Pack> batch;
            for (std::size_t i = first; i < std::min(end, first + Pack::kWidth); ++i) batch.add(0, i, 1);
            batch.fill_up();
            const PackLaw<Pack> law = batch.law(laws, law_of);
            if (!any(law.shear_modulus > Pack(0.0))) continue;
            Mat3<Pack> gradient;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    gradient(i, j) = batch.pack([&](std::size_t n) { return state.affine[n](i, j); });
            const elastic::Sym3<Pack> b = flowed_strain(pack_flow(batch.strain(state), gradient, dt, law));
            for (int lane = 0; lane < batch.used; ++lane)
                if (law.shear_modulus[lane] > 0)
                    set_strain(state, batch.index[lane],
                               {b.xx[lane], b.xy[lane], b.xz[lane], b.yy[lane], b.yz[lane], b.zz[lane]});
        }
    });
}

void ShearOperator::evaluate(const ShearParticles& p, std::span<const double> velocity,
                             std::span<double> impulse, Digits digits) {
    digits_ = digits;
    if (digits == Digits::single)
        evaluate_in<SinglePack>(p, velocity, impulse);
    else
        evaluate_in<Pack>(p, velocity, impulse);
}

void ShearOperator::apply(const ShearParticles& p, std::span<const double> x, std::span<double> out) const {
    if (digits_ == Digits::single)
        apply_in<SinglePack>(p, x, out);
    else
        apply_in<Pack>(p, x, out);
}

namespace {

/// Of a lane: xx, xy, xz, yy, yz of the stress's direction, which has no trace; stiffness across and along
/// it.
constexpr int kTangent = 7;

template <class P>
using Tangent [[gnu::vector_size(P::kWidth * sizeof(float))]] = float;

}  // namespace

template <class P>
void ShearOperator::evaluate_in(const ShearParticles& p, std::span<const double> velocity,
                                std::span<double> impulse) {
    first_batch_.resize(p.topology.size() + 1);
    first_batch_[0] = 0;
    for (std::size_t b = 0; b < p.topology.size(); ++b)
        first_batch_[b + 1] = first_batch_[b] + std::uint32_t(count_batches<P>(p.order, b));
    const std::size_t room = std::size_t(first_batch_.back()) * kTangent * P::kWidth;
    if (tangent_.capacity() < room) {
        std::vector<float>().swap(tangent_);
        tangent_.reserve(room + room / 8);
    }
    tangent_.resize(room);
    const double volume_in_cells = 1 / (p.topology.cell * p.topology.cell * p.topology.cell);
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    scatter<P>(p, velocity, impulse, first_batch_, [&](const Batch<P>& batch, const Mat3<P>& moments) {
        const PackLaw<P> law = batch.law(p.laws, p.law_of);
        const PackFlow<P> at = pack_flow(batch.strain(p.state), moments * P(to_gradient), p.dt, law);
        const P volume = batch.volume(p.state), zero = 0;
        const P stiffness = volume * P(2 * volume_in_cells) * law.shear_modulus * at.mean;
        const P inverse = select(at.size > zero, P(1.0) / at.size, zero);
        const elastic::Sym3<P>& d = at.deviator;
        const P kept[kTangent] = {inverse * d.xx,
                                  inverse * d.xy,
                                  inverse * d.xz,
                                  inverse * d.yy,
                                  inverse * d.yz,
                                  stiffness * at.ratio,
                                  stiffness * (at.slope - at.ratio)};
        float* to = tangent_.data() + batch.slot * kTangent * P::kWidth;
        for (int i = 0; i < kTangent; ++i) {
            const Tangent<P> narrow = __builtin_convertvector(kept[i].v, Tangent<P>);
            std::memcpy(to + i * P::kWidth, &narrow, sizeof narrow);
        }
        return scaled(volume * P(-to_gradient * p.dt) * law.shear_modulus * at.ratio, d);
    });
}

void ShearOperator::present_impulse(const ShearParticles& p, std::span<double> impulse) const {
    using P = SinglePack;
    const double to_gradient = grid::kAffineScale / p.topology.cell;
    scatter<P>(p, {}, impulse, {}, [&](const Batch<P>& batch, const Mat3<P>&) {
        const P modulus = batch.law(p.laws, p.law_of).shear_modulus;
        return scaled(batch.volume(p.state) * modulus * P(-to_gradient * p.dt),
                      deviator(batch.strain(p.state)));
    });
}

void ShearOperator::skin_impulse(const ShearParticles& p, const grid::Field& q,
                                 std::span<double> impulse) const {
    using P = SinglePack;
    const double reach = grid::kAffineScale / p.topology.cell * p.dt;
    scatter<P>(p, {}, impulse, {}, [&](const Batch<P>& batch, const Mat3<P>&) {
        const double* of_block = q.data() + batch.block * grid::kBlockCells;
        // Kirchhoff stress with rest volumes: Cauchy stress with present ones.
        const P ratio = batch.pack([&](std::size_t i) { return p.state.volume_ratio[i]; });
        const P amount = P::generate([&](int i) { return of_block[batch.cell[i % 4]]; }) * ratio *
                         batch.volume(p.state) * P(reach);
        return elastic::Sym3<P>{amount, 0.0, 0.0, amount, 0.0, amount};
    });
}

template <class P>
void ShearOperator::apply_in(const ShearParticles& p, std::span<const double> x,
                             std::span<double> out) const {
    const double cell = p.topology.cell, reach = grid::kAffineScale / cell * p.dt;
    const P scale = reach * reach * cell * cell * cell;
    const auto product = [&](const Batch<P>& batch, const Mat3<P>& moments) -> elastic::Sym3<P> {
        const float* from = tangent_.data() + batch.slot * kTangent * P::kWidth;
        const auto kept = [&](int i) {
            Tangent<P> narrow;
            std::memcpy(&narrow, from + i * P::kWidth, sizeof narrow);
            return P(__builtin_convertvector(narrow, typename P::Lanes));
        };
        const P xx = kept(0), yy = kept(3);
        const elastic::Sym3<P> d{xx, kept(1), kept(2), yy, kept(4), -xx - yy};
        const elastic::Sym3<P> dev = deviator(symmetric_part(moments));
        const P a = scale * kept(5), l = scale * kept(6) * contract(d, dev);
        const auto sum = [&](const P& across, const P& along) { return multiply_add(a, across, l * along); };
        return {sum(dev.xx, d.xx), sum(dev.xy, d.xy), sum(dev.xz, d.xz),
                sum(dev.yy, d.yy), sum(dev.yz, d.yz), sum(dev.zz, d.zz)};
    };
    scatter<P>(p, x, out, first_batch_, product);
}

}  // namespace rivulet::liquid
