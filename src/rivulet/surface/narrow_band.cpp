#include <rivulet/surface/narrow_band.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <rivulet/base/parallel.h>

namespace rivulet::surface {
namespace {

constexpr std::size_t kRow = kBlock;
/// Distances below this have no sign to speak of; zero counts as outside.
constexpr float kTiny = 1e-6f;

std::size_t row_of(int x, int y) {
    return std::size_t(x * kBlock + y) * kRow;
}

struct Crossing {
    float c;
    /// 1 / t² where the line to this neighbour leaves the liquid or enters it at t voxels; 0 if neither.
    float toward(float n) const {
        const float t = std::max(c / (c - n + (c * n < 0 ? 0.0f : 1e30f)), 1e-4f);
        return c * n < 0 ? 1 / (t * t) : 0.0f;
    }
};

/// Upwind solution of |grad u| = 1 from the smallest distance on each axis.
float eikonal(float x, float y, float z) {
    const float a = std::min(std::min(x, y), z), c = std::max(std::max(x, y), z);
    const float b = std::max(std::min(x, y), std::min(std::max(x, y), z));
    const float one = a + 1;
    const float two = 0.5f * (a + b + std::sqrt(std::max(2 - (a - b) * (a - b), 0.0f)));
    const float s = a + b + c, q = a * a + b * b + c * c;
    const float three = (s + std::sqrt(std::max(s * s - 3 * (q - 1), 0.0f))) * (1.0f / 3);
    return one <= b ? one : two <= c ? two : three;
}

std::vector<float> box_taps(int width) {
    std::vector<float> taps{1};
    for (int pass = 0; pass < 4; ++pass) {
        std::vector<float> wider(taps.size() + 2 * std::size_t(width));
        for (std::size_t i = 0; i < taps.size(); ++i)
            for (std::size_t k = 0; k <= 2 * std::size_t(width); ++k)
                wider[i + k] += taps[i] / float(2 * width + 1);
        taps = std::move(wider);
    }
    return taps;
}

}  // namespace

/// A block with one voxel more on each face; z runs from 3 to 12.
struct NarrowBand::Padded {
    alignas(32) float v[kBlock + 2][kBlock + 2][16];
};

NarrowBand::NarrowBand(std::vector<std::uint64_t> keys, const std::function<bool(std::uint64_t)>& is_deep)
    : keys_(std::move(keys)),
      neighbour_(keys_.size()),
      value_(keys_.size() * kVoxels),
      next_(value_.size()),
      flat_(keys_.size()) {
    parallel_for(keys_.size(), [&](std::size_t b) {
        const Vec3i c = BlockKey::unpack(keys_[b]);
        for (int n = 0; n < 6; ++n) {
            Vec3i o = c;
            o[n / 2] += n % 2 ? 1 : -1;
            const std::uint64_t key = BlockKey::pack(o.x, o.y, o.z);
            const auto it = std::lower_bound(keys_.begin(), keys_.end(), key);
            const bool there = it != keys_.end() && *it == key;
            neighbour_[b][std::size_t(n)] = there          ? int(it - keys_.begin())
                                            : is_deep(key) ? kInside
                                                           : kOutside;
        }
    });
}

void NarrowBand::gather(std::size_t b, Padded& p) const {
    const float* own = &value_[b * kVoxels];
    for (int x = 0; x < kBlock; ++x)
        for (int y = 0; y < kBlock; ++y)
            std::memcpy(&p.v[x + 1][y + 1][4], own + row_of(x, y), sizeof(float) * kRow);
    for (int n = 0; n < 6; ++n) {
        const int other = neighbour_[b][std::size_t(n)];
        const bool upper = n % 2 == 1;
        const int to = upper ? kBlock + 1 : 0, from = upper ? 0 : kBlock - 1;
        const float missing = other == kInside ? -far_ : far_;
        const float* o = other >= 0 ? &value_[std::size_t(other) * kVoxels] : nullptr;
        for (int i = 0; i < kBlock; ++i) {
            if (n / 2 == 2) {
                for (int j = 0; j < kBlock; ++j)
                    p.v[i + 1][j + 1][to + 3] = o ? o[row_of(i, j) + std::size_t(from)] : missing;
                continue;
            }
            float* row = n / 2 == 0 ? &p.v[to][i + 1][4] : &p.v[i + 1][to][4];
            if (o)
                std::memcpy(row, o + (n / 2 == 0 ? row_of(from, i) : row_of(i, from)), sizeof(float) * kRow);
            else
                std::fill(row, row + kRow, missing);
        }
    }
}

int NarrowBand::flat_of(int block) const {
    return block >= 0 ? flat_[std::size_t(block)] : block == kInside ? -1 : 1;
}

bool NarrowBand::stays_flat(std::size_t b) const {
    if (flat_[b] == 0) return false;
    return std::all_of(neighbour_[b].begin(), neighbour_[b].end(),
                       [&](int n) { return flat_of(n) == flat_[b]; });
}

void NarrowBand::find_flat(std::size_t b) {
    const float* v = &value_[b * kVoxels];
    const float first = v[0];
    bool same = std::abs(first) >= far_;
    for (std::size_t i = 1; same && i < kVoxels; ++i) same = v[i] == first;
    flat_[b] = same ? (first < 0 ? -1 : 1) : 0;
}

/// One simultaneous step of row(padded, x, y, out) over all blocks that may change.
template <class F>
void NarrowBand::sweep(F&& row) {
    parallel_for(size(), [&](std::size_t b) {
        float* out = &next_[b * kVoxels];
        if (stays_flat(b)) {
            std::fill(out, out + kVoxels, flat_[b] < 0 ? -far_ : far_);
            return;
        }
        Padded p;
        gather(b, p);
        for (int x = 0; x < kBlock; ++x)
            for (int y = 0; y < kBlock; ++y) row(p, x + 1, y + 1, out + row_of(x, y));
    });
    std::swap(value_, next_);
    parallel_for(size(), [&](std::size_t b) { find_flat(b); });
}

void NarrowBand::redistance(float far, int sweeps) {
    shift(0, far_);
    // NOTE: in the first sweep only signs and crossings matter, not how far the farthest was.
    far_ = far;
    sweep([&](const Padded& p, int x, int y, float* out) {
        for (std::size_t k = 0; k < kRow; ++k) {
            const Crossing at{p.v[x][y][k + 4]};
            const float x0 = p.v[x - 1][y][k + 4], x1 = p.v[x + 1][y][k + 4];
            const float y0 = p.v[x][y - 1][k + 4], y1 = p.v[x][y + 1][k + 4];
            const float z0 = p.v[x][y][k + 3], z1 = p.v[x][y][k + 5];
            const float sum = std::max(at.toward(x0), at.toward(x1)) +
                              std::max(at.toward(y0), at.toward(y1)) + std::max(at.toward(z0), at.toward(z1));
            const float slope2 =
                0.25f * ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0) + (z1 - z0) * (z1 - z0));
            const float by_crossings = 1 / std::sqrt(std::max(sum, 1e-12f));
            const float by_slope = std::abs(at.c) / std::sqrt(std::max(slope2, 1e-12f));
            const float distance = std::max(std::min(by_crossings, by_slope), kTiny);
            out[k] = std::copysign(sum > 0 ? distance : far, at.c);
        }
    });
    for (int n = 0; n < sweeps; ++n)
        sweep([&](const Padded& p, int x, int y, float* out) {
            for (std::size_t k = 0; k < kRow; ++k) {
                const float c = p.v[x][y][k + 4];
                const float x0 = p.v[x - 1][y][k + 4], x1 = p.v[x + 1][y][k + 4];
                const float y0 = p.v[x][y - 1][k + 4], y1 = p.v[x][y + 1][k + 4];
                const float z0 = p.v[x][y][k + 3], z1 = p.v[x][y][k + 5];
                const float u =
                    eikonal(std::min(std::abs(x0), std::abs(x1)), std::min(std::abs(y0), std::abs(y1)),
                            std::min(std::abs(z0), std::abs(z1)));
                const float lowest = std::min(std::min(std::min(c * x0, c * x1), std::min(c * y0, c * y1)),
                                              std::min(c * z0, c * z1));
                // Beside the surface the value stands.
                out[k] = lowest < 0 ? c : std::copysign(std::min(u, std::abs(c)), c);
            }
        });
}

