#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::geometry {

/// Points sorted into cells of a given size, for neighbour queries within up to one cell size (larger radii
/// work, slower). The order of visits depends on the points only, never on threads. Rebuilding reuses memory.
class SpatialHash {
 public:
    SpatialHash() = default;
    SpatialHash(std::span<const Vec3d> points, double cell) { build(points, cell); }

    /// Throws std::invalid_argument for a cell size that is not positive, points that are not finite, or
    /// points more than a million cells from the origin.
    void build(std::span<const Vec3d> points, double cell);

    std::size_t size() const { return index_.size(); }
    double cell() const { return cell_; }

    /// Calls visit(index, squared_distance) for every point within `radius` of x (inclusive).
    template <class Visit>
    void within(const Vec3d& x, double radius, Visit&& visit) const {
        if (index_.empty() || !is_finite(x)) return;
        const Vec3i low = cell_of(x - Vec3d{radius, radius, radius}),
                    high = cell_of(x + Vec3d{radius, radius, radius});
        const double most = radius * radius;
        for (int k = low.z; k <= high.z; ++k)
            for (int j = low.y; j <= high.y; ++j) {
                // Cells of a row along x have consecutive keys.
                const std::size_t end = first_at_or_after(key({high.x, j, k}) + 1);
                for (std::size_t i = first_at_or_after(key({low.x, j, k})); i < end; ++i) {
                    const double d2 = squared_length(position_[i] - x);
                    if (d2 <= most) visit(index_[i], d2);
                }
            }
    }
    /// Index of the nearest point within `radius`, -1: none. The lowest index wins a tie.
    std::int64_t nearest(const Vec3d& x, double radius) const;
    /// Calls visit(i, j, squared_distance) with i < j once for every pair within `radius`.
    template <class Visit>
    void pairs(double radius, Visit&& visit) const {
        for (std::size_t a = 0; a < index_.size(); ++a)
            within(position_[a], radius, [&](std::uint32_t j, double d2) {
                if (index_[a] < j) visit(index_[a], j, d2);
            });
    }

 private:
    static constexpr int kReach = 1 << 20;
    Vec3i cell_of(const Vec3d& x) const;
    static std::uint64_t key(const Vec3i& c) {
        const auto part = [](int v) { return static_cast<std::uint64_t>(v + kReach); };
        return part(c.z) << 44 | part(c.y) << 22 | part(c.x);
    }
    std::size_t first_at_or_after(std::uint64_t wanted) const;

    double cell_ = 1;
    std::vector<std::uint64_t> keys_;   // sorted, one per occupied cell
    std::vector<std::uint32_t> begin_;  // of each occupied cell, and the end
    std::vector<std::uint32_t> index_;  // point numbers, by cell, ascending within a cell
    std::vector<Vec3d> position_;       // in the order of index_
    std::vector<std::pair<std::uint64_t, std::uint32_t>> scratch_;
};

}  // namespace rivulet::geometry
