#include <rivulet/grid/extrapolate.h>

#include <algorithm>

#include <rivulet/grid/tile.h>
#include <rivulet/grid/tile_sums.h>

namespace rivulet::grid {

namespace {

constexpr int kE = kBlockEdge;

/// A block and one layer around it; a face without velocity has weight 0.
struct LayerTiles {
    Tile<1, 1> value, weight;
    alignas(64) double sum[kBlockCells], total[kBlockCells];  // over the known faces around each face

    /// False when no face of the tile is known.
    bool gather(const Topology& topology, const double* velocity, const std::uint8_t* known, std::size_t b) {
        Tile<1, 1, Tile<1, 1>::kRow, std::uint8_t> flags;
        flags.gather(topology, known, b);
        std::uint8_t any = 0;
        for (const std::uint8_t f : flags.value) any |= f;
        if (any == 0) return false;
        value.gather(topology, velocity, b);
        for (int n = 0; n < Tile<1, 1>::kSize; ++n) {
            const bool is_known = flags.value[n] != 0;
            weight.value[n] = is_known ? 1 : 0;
            value.value[n] = is_known ? value.value[n] : 0;
        }
        add_up_around(value, sum);
        add_up_around(weight, total);
        return true;
    }
};

/// What a block's faces have, as bits.
constexpr std::uint8_t kHasKnown = 1, kHasUnknown = 2;

std::uint8_t look_at(const std::uint8_t* known) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < kBlockCells; ++i) count += known[i] != 0;
    return static_cast<std::uint8_t>((count > 0 ? kHasKnown : 0) | (count < kBlockCells ? kHasUnknown : 0));
}

}  // namespace

void faces_of_liquid(const Topology& topology, const Field& phi, FaceFlags& known) {
    for (auto& flags : known) flags.resize(topology.cells());
    for_blocks(topology, [&](std::size_t b) {
        Tile<1, 0> level;
        level.gather(topology, phi.data(), b, 1.0);
        for (int k = 0; k < kE; ++k)
            for (int j = 0; j < kE; ++j)
                for (int i = 0; i < kE; ++i) {
                    const std::size_t f = b * kBlockCells + std::size_t(cell_in_block(i, j, k));
                    const bool here = level(i, j, k) < 0;
                    known[0][f] = here || level(i - 1, j, k) < 0;
                    known[1][f] = here || level(i, j - 1, k) < 0;
                    known[2][f] = here || level(i, j, k - 1) < 0;
                }
    });
}

void Extrapolation::run(const Topology& topology, int layers, FaceField& velocity, FaceFlags& known) {
    for (std::size_t a = 0; a < 3; ++a) run(topology, layers, velocity[a], known[a]);
}

void Extrapolation::run(const Topology& topology, int layers, Field& u, AlignedVector<std::uint8_t>& known) {
    next_.resize(u.size());
    next_known_.resize(u.size());
    has_.resize(topology.size());
    grows_.resize(topology.size());
    for_blocks(topology, [&](std::size_t b) { has_[b] = look_at(known.data() + b * kBlockCells); });
    for (int layer = 1; layer <= layers; ++layer) {
        for_blocks(topology, [&](std::size_t b) {
            const auto& near = topology.neighbour[b];
            grows_[b] = (has_[b] & kHasUnknown) && std::any_of(near.begin(), near.end(), [&](std::int32_t n) {
                            return n >= 0 && (has_[std::size_t(n)] & kHasKnown);
                        });
            if (!grows_[b]) return;
            LayerTiles around;
            grows_[b] = around.gather(topology, u.data(), known.data(), b);
            if (!grows_[b]) return;
            const std::uint8_t* was_known = known.data() + b * kBlockCells;
            const double* was = u.data() + b * kBlockCells;
            double* value = next_.data() + b * kBlockCells;
            std::uint8_t* is_known = next_known_.data() + b * kBlockCells;
            for (std::size_t i = 0; i < kBlockCells; ++i) {
                const double mean = around.sum[i] / std::max(1.0, around.total[i]);
                value[i] = was_known[i] == 0 && around.total[i] > 0 ? mean : was[i];
            }
            for (std::size_t i = 0; i < kBlockCells; ++i)
                is_known[i] = was_known[i] == 0 && around.total[i] > 0 ? static_cast<std::uint8_t>(1 + layer)
                                                                       : was_known[i];
        });
        for_blocks(topology, [&](std::size_t b) {
            if (!grows_[b]) return;
            const std::size_t begin = b * kBlockCells, end = begin + kBlockCells;
            std::copy(next_.data() + begin, next_.data() + end, u.data() + begin);
            std::copy(next_known_.data() + begin, next_known_.data() + end, known.data() + begin);
            has_[b] = look_at(known.data() + begin);
        });
    }
}

}  // namespace rivulet::grid
