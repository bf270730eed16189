#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <rivulet/geometry/mesh_distance.h>

namespace rivulet::geometry {

/// The distance to a mesh sampled once in its rest frame: exact samples every `spacing` in blocks around the
/// surface (trilinear in between), every 4 spacings beyond, and the exact distance outside the sampled box
/// (half the size of the mesh around it). Walls thinner than about two spacings are not resolved.
class SampledDistance final : public DistanceField {
 public:
    static constexpr int kBlock = 4;    // cells of a block along an axis
    static constexpr double kBand = 4;  // spacings from the surface that blocks cover at least
    static constexpr std::int64_t kMostCoarse = std::int64_t{1} << 25;  // coarse samples; bounds memory

    /// `spacing` is enlarged when the box would need more coarse samples than kMostCoarse.
    SampledDistance(std::shared_ptr<const MeshDistance> exact, double spacing);

    double distance(const Vec3d& p) const override;
    DistanceSample sample(const Vec3d& p) const override;
    Bounds bounds() const override { return exact_->bounds(); }
    TriangleMesh surface(const Fineness&) const override { return exact_->mesh(); }

    double spacing() const { return spacing_; }
    const MeshDistance& exact() const { return *exact_; }
    std::size_t block_count() const { return samples_.size(); }
    std::size_t bytes() const;

 private:
    static constexpr int kSide = kBlock + 1;
    using Block = std::array<float, kSide * kSide * kSide>;
    struct Cell {
        std::array<double, 8> corner;
        Vec3d fraction;
        double size;
    };

    void choose_lattice(double spacing);
    void sample_coarse();
    void sample_blocks();
    Vec3d lattice_point(const Vec3i& fine) const { return origin_ + to_double(fine) * spacing_; }
    std::size_t coarse_index(int i, int j, int k) const {
        return static_cast<std::size_t>(i) +
               static_cast<std::size_t>(points_.x) *
                   (static_cast<std::size_t>(j) +
                    static_cast<std::size_t>(points_.y) * static_cast<std::size_t>(k));
    }
    bool find_cell(const Vec3d& p, Cell& cell) const;

    std::shared_ptr<const MeshDistance> exact_;
    double spacing_ = 0;
    Vec3d origin_;
    Vec3i points_;                     // coarse samples along each axis
    std::vector<float> coarse_;        // at block corners
    std::vector<std::int32_t> block_;  // of the coarse cell with this lowest corner; -1: none
    std::vector<Block> samples_;
};

}  // namespace rivulet::geometry
