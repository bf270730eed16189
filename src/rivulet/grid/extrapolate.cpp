#include <rivulet/grid/extrapolate.h>

#include <rivulet/grid/tile.h>

namespace rivulet::grid {

namespace {

constexpr int kE = kBlockEdge;

/// A block and one layer around it; a face without velocity has weight 0.
struct LayerTiles {
    Tile<1, 1> value, weight;

    /// False when no face around has a velocity.
    bool gather(const Topology& topology, const double* velocity, const std::uint8_t* known, std::size_t b) {
        weight.gather(topology, known, b);
        double any = 0;
        for (double& w : weight.value) {
            w = w > 0 ? 1 : 0;
            any += w;
        }
        if (any == 0) return false;
        value.gather(topology, velocity, b);
        return true;
    }

    /// Mean of the known faces around (i,j,k); false when there is none.
    bool mean(int i, int j, int k, double& result) const {
        double sum = 0, total = 0;
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int steps = (dx != 0) + (dy != 0) + (dz != 0);
                    const double w = weight(i + dx, j + dy, k + dz) * (steps == 1   ? 4
                                                                       : steps == 2 ? 2
                                                                       : steps == 3 ? 1
                                                                                    : 0);
                    sum += w * value(i + dx, j + dy, k + dz);
                    total += w;
                }
        if (total <= 0) return false;
        result = sum / total;
        return true;
    }
};

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
    for (std::size_t a = 0; a < 3; ++a) {
        Field& u = velocity[a];
        AlignedVector<std::uint8_t>& flags = known[a];
        next_.resize(u.size());
        next_known_.resize(u.size());
        open_block_.resize(topology.size());
        reached_.resize(topology.size());
        for_blocks(topology, [&](std::size_t b) {
            bool open = false;
            for (std::size_t i = 0; i < kBlockCells; ++i) open |= flags[b * kBlockCells + i] == 0;
            open_block_[b] = open;
        });
        for (int layer = 1; layer <= layers; ++layer) {
            for_blocks(topology, [&](std::size_t b) {
                if (!open_block_[b]) return;
                LayerTiles around;
                reached_[b] = around.gather(topology, u.data(), flags.data(), b);
                if (!reached_[b]) return;
                for (int k = 0; k < kE; ++k)
                    for (int j = 0; j < kE; ++j)
                        for (int i = 0; i < kE; ++i) {
                            const std::size_t f = b * kBlockCells + std::size_t(cell_in_block(i, j, k));
                            next_[f] = u[f];
                            next_known_[f] = flags[f];
                            if (flags[f] == 0 && around.mean(i, j, k, next_[f]))
                                next_known_[f] = static_cast<std::uint8_t>(1 + layer);
                        }
            });
            for_blocks(topology, [&](std::size_t b) {
                if (!open_block_[b] || !reached_[b]) return;
                for (std::size_t f = b * kBlockCells; f < (b + 1) * kBlockCells; ++f) {
                    u[f] = next_[f];
                    flags[f] = next_known_[f];
                }
            });
        }
    }
}

}  // namespace rivulet::grid
