#include <rivulet/grid/extrapolate.h>

#include <algorithm>
#include <cstring>

#include <rivulet/grid/stencil.h>
#include <rivulet/grid/tile.h>

namespace rivulet::grid {

namespace {

constexpr int kE = kBlockEdge;

/// Lanes whose bit is set.
constexpr auto kLanesOf = [] {
    std::array<Pack::Bits, 16> lanes{};
    for (int bits = 0; bits < 16; ++bits)
        lanes[std::size_t(bits)] =
            Pack::Bits{-(bits & 1), -(bits >> 1 & 1), -(bits >> 2 & 1), -(bits >> 3 & 1)};
    return lanes;
}();

/// The known faces of a block and one layer around it, added up around each face. Works on rows of the
/// blocks as they are, four faces at a time: a copy would be read before it is written to the cache.
class LayerSums {
 public:
    alignas(64) double sum[kBlockCells];  // over the known faces around each face
    std::uint8_t total[kBlockCells];      // of their weights

    /// False when there is no known face.
    bool find(const Topology& topology, const double* velocity, const std::uint8_t* known, std::size_t b) {
        static constexpr double kNoValue[kBlockCells] = {};
        static constexpr std::uint8_t kNotKnown[kBlockCells] = {};
        for (std::size_t n = 0; n < 27; ++n) {
            const std::ptrdiff_t first = std::ptrdiff_t{topology.neighbour[b][n]} * kBlockCells;
            value_[n] = first < 0 ? kNoValue : velocity + first;
            known_[n] = first < 0 ? kNotKnown : known + first;
        }
        std::uint64_t any = 0;
        for_rows([&](int r, std::size_t block, int row) {
            std::uint32_t middle;
            std::memcpy(&middle, known_[block] + row, sizeof middle);
            const std::uint64_t word = known_[block - 1][row + kE - 1] | std::uint64_t{middle} << 8 |
                                       std::uint64_t{known_[block + 1][row]} << 40;
            constexpr std::uint64_t kSeven = 0x7f7f7f7f7f7f7f7f;
            flags_[r] = (((word & kSeven) + kSeven) | word) >> 7 & 0x0101010101010101;
            any |= word;
        });
        if (any == 0) return false;
        add_up_values();
        add_up_weights();
        return true;
    }

 private:
    static constexpr int kW = kE + 2;
    /// body(row of the halo box, middle one of the three blocks it crosses, entry of its first face there).
    template <class F>
    static void for_rows(F&& body) {
        for (int k = 0; k < kW; ++k)
            for (int j = 0; j < kW; ++j) {
                const int dy = (j + kE - 1) / kE - 1, dz = (k + kE - 1) / kE - 1;
                body(kW * k + j, std::size_t(neighbour_slot(0, dy, dz)),
                     cell_in_block(0, j - 1 - kE * dy, k - 1 - kE * dz));
            }
    }
    /// Weights 1, 2, 1 along each axis: 4 across a face, 2 across an edge, 1 across a corner of the cell.
    void add_up_values() {
        const auto three = [](Lanes low, Lanes middle, Lanes high) { return (low + high) + 2 * middle; };
        Lanes along_x[kW * kW], along_y[kW * kE];
        for_rows([&](int r, std::size_t block, int row) {
            const std::uint64_t flags = flags_[r];
            // The four flags in the middle as the bits of a number.
            const std::size_t bits = (flags >> 8 & 0x01010101) * 0x01020408 >> 24 & 15;
            const Lanes middle = kLanesOf[bits] ? load_lanes(value_[block] + row) : Lanes{};
            const Lanes low{flags & 1 ? value_[block - 1][row + kE - 1] : 0, 0, 0, 0};
            const Lanes high{flags >> 40 & 1 ? value_[block + 1][row] : 0, 0, 0, 0};
            along_x[r] = three(__builtin_shufflevector(low, middle, 0, 4, 5, 6), middle,
                               __builtin_shufflevector(middle, high, 1, 2, 3, 4));
        });
        for (int k = 0; k < kW; ++k)
            for (int j = 0; j < kE; ++j) {
                const Lanes* row = along_x + kW * k + j;
                along_y[kE * k + j] = three(row[0], row[1], row[2]);
            }
        for (int r = 0; r < kE * kE; ++r)
            store_lanes(sum + kE * r, three(along_y[r], along_y[r + kE], along_y[r + 2 * kE]));
    }
    /// The same of the flags, eight bytes at a time: at most 64 in each.
    void add_up_weights() {
        const auto three = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) { return a + 2 * b + c; };
        std::uint64_t along_y[kW * kE];
        for (std::uint64_t& row : flags_) row = three(row << 8, row, row >> 8);
        for (int k = 0; k < kW; ++k)
            for (int j = 0; j < kE; ++j) {
                const std::uint64_t* row = flags_ + kW * k + j;
                along_y[kE * k + j] = three(row[0], row[1], row[2]);
            }
        for (int r = 0; r < kE * kE; ++r) {
            const std::uint64_t row = three(along_y[r], along_y[r + kE], along_y[r + 2 * kE]) >> 8;
            std::memcpy(total + kE * r, &row, kE);
        }
    }

    const double* value_[27];
    const std::uint8_t* known_[27];
    std::uint64_t flags_[kW * kW];  // a byte for each face of a row: 1 where known
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
            LayerSums around;
            grows_[b] = around.find(topology, u.data(), known.data(), b);
            if (!grows_[b]) return;
            const std::uint8_t* was_known = known.data() + b * kBlockCells;
            const double* was = u.data() + b * kBlockCells;
            double* value = next_.data() + b * kBlockCells;
            std::uint8_t* is_known = next_known_.data() + b * kBlockCells;
            for (std::size_t i = 0; i < kBlockCells; ++i) {
                const double mean = around.sum[i] / std::max(1.0, double(around.total[i]));
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
