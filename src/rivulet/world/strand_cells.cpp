#include <rivulet/world/strand_cells.h>

#include <algorithm>
#include <cmath>

namespace rivulet::world {
namespace {

constexpr double kCoarse = 4;  // cells of the grid along a coarse one
/// A box of more coarse cells than this along an axis has lost its strand: only its ends are looked at.
constexpr std::int64_t kMostCells = 64;

std::int64_t place(double x, double inverse) {
    constexpr double kFarthest = 1 << 20;
    return static_cast<std::int64_t>(std::floor(std::clamp(x * inverse, -kFarthest + 1, kFarthest - 2)));
}
std::uint64_t key(std::int64_t i, std::int64_t j, std::int64_t k) {
    constexpr std::int64_t kHalf = 1 << 20;
    return (std::uint64_t(i + kHalf) << 42) | (std::uint64_t(j + kHalf) << 21) | std::uint64_t(k + kHalf);
}

}  // namespace

template <class F>
void StrandCells::for_keys(const geometry::Bounds& box, F&& visit) const {
    const auto first = [&](int a) { return place(box.min[a], inverse_); };
    const auto last = [&](int a) { return std::min(place(box.max[a], inverse_), first(a) + kMostCells); };
    for (std::int64_t i = first(0); i <= last(0); ++i)
        for (std::int64_t j = first(1); j <= last(1); ++j)
            for (std::int64_t k = first(2); k <= last(2); ++k) visit(key(i, j, k));
}

void StrandCells::find(const strand::StrandState& strands, double cell, double reach, double longest) {
    keys_.clear();
    inverse_ = 1 / (kCoarse * cell);
    for (std::size_t s = 0; s < strands.strand_count(); ++s)
        for (std::size_t v = strands.begin(s); v + 1 < strands.end(s); ++v) {
            geometry::Bounds box;
            double fastest = 0;
            for (const std::size_t end : {v, v + 1}) {
                box.include(strands.position[end]);
                fastest = std::max(fastest, length(strands.velocity[end]));
            }
            const double wide = reach + fastest * longest;
            const Vec3d more{wide, wide, wide};
            box.include(box.min - more);
            box.include(box.max + more);
            for_keys(box, [&](std::uint64_t k) { keys_.push_back(k); });
        }
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

bool StrandCells::near(const geometry::Bounds& box) const {
    if (keys_.empty()) return false;
    bool found = false;
    for_keys(box,
             [&](std::uint64_t k) { found = found || std::binary_search(keys_.begin(), keys_.end(), k); });
    return found;
}

}  // namespace rivulet::world
