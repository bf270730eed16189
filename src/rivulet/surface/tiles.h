#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <rivulet/surface/field.h>

namespace rivulet::surface {

/// The averaged surface is moved by at most this many voxels to hold the volume.
inline constexpr float kMostLevel = 2;

/// How film and bulk join: dilation by `join`, smoothing, erosion by the same (dissertation 5.4, 15.4).
struct Joining {
    double join = 2;    // voxels
    int smoothing = 1;  // passes
    int width = 1;      // of a pass, voxels
    int dilation_sweeps() const;
    int erosion_sweeps() const;
    /// How many voxels around it a voxel's result depends on.
    int reach() const;
    float smoothed_band() const;  // half the width of what is smoothed
};

/// What is kept of a block in small numbers: distances in 1 / kScale voxels, sparseness in 1 / 255.
struct PackedBlock {
    static constexpr float kScale = 8192;
    std::array<std::int16_t, kVoxels> joined, kept;
    std::array<std::uint8_t, kVoxels> sparse;

    float at(std::size_t v, float level) const {
        const float moved = float(joined[v]) * (1 / kScale) - level * (float(sparse[v]) * (1.0f / 255));
        return std::min(moved, float(kept[v]) * (1 / kScale));
    }
};

/// The volume of the union of joined and kept parts when the joined surface moves outwards by a level.
class VolumeCurve {
 public:
    static constexpr int kLevels = 33;
    void add(const PackedBlock& block);
    void add_inside(std::size_t voxels);
    void add(const VolumeCurve& other);
    double volume(int level) const { return double(sum_[std::size_t(level)]) / kUnit; }
    /// The level in [-kMostLevel, kMostLevel] at which the volume is this; voxels.
    double level_for(double volume) const;
    static float level(int k) { return kMostLevel * (2 * float(k) / (kLevels - 1) - 1); }

 private:
    // NOTE: whole numbers add up the same in any order, so the curve does not depend on tiles.
    static constexpr double kUnit = 1 << 20;
    std::array<std::int64_t, kLevels> sum_{};
};

/// The joined distance on all blocks near the surface.
struct JoinedField {
    Layout layout;
    std::vector<const PackedBlock*> block;  // per near block; null: uniform
    std::vector<char> inside;               // per near block without values
    VolumeCurve curve;
    std::size_t tiles = 0;

    struct Place {
        const PackedBlock* block;
        bool inside;
    };
    Place find(const Vec3i& coordinate) const;

    std::vector<std::vector<PackedBlock>> storage;
};

/// Evaluates and joins tile by tile, each with a margin of blocks around it, at most about `tile_blocks` at
/// once. The result has the same bits for any tiling.
JoinedField join_in_tiles(const Liquid& liquid, Layout layout, const Joining& joining,
                          std::size_t tile_blocks, const std::function<void(double)>& progress);

}  // namespace rivulet::surface
