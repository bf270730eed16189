#include <rivulet/liquid/compression.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/compressible.h>

namespace rivulet::liquid {

Compression::Compression(std::span<const LiquidMaterial> materials) {
    for (const LiquidMaterial& m : materials) {
        bulk_modulus_.push_back(m.bulk_modulus);
        any_ = any_ || m.bulk_modulus > 0;
    }
}

void Compression::rasterise(const grid::Topology& topology, const grid::ParticleOrder& order,
                            const LiquidState& state, double dt) {
    dt_ = dt;
    present_.resize(state.size());
    for (auto* f : {&compliance_, &rebound_, &ratio_}) f->resize(topology.cells());
    occupied_.resize(topology.size());
    grid::for_blocks(topology, [&](std::size_t b) {
        occupied_[b] = order.block_begin(b) != order.block_end(b);
        if (!occupied_[b]) {
            for (auto* f : {&compliance_, &rebound_})
                std::fill_n(f->data() + b * grid::kBlockCells, grid::kBlockCells, 0.0);
            std::fill_n(ratio_.data() + b * grid::kBlockCells, grid::kBlockCells, 1.0);
            return;
        }
        for (std::size_t c = b * grid::kBlockCells; c < (b + 1) * grid::kBlockCells; ++c) {
            double volume = 0, compliance = 0, rebound = 0, present = 0;
            for (std::size_t i = order.cell_begin(c); i < order.cell_end(c); ++i) {
                const double v = state.volume[i], ratio = state.volume_ratio[i];
                const double modulus = bulk_modulus_[state.material[i]];
                present_[i] = v * ratio;
                volume += v;
                present += v * ratio;
                if (modulus == 0) continue;
                const double soft = v / (0.5 * modulus * (ratio + 1 / ratio) * dt);
                compliance += soft;
                rebound += soft * compression_pressure(modulus, ratio);
            }
            const double share = volume > 0 ? 1 / volume : 0;
            compliance_[c] = compliance * share;
            rebound_[c] = rebound * share;
            ratio_[c] = volume > 0 ? present * share : 1;
        }
    });
}

void Compression::thin_out(const grid::Topology& topology, grid::FaceField& density) const {
    grid::for_blocks(topology, [&](std::size_t b) {
        const CellNeighbours near(topology, b);
        const auto is_occupied = [&](std::size_t axis) {
            const std::ptrdiff_t first = near.block_below(axis);
            return first >= 0 && occupied_[std::size_t(first) / grid::kBlockCells];
        };
        if (!occupied_[b] && !is_occupied(0) && !is_occupied(1) && !is_occupied(2)) return;
        for (int c = 0; c < grid::kBlockCells; ++c) {
            const std::size_t e = b * grid::kBlockCells + std::size_t(c);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::ptrdiff_t low = near.lower(c, axis);
                density[axis][e] /= 0.5 * (ratio_[e] + (low < 0 ? 1.0 : ratio_[std::size_t(low)]));
            }
        }
    });
}

void Compression::measure_from(const grid::Field& datum) {
    parallel_chunks(rebound_.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t c = begin; c < end; ++c) rebound_[c] -= compliance_[c] * datum[c];
    });
}

void Compression::add_to(PressureDomain& domain) const {
    domain.compliance = &compliance_;
    domain.rebound = &rebound_;
}

void Compression::deform(const grid::ParticleOrder& order, const PressureSystem& system,
                         const grid::Field& pressure, LiquidState& state) const {
    // NOTE: a tenth per step bounds what a single wild cell can do; the Courant number keeps real flows far
    // below it.
    constexpr double kMostChange = 0.1;
    parallel_chunks(compliance_.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t c = begin; c < end; ++c) {
            if (order.cell_begin(c) == order.cell_end(c)) continue;
            const double change = std::exp(
                std::clamp(dt_ * (rebound_[c] - compliance_[c] * pressure[c]), -kMostChange, kMostChange));
            for (std::size_t i = order.cell_begin(c); i < order.cell_end(c); ++i) {
                if (bulk_modulus_[state.material[i]] == 0) continue;
                state.volume_ratio[i] = system.liquid[c] ? state.volume_ratio[i] * change : 1.0;
            }
        }
    });
}

}  // namespace rivulet::liquid
