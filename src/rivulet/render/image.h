#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::render {

/// Rows from the top, linear light.
struct Image {
    int width = 0, height = 0;
    std::vector<Vec3f> pixel;

    Image() = default;
    Image(int w, int h) : width(w), height(h), pixel(std::size_t(w) * std::size_t(h)) {}
    std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width) + std::size_t(x); }
    Vec3f& at(int x, int y) { return pixel[index(x, y)]; }
    const Vec3f& at(int x, int y) const { return pixel[index(x, y)]; }
};

/// Filmic curve, then sRGB, three bytes per pixel; half a step of fixed dither against banding.
std::vector<std::uint8_t> to_srgb8(const Image& image, float exposure = 1);

}  // namespace rivulet::render
