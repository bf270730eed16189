#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/root_sampling.h>

namespace rivulet::strand {
namespace {

/// Points in cubic cells, sorted by cell: neighbours within one cell size.
class CellGrid {
 public:
    CellGrid(const std::vector<Vec3d>& points, double cell) : points_(points), cell_(cell) {
        sorted_.resize(points.size());
        for (std::uint32_t i = 0; i < points.size(); ++i) sorted_[i] = {cell_of(points[i]), i};
        std::sort(sorted_.begin(), sorted_.end());
    }

    /// visit(j, distance) for every other point within the cell size of point i, in a fixed order.
    template <class F>
    void neighbours(std::uint32_t i, F&& visit) const {
        const auto [x, y, z] = cell_of(points_[i]);
        for (std::int64_t dx = -1; dx <= 1; ++dx)
            for (std::int64_t dy = -1; dy <= 1; ++dy) {
                // Cells z-1 .. z+1 lie next to each other in the sorted list.
                const Entry from{{x + dx, y + dy, z - 1}, 0};
                for (auto it = std::lower_bound(sorted_.begin(), sorted_.end(), from);
                     it != sorted_.end() && it->cell[0] == x + dx && it->cell[1] == y + dy &&
                     it->cell[2] <= z + 1;
                     ++it) {
                    if (it->point == i) continue;
                    const double d = length(points_[it->point] - points_[i]);
                    if (d < cell_) visit(it->point, d);
                }
            }
    }

 private:
    using Cell = std::array<std::int64_t, 3>;
    struct Entry {
        Cell cell;
        std::uint32_t point;
        bool operator<(const Entry& o) const { return cell != o.cell ? cell < o.cell : point < o.point; }
    };
    Cell cell_of(const Vec3d& p) const {
        const auto index = [&](double v) { return static_cast<std::int64_t>(std::floor(v / cell_)); };
        return {index(p.x), index(p.y), index(p.z)};
    }

    const std::vector<Vec3d>& points_;
    double cell_;
    std::vector<Entry> sorted_;
};

}  // namespace

std::vector<std::uint32_t> eliminate_samples(const std::vector<Vec3d>& points, std::size_t wanted,
                                             double area) {
    const std::size_t count = points.size();
    std::vector<std::uint32_t> kept;
    if (wanted >= count || !(area > 0)) {
        for (std::uint32_t i = 0; i < std::min(wanted, count); ++i) kept.push_back(i);
        return kept;
    }
    if (wanted == 0) return kept;
    // Radius of the densest packing of `wanted` discs; weight and clamp of Yuksel 2015, §3 (alpha 8, beta
    // 0.65, gamma 1.5).
    const double r_max = std::sqrt(area / (2 * std::numbers::sqrt3 * static_cast<double>(wanted)));
    const double share = static_cast<double>(wanted) / static_cast<double>(count);
    const double r_min = r_max * (1 - std::pow(share, 1.5)) * 0.65;
    const auto weight_of = [&](double d) {
        const double x = 1 - std::max(d, 2 * r_min) / (2 * r_max), x2 = x * x, x4 = x2 * x2;
        return x > 0 ? x4 * x4 : 0;
    };
    const CellGrid grid(points, 2 * r_max);
    std::vector<double> weight(count, 0);
    parallel_for(count, [&](std::size_t i) {
        grid.neighbours(static_cast<std::uint32_t>(i),
                        [&](std::uint32_t, double d) { weight[i] += weight_of(d); });
    });
    // Heaviest first, then the highest index. Weights only fall, so a stale entry is put back when met.
    std::priority_queue<std::pair<double, std::uint32_t>> heap;
    for (std::uint32_t i = 0; i < count; ++i) heap.push({weight[i], i});
    std::vector<char> gone(count, 0);
    for (std::size_t left = count; left > wanted;) {
        const auto [w, i] = heap.top();
        heap.pop();
        if (w != weight[i]) {
            heap.push({weight[i], i});
            continue;
        }
        gone[i] = 1;
        --left;
        grid.neighbours(i, [&](std::uint32_t j, double d) {
            if (!gone[j]) weight[j] = std::max(0.0, weight[j] - weight_of(d));
        });
    }
    for (std::uint32_t i = 0; i < count; ++i)
        if (!gone[i]) kept.push_back(i);
    return kept;
}

}  // namespace rivulet::strand
