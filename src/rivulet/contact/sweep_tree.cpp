#include <algorithm>
#include <cassert>
#include <limits>

#include <rivulet/base/parallel.h>
#include <rivulet/contact/sweep_tree.h>

namespace rivulet::contact {
namespace {

using geometry::Bounds;

constexpr int kBitsPerAxis = 16;
constexpr std::size_t kGrain = 2048;

/// The bits of v, two zeros after each.
std::uint64_t spread(std::uint64_t v) {
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

double extent(const Bounds& b) {
    const Vec3d d = b.size();
    return std::max({d.x, d.y, d.z});
}

struct Measure {
    Bounds centres;
    double extents = 0;
};
Measure joined(Measure a, const Measure& b) {
    a.centres.include(b.centres);
    a.extents += b.extents;
    return a;
}

/// Key of a box: a class of size first, so that one huge box does not swell the boxes above small ones, then
/// the place of its centre on the curve.
struct KeyMaker {
    Vec3d from, scale;
    double usual;  // largest extent of class 0 [m]

    std::uint64_t operator()(const Bounds& b) const {
        const Vec3d c = b.centre() - from;
        std::uint64_t key = 0;
        for (int a = 0; a < 3; ++a) {
            const double cell = std::clamp(c[a] * scale[a], 0.0, double((1 << kBitsPerAxis) - 1));
            key |= spread(static_cast<std::uint64_t>(cell)) << a;
        }
        std::uint64_t size = 0;
        for (double e = extent(b); e > usual && size < 15; e *= 0.25) ++size;
        return key | size << (3 * kBitsPerAxis);
    }
};

float rounded_down(double x) {
    const auto f = static_cast<float>(x);
    return double(f) <= x ? f : std::nextafter(f, -std::numeric_limits<float>::infinity());
}
float rounded_up(double x) {
    const auto f = static_cast<float>(x);
    return double(f) >= x ? f : std::nextafter(f, std::numeric_limits<float>::infinity());
}

}  // namespace

void SweepTree::sort(std::span<const Bounds> boxes) {
    const Measure all = ordered_reduce(
        boxes.size(), kGrain, Measure{},
        [&](std::size_t begin, std::size_t end) {
            Measure m;
            for (std::size_t i = begin; i < end; ++i)
                m.centres.include(boxes[i].centre()), m.extents += extent(boxes[i]);
            return m;
        },
        joined);
    assert(boxes.empty() || all.centres.is_finite());
    KeyMaker key{all.centres.min, {}, 4 * all.extents / std::max(1.0, double(boxes.size()))};
    // One scale for all axes keeps cells cubes.
    const double widest = boxes.empty() ? 0 : extent(all.centres);
    const double scale = widest > 0 ? (1 << kBitsPerAxis) / widest : 0;
    key.scale = {scale, scale, scale};
    keyed_.resize(boxes.size()), swapped_.resize(boxes.size());
    parallel_chunks(boxes.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) keyed_[i] = {key(boxes[i]), static_cast<std::uint32_t>(i)};
    });
    // Digits from the last to the first, each stable: ties stay in the order of box numbers.
    constexpr int kDigit = 11;
    for (int shift = 0; shift < 3 * kBitsPerAxis + 4; shift += kDigit) {
        std::array<std::uint32_t, 1 << kDigit> begin{};
        for (const Keyed& k : keyed_) ++begin[(k.key >> shift) & ((1 << kDigit) - 1)];
        std::uint32_t sum = 0;
        for (std::uint32_t& b : begin) sum += std::exchange(b, sum);
        for (const Keyed& k : keyed_) swapped_[begin[(k.key >> shift) & ((1 << kDigit) - 1)]++] = k;
        keyed_.swap(swapped_);
    }
    order_.resize(boxes.size());
    parallel_for(boxes.size(), [&](std::size_t i) { order_[i] = keyed_[i].index; });
}

void SweepTree::build(std::span<const Bounds> boxes) {
    assert(boxes.size() < std::numeric_limits<std::uint32_t>::max());
    sort(boxes);
    if (floors_.empty()) floors_.emplace_back();
    floors_[0].resize((boxes.size() + kWidth - 1) / kWidth);
    parallel_chunks(floors_[0].size(), kGrain / kWidth, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t g = begin; g < end; ++g)
            for (std::size_t lane = 0; lane < kWidth; ++lane) {
                const std::size_t p = g * kWidth + lane;
                const Bounds box = p < boxes.size() ? boxes[order_[p]] : Bounds{};
                for (int a = 0; a < 3; ++a) {
                    floors_[0][g].low[a][lane] = rounded_down(box.min[a]);
                    floors_[0][g].high[a][lane] = rounded_up(box.max[a]);
                }
            }
    });
    raise_floors();
}

void SweepTree::raise_floors() {
    std::size_t floor = 0;
    while (floors_[floor].size() > 1) {
        const std::size_t below = floors_[floor].size();
        if (floors_.size() == floor + 1) floors_.emplace_back();
        const std::vector<Block>& from = floors_[floor];
        std::vector<Block>& to = floors_[++floor];
        to.resize((below + kWidth - 1) / kWidth);
        parallel_for(to.size(), [&](std::size_t b) {
            for (std::size_t lane = 0; lane < kWidth; ++lane) {
                const std::size_t child = b * kWidth + lane;
                for (int a = 0; a < 3; ++a) {
                    float low = std::numeric_limits<float>::infinity(), high = -low;
                    for (std::size_t i = 0; child < below && i < kWidth; ++i) {
                        low = std::min(low, from[child].low[a][i]);
                        high = std::max(high, from[child].high[a][i]);
                    }
                    to[b].low[a][lane] = low, to[b].high[a][lane] = high;
                }
            }
        });
    }
    floors_.resize(floor + 1);
}

std::size_t SweepTree::memory() const {
    std::size_t bytes =
        order_.capacity() * sizeof(std::uint32_t) + (keyed_.capacity() + swapped_.capacity()) * sizeof(Keyed);
    for (const auto& floor : floors_) bytes += floor.capacity() * sizeof(Block);
    return bytes;
}

}  // namespace rivulet::contact
