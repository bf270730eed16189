#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::viewer {

struct Box {
    Vec3d low{0, 0, 0}, high{0, 0, 0};
};

/// Smallest box around finite points; the origin when there are none.
Box box_around(const std::vector<Vec3f>& points);

/// Positions as 16-bit steps of a box; wrong by at most half a step: (high - low) / 65535 / 2 per axis.
std::vector<std::array<std::uint16_t, 3>> quantise(const std::vector<Vec3f>& points, const Box& box);

/// One number per point in 8 bits: value = low + (high - low) * code / 255, wrong by at most half a code.
struct Channel {
    std::string name, unit;
    double low = 0, high = 0;
    std::vector<std::uint8_t> codes;
};

/// `high` is the 99.8th percentile, so that a few outliers do not take all the codes: larger values read as
/// `high`, those that are not finite as `low`.
Channel quantise(std::string name, std::string unit, const std::vector<float>& values);

/// The `most` entries of `keys` whose scrambled keys are smallest (all when there are not more), in the order
/// of the scrambled keys: any beginning of the list is again such a subset, for drawing less while the camera
/// moves. What is chosen stays chosen when keys go away, so a preview does not flicker.
std::vector<std::size_t> stable_subset(const std::vector<std::uint64_t>& keys, std::size_t most);

}  // namespace rivulet::viewer
