#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <rivulet/surface/point_bins.h>

namespace rivulet::surface {

/// Distances are in voxels, negative in liquid, and cut at this.
inline constexpr float kBand = 3;

struct Ball {
    Vec3d centre;       // voxels
    float radius;       // voxels
    float volume;       // voxels^3
    float core;         // voxels: the part that no smoothing may take away
    bool lone = false;  // too small for the grid and by itself: meshed as a sphere of its own
};

/// A stretch of film: a cone with round ends.
struct Tube {
    Vec3d a, b;                // voxels
    float radius_a, radius_b;  // voxels
};

/// What liquid there is, in voxel units.
struct Liquid {
    std::vector<Ball> balls;
    std::vector<Tube> tubes;
    BlockLists ball_lists, tube_lists;
    int reach = 1;  // blocks to search for balls around a block
};

inline constexpr std::size_t kVoxels = kBlock * kBlock * kBlock;

/// Distances at the voxels of a block (x slowest): `averaged` is the smooth surface of particles with tubes,
/// `kept` the tubes and drop cores that stay as they are, `sparse` is 1 where particles stand far apart and
/// small inside and on a full body of liquid.
struct FieldBlock {
    alignas(32) std::array<float, kVoxels> averaged, kept, sparse;
};

/// Weight of a particle at squared distance q = (d / support)^2.
inline float kernel(float q) {
    const float t = 1 - q;
    return q < 1 ? t * t * t : 0.0f;
}
/// Support of a particle's kernel over its radius: about two particle spacings.
inline constexpr float kSupport = 3.2f;

/// Sorts balls and tubes into blocks and finds how far each ball stands apart from others (its core).
void prepare(Liquid& liquid);

/// Blocks that the band of the surface can touch, and those deep inside. Both sorted.
struct Layout {
    std::vector<std::uint64_t> near, deep;
};
Layout find_blocks(const Liquid& liquid);

void evaluate(const Liquid& liquid, const Vec3i& block, FieldBlock& field);

}  // namespace rivulet::surface