void NarrowBand::shift(float offset, float most) {
    far_ = most;
    parallel_for(size(), [&](std::size_t b) {
        float* v = &value_[b * kVoxels];
        for (std::size_t i = 0; i < kVoxels; ++i) {
            const float moved = std::min(std::max(v[i] + offset, -most), most);
            v[i] = std::abs(moved) < kTiny ? kTiny : moved;
        }
        find_flat(b);
    });
}

void NarrowBand::smooth(int width) {
    const std::vector<float> taps = box_taps(std::clamp(width, 1, 2));
    for (int axis = 0; axis < 3; ++axis) smooth_along(axis, taps);
}

void NarrowBand::smooth_along(int axis, std::span<const float> taps) {
    const int reach = int(taps.size()) / 2;
    parallel_for(size(), [&](std::size_t b) {
        float* out = &next_[b * kVoxels];
        const int lower = neighbour_[b][std::size_t(2 * axis)],
                  upper = neighbour_[b][std::size_t(2 * axis + 1)];
        if (flat_[b] != 0 && flat_of(lower) == flat_[b] && flat_of(upper) == flat_[b]) {
            std::fill(out, out + kVoxels, flat_[b] < 0 ? -far_ : far_);
            return;
        }
        // Three blocks in line, the axis slowest, 64 voxels per layer.
        alignas(32) std::array<float, 3 * kVoxels> line;
        for (int part = 0; part < 3; ++part) {
            const int block = part == 0 ? lower : part == 1 ? int(b) : upper;
            float* to = &line[std::size_t(part) * kVoxels];
            if (block < 0) {
                std::fill(to, to + kVoxels, block == kInside ? -far_ : far_);
                continue;
            }
            const float* from = &value_[std::size_t(block) * kVoxels];
            for (std::size_t i = 0; i < 8; ++i)
                for (std::size_t j = 0; j < 8; ++j)
                    for (std::size_t k = 0; k < 8; ++k)
                        to[i * 64 + j * 8 + k] = from[axis == 0   ? i * 64 + j * 8 + k
                                                      : axis == 1 ? j * 64 + i * 8 + k
                                                                  : j * 64 + k * 8 + i];
        }
        for (int i = 0; i < kBlock; ++i) {
            alignas(32) std::array<float, 64> sum{};
            // NOTE: summing differences keeps a uniform stretch exactly as it is.
            const float* centre = &line[std::size_t(kBlock + i) * 64];
            for (int t = -reach; t <= reach; ++t) {
                const float* layer = &line[std::size_t(kBlock + i + t) * 64];
                const float w = taps[std::size_t(t + reach)];
                for (std::size_t j = 0; j < 64; ++j) sum[j] += w * (layer[j] - centre[j]);
            }
            for (std::size_t j = 0; j < 8; ++j)
                for (std::size_t k = 0; k < 8; ++k) {
                    const auto layer = std::size_t(i);
                    out[axis == 0   ? layer * 64 + j * 8 + k
                        : axis == 1 ? j * 64 + layer * 8 + k
                                    : j * 64 + k * 8 + layer] = centre[j * 8 + k] + sum[j * 8 + k];
                }
        }
    });
    std::swap(value_, next_);
    parallel_for(size(), [&](std::size_t b) { find_flat(b); });
}

}  // namespace rivulet::surface
