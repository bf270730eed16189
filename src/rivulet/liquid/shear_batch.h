#pragma once

#include <algorithm>

#include <rivulet/base/quads.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/liquid/shear_operator.h>
#include <rivulet/liquid/shear_pack.h>

namespace rivulet::liquid {

/// Particles that are worked on side by side: four registers, each with kQuads<P> particles of one cell, one
/// by group of lanes. Lane i of group g belongs to the particle of register i in group g. Lanes without a
/// particle repeat another one, and have no volume.
template <class P>
struct Batch {
    std::size_t slot = 0;  // among the batches of all blocks
    std::size_t block = 0;
    int used = 0;  // registers
    int cell[4];   // of the block, by register
    std::size_t index[P::kWidth];
    bool present[P::kWidth];

    static int lane(int number, int group) { return number + 4 * group; }
    void add(int cell_of, std::size_t first, std::size_t count) {
        cell[used] = cell_of;
        for (int g = 0; g < kQuads<P>; ++g) {
            present[lane(used, g)] = std::size_t(g) < count;
            index[lane(used, g)] = first + std::min(std::size_t(g), count - 1);
        }
        ++used;
    }
    void fill_up() {
        for (int number = used; number < 4; ++number) {
            cell[number] = cell[0];
            for (int g = 0; g < kQuads<P>; ++g) {
                present[lane(number, g)] = false;
                index[lane(number, g)] = index[0];
            }
        }
    }

    template <class F>
    P pack(F&& value) const {
        return P::generate([&](int i) { return value(index[i]); });
    }
    P volume(const LiquidState& state) const {
        return P::generate([&](int i) { return present[i] ? state.volume[index[i]] : 0.0; });
    }
    /// Less the identity.
    elastic::Sym3<P> strain(const LiquidState& state) const {
        P d[4], o[4];
        for (int number = 0; number < 4; ++number) {
            d[number] = vectors(state.strain_diagonal, number, {1, 1, 1});
            o[number] = vectors(state.strain_off_diagonal, number, {});
        }
        transpose_quads(d[0], d[1], d[2], d[3]);
        transpose_quads(o[0], o[1], o[2], o[3]);
        return {d[0], o[0], o[1], d[1], o[2], d[2]};
    }
    /// The vectors of the particles of a register, less `reference`.
    P vectors(std::span<const Vec3d> of, int number, const Vec3d& reference, double scale = 1) const {
        using Four = Pack::Lanes;
        const Four from{reference.x, reference.y, reference.z, 0};
        const auto at = [&](int group) {
            const Vec3d& v = of[index[lane(number, group)]];
            return Four{v.x, v.y, v.z, 0} * scale - from;
        };
        if constexpr (kQuads<P> == 1)
            return P(at(0));
        else {
            using Narrow = float __attribute__((vector_size(16)));
            const Narrow low = __builtin_convertvector(at(0), Narrow),
                         high = __builtin_convertvector(at(1), Narrow);
            return P(__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7));
        }
    }
    PackLaw<P> law(std::span<const ParticleLaw> laws, std::span<const std::uint8_t> law_of) const {
        const std::uint8_t first = law_of[index[0]];
        bool alike = true;
        if (laws.size() > 1)
            for (int i = 1; i < P::kWidth; ++i) alike &= law_of[index[i]] == first;
        const auto of = [&](auto&& value) {
            return alike ? P(value(laws[first]))
                         : pack([&](std::size_t i) { return value(laws[law_of[i]]); });
        };
        return {of([](const ParticleLaw& m) { return m.shear_modulus; }),
                of([](const ParticleLaw& m) { return m.law.yield; }),
                of([](const ParticleLaw& m) { return m.power; }),
                of([](const ParticleLaw& m) { return m.consistency; })};
    }
};

/// visit(batch) for the particles of a block, cell by cell.
template <class P, class F>
void for_batches(const grid::ParticleOrder& order, std::size_t b, std::size_t slot, F&& visit) {
    Batch<P> batch;
    batch.slot = slot;
    batch.block = b;
    for (int cell = 0; cell < grid::kBlockCells; ++cell) {
        const std::size_t c = b * grid::kBlockCells + std::size_t(cell), end = order.cell_end(c);
        for (std::size_t i = order.cell_begin(c); i < end; i += kQuads<P>) {
            batch.add(cell, i, end - i);
            if (batch.used < 4) continue;
            visit(batch);
            batch.used = 0;
            ++batch.slot;
        }
    }
    if (batch.used == 0) return;
    batch.fill_up();
    visit(batch);
}
/// How many they are.
template <class P>
std::size_t count_batches(const grid::ParticleOrder& order, std::size_t b) {
    std::size_t registers = 0;
    for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c)
        registers += (order.cell_end(c) - order.cell_begin(c) + kQuads<P> - 1) / kQuads<P>;
    return (registers + 3) / 4;
}

}  // namespace rivulet::liquid
