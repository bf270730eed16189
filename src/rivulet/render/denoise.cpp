#include <rivulet/render/denoise.h>

#include <array>

#include <rivulet/base/parallel.h>
#include <rivulet/render/optics.h>

namespace rivulet::render {
namespace {

constexpr int kLevels = 5;
constexpr float kAlbedoFloor = 0.02f;
constexpr std::array<float, 5> kSpline{1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};

struct Layer {
    Image light;
    std::vector<float> variance;
};

Vec3f divide(const Vec3f& a, const Vec3f& b) {
    return {a.x / (b.x + kAlbedoFloor), a.y / (b.y + kAlbedoFloor), a.z / (b.z + kAlbedoFloor)};
}

Layer without_albedo(const NoisyPicture& noisy) {
    Layer layer{noisy.colour, noisy.variance};
    for (std::size_t i = 0; i < layer.light.pixel.size(); ++i) {
        layer.light.pixel[i] = divide(noisy.colour.pixel[i], noisy.albedo.pixel[i]);
        layer.variance[i] /= square(luminance(noisy.albedo.pixel[i]) + kAlbedoFloor);
    }
    return layer;
}

/// The estimate of one pixel's variance is itself noisy: a 3×3 average steadies it.
float steady_variance(const Layer& layer, int x, int y) {
    float sum = 0, count = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int a = x + dx, b = y + dy;
            if (a < 0 || b < 0 || a >= layer.light.width || b >= layer.light.height) continue;
            sum += layer.variance[layer.light.index(a, b)];
            count += 1;
        }
    return sum / count;
}

void filter_pixel(const NoisyPicture& noisy, const Layer& from, Layer& to, int x, int y, int step) {
    const Image& light = from.light;
    const std::size_t centre = light.index(x, y);
    const float centre_luminance = luminance(light.pixel[centre]);
    const float spread = 3.0f * std::sqrt(steady_variance(from, x, y)) + 1e-4f;
    Vec3f sum;
    float weights = 0, variance = 0;
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i) {
            const int a = x + (i - 2) * step, b = y + (j - 2) * step;
            if (a < 0 || b < 0 || a >= light.width || b >= light.height) continue;
            const std::size_t other = light.index(a, b);
            const float tone = std::abs(luminance(light.pixel[other]) - centre_luminance) / spread;
            const float albedo = squared_length(noisy.albedo.pixel[other] - noisy.albedo.pixel[centre]);
            const float bend = squared_length(noisy.normal.pixel[other] - noisy.normal.pixel[centre]);
            const float w = kSpline[std::size_t(i)] * kSpline[std::size_t(j)] *
                            std::exp(-tone - albedo * 80.0f - bend * 12.0f);
            sum += light.pixel[other] * w;
            weights += w;
            variance += w * w * from.variance[other];
        }
    to.light.pixel[centre] = sum / weights;
    to.variance[centre] = variance / (weights * weights);
}

}  // namespace

Image denoise(const NoisyPicture& noisy) {
    Layer layer = without_albedo(noisy), next = layer;
    for (int level = 0; level < kLevels; ++level) {
        parallel_for(std::size_t(layer.light.height), [&](std::size_t row) {
            for (int x = 0; x < layer.light.width; ++x)
                filter_pixel(noisy, layer, next, x, int(row), 1 << level);
        });
        std::swap(layer, next);
    }
    for (std::size_t i = 0; i < layer.light.pixel.size(); ++i)
        layer.light.pixel[i] = multiply(
            layer.light.pixel[i], noisy.albedo.pixel[i] + Vec3f{kAlbedoFloor, kAlbedoFloor, kAlbedoFloor});
    return layer.light;
}

}  // namespace rivulet::render
