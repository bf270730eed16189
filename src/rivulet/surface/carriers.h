#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/surface/point_bins.h>

namespace rivulet::surface {

/// Points with a velocity and a liquid, in voxel units: what vertices of the surface take theirs from.
class Carriers {
 public:
    explicit Carriers(std::size_t liquids) : row_(liquids > 1 ? liquids : 0) {}

    /// Numbers in a row of shares: one per liquid, none where there is a single one.
    std::size_t row() const { return row_; }

    /// Of one liquid, or of several: a number for each. Points beyond the keys of blocks are left out.
    void add(const Vec3d& at, const Vec3d& velocity, double weight, std::size_t liquid);
    void add(const Vec3d& at, const Vec3d& velocity, double weight, std::span<const float> share);
    /// After the last.
    void sort();

    /// Kernel averages of what moves nearby at points of one block, and rows of shares that sum to 1. Where
    /// nothing is near, a point stands still and is of the commonest liquid.
    void at(const Vec3i& block, std::span<const Vec3f> points, std::span<Vec3f> velocity,
            std::span<float> shares) const;

 private:
    struct Near;
    Near near(const Vec3i& block) const;
    bool push(const Vec3d& at, const Vec3d& velocity, double weight);

    std::size_t row_;
    std::vector<Vec3d> position_, velocity_;
    std::vector<float> weight_;
    std::vector<float> share_;   // a row per point
    std::size_t commonest_ = 0;  // liquid
    BlockLists lists_;
};

}  // namespace rivulet::surface
