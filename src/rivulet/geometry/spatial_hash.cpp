#include <tbb/parallel_sort.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <rivulet/base/parallel.h>
#include <rivulet/geometry/spatial_hash.h>

namespace rivulet::geometry {

Vec3i SpatialHash::cell_of(const Vec3d& x) const {
    Vec3i c;
    for (int a = 0; a < 3; ++a)
        c[a] = static_cast<int>(std::clamp(std::floor(x[a] / cell_), double(-kReach), double(kReach)));
    return c;
}

void SpatialHash::build(std::span<const Vec3d> points, double cell) {
    if (!(cell > 0) || !std::isfinite(cell))
        throw std::invalid_argument("spatial hash: the cell size must be > 0");
    cell_ = cell;
    const double most = parallel_max(points.size(), 0, [&](std::size_t i) {
        const Vec3d& p = points[i];
        return is_finite(p) ? std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)})
                            : std::numeric_limits<double>::infinity();
    });
    if (!(most < 1e6 * cell))
        throw std::invalid_argument("spatial hash: a point is too far away for this cell size");
    scratch_.resize(points.size());
    parallel_for(points.size(), [&](std::size_t i) {
        scratch_[i] = {key(cell_of(points[i])), static_cast<std::uint32_t>(i)};
    });
    // Pairs differ in their point number, so that an unstable sort has one result.
    tbb::parallel_sort(scratch_.begin(), scratch_.end());
    index_.resize(points.size());
    position_.resize(points.size());
    parallel_for(points.size(), [&](std::size_t i) {
        index_[i] = scratch_[i].second;
        position_[i] = points[scratch_[i].second];
    });
    keys_.clear();
    begin_.clear();
    for (std::size_t i = 0; i < scratch_.size(); ++i)
        if (i == 0 || scratch_[i].first != scratch_[i - 1].first) {
            keys_.push_back(scratch_[i].first);
            begin_.push_back(static_cast<std::uint32_t>(i));
        }
    begin_.push_back(static_cast<std::uint32_t>(points.size()));
}

std::size_t SpatialHash::first_at_or_after(std::uint64_t wanted) const {
    const auto where = std::lower_bound(keys_.begin(), keys_.end(), wanted);
    return begin_[static_cast<std::size_t>(where - keys_.begin())];
}

std::int64_t SpatialHash::nearest(const Vec3d& x, double radius) const {
    std::int64_t best = -1;
    double least = 0;
    within(x, radius, [&](std::uint32_t i, double d2) {
        if (best < 0 || d2 < least || (d2 == least && i < best)) best = i, least = d2;
    });
    return best;
}

}  // namespace rivulet::geometry
