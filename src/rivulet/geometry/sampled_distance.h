#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/sample_plan.h>

namespace rivulet::geometry {

/// The distance to a mesh sampled once in its rest frame: exact samples every `spacing` in blocks around the
/// surface (trilinear in between), every 4, 16, ... spacings beyond, and the exact distance outside the
/// sampled box (half the size of the mesh around it). Walls thinner than about two spacings are not resolved.
/// Cells of s are no nearer to the surface than s (the finest ones excepted), those above 4 spacings no
/// nearer than 2 s, so that the distance is at most a quarter too large beyond the band, an eighth far away.
class SampledDistance final : public DistanceField {
 public:
    /// `spacing` is enlarged when the mesh would need more blocks than SamplePlan::kMostBlocks.
    SampledDistance(std::shared_ptr<const MeshDistance> exact, double spacing);
    SampledDistance(std::shared_ptr<const MeshDistance> exact, const SamplePlan& plan);

    double distance(const Vec3d& p) const override;
    DistanceSample sample(const Vec3d& p) const override;
    Bounds bounds() const override { return exact_->bounds(); }
    TriangleMesh surface(const Fineness&) const override { return exact_->mesh(); }
    double thinnest() const override { return exact_->thinnest(); }

    double spacing() const { return plan_.spacing; }
    const MeshDistance& exact() const { return *exact_; }
    std::size_t block_count() const { return fine_.size(); }
    std::size_t bytes() const;

 private:
    static constexpr int kBlock = SamplePlan::kBlock, kSide = kBlock + 1;
    using Block = std::array<float, kSide * kSide * kSide>;
    /// A block with finer ones in some of its cells: their numbers among those of the next level; -1: none.
    struct InnerBlock {
        Block value;
        std::array<std::int32_t, kBlock * kBlock * kBlock> finer;
    };
    struct Cell {
        std::array<double, 8> corner;
        Vec3d fraction;
        double size;
    };
    /// A block to be: its lowest corner in spacings, and the distance there.
    struct Place {
        Vec3i corner;
        double distance;
    };

    void sample_top();
    std::vector<Place> divide_top();
    std::vector<Place> divide(std::size_t first_block, const std::vector<Place>& places, int stride);
    Block sample_block(const Place& place, int stride) const;
    Vec3d lattice_point(const Vec3i& fine) const { return plan_.origin + to_double(fine) * plan_.spacing; }
    std::size_t top_index(const Vec3i& i) const {
        return static_cast<std::size_t>(i.x) +
               static_cast<std::size_t>(points_.x) *
                   (static_cast<std::size_t>(i.y) +
                    static_cast<std::size_t>(points_.y) * static_cast<std::size_t>(i.z));
    }
    static std::size_t block_index(const Vec3i& i) {
        return static_cast<std::size_t>(i.x + kSide * (i.y + kSide * i.z));
    }
    static std::size_t cell_index(const Vec3i& i) {
        return static_cast<std::size_t>(i.x + kBlock * (i.y + kBlock * i.z));
    }
    bool find_cell(const Vec3d& p, Cell& cell) const;
    static void take(const Block& block, const Vec3i& i, Cell& cell);

    std::shared_ptr<const MeshDistance> exact_;
    SamplePlan plan_;
    Vec3i points_;                         // of the coarsest lattice along each axis
    std::vector<float> top_;               // its samples
    std::vector<std::int32_t> top_finer_;  // as InnerBlock::finer, of the cell with this lowest corner
    std::vector<InnerBlock> inner_;        // of all levels but the finest
    std::vector<Block> fine_;
};

}  // namespace rivulet::geometry
