#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rivulet/surface/field.h>

namespace rivulet::surface {

/// A signed distance on a set of blocks, voxel units, negative inside. Every operation looks at a fixed
/// number of voxels around each one, so a block's result does not depend on what lies farther away: this is
/// what lets a surface be made in tiles without seams. Blocks that are not there are uniform.
class NarrowBand {
 public:
    /// `keys` sorted; `is_deep` tells blocks that are not in the list and inside.
    NarrowBand(std::vector<std::uint64_t> keys, const std::function<bool(std::uint64_t)>& is_deep);

    std::size_t size() const { return keys_.size(); }
    std::uint64_t key(std::size_t b) const { return keys_[b]; }
    std::span<float> block(std::size_t b) { return std::span(value_).subspan(b * kVoxels, kVoxels); }

    /// Makes the values distances to where they change sign, up to `far` (not below the farthest now). Next
    /// to the surface by the crossings along the axes, then outwards and inwards by `sweeps` simultaneous
    /// upwind steps of |grad u| = 1. Looks 1 + sweeps voxels far. Exact for a plane.
    void redistance(float far, int sweeps);
    /// Adds `offset`, then cuts at plus and minus `most`.
    void shift(float offset, float most);
    /// Four box filters of radius `width` (at most 2) along each axis, close to a Gaussian. Looks 4 width
    /// voxels far.
    void smooth(int width);

 private:
    static constexpr int kOutside = -1, kInside = -2;
    std::vector<std::uint64_t> keys_;
    std::vector<std::array<int, 6>> neighbour_;  // -x, +x, -y, +y, -z, +z
    std::vector<float> value_, next_;
    std::vector<signed char> flat_;  // sign of a block whose values are all the farthest; or 0
    float far_ = kBand;

    struct Padded;
    void gather(std::size_t b, Padded& p) const;
    int flat_of(int block) const;
    bool stays_flat(std::size_t b) const;
    void find_flat(std::size_t b);
    template <class F>
    void sweep(F&& row);
    void smooth_along(int axis, std::span<const float> taps);
};

}  // namespace rivulet::surface
