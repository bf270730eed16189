#include <algorithm>
#include <cmath>

#include <rivulet/base/random.h>
#include <rivulet/render/image.h>

namespace rivulet::render {
namespace {

/// Rational fit of a film curve with toe and shoulder (Narkowicz 2015).
float film(float x) {
    x = std::max(x, 0.0f);
    return std::min(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 1.0f);
}

float encode_srgb(float x) {
    return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
}

std::uint8_t to_byte(float linear, float dither) {
    if (!std::isfinite(linear)) return 255;
    return static_cast<std::uint8_t>(std::clamp(encode_srgb(film(linear)) * 255 + dither, 0.0f, 255.0f));
}

}  // namespace

std::vector<std::uint8_t> to_srgb8(const Image& image, float exposure) {
    std::vector<std::uint8_t> bytes(image.pixel.size() * 3);
    // NOTE: the fit takes 0.6 of the light of the curve it approximates.
    const float scale = 0.6f * exposure;
    const Random dither(0x7261, 0);
    for (std::size_t i = 0; i < image.pixel.size(); ++i) {
        const Vec3d d = dither.uniform3(i);
        for (int c = 0; c < 3; ++c)
            bytes[3 * i + std::size_t(c)] = to_byte(image.pixel[i][c] * scale, static_cast<float>(d[c]));
    }
    return bytes;
}

}  // namespace rivulet::render
