#include <rivulet/render/render.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/render/denoise.h>
#include <rivulet/render/optics.h>
#include <rivulet/render/path.h>

namespace rivulet::render {
namespace {

constexpr int kTile = 16;

void check(const Options& o) {
    const auto refuse = [](const char* key, const char* message) {
        throw InputError(Problem{"", 0, 0, key, message, ""});
    };
    if (o.width < 1 || o.height < 1 || o.width > 16384 || o.height > 16384)
        refuse("resolution", "width and height must be between 1 and 16384");
    if (o.samples < 1 || o.samples > 65536) refuse("samples", "must be between 1 and 65536");
    if (o.depth < 1 || o.depth > 1000) refuse("depth", "must be between 1 and 1000");
    if (!(o.shutter >= 0) || !std::isfinite(o.shutter)) refuse("shutter", "must be zero or positive");
}

/// Sums over the paths of one pixel, in the order of the paths.
struct PixelSum {
    Vec3d colour, albedo, normal;
    double luminance = 0, squares = 0;
    int count = 0;
    std::int64_t rays = 0;

    void add(const PathLight& p) {
        const auto widen = [](const Vec3f& v) { return Vec3d{v.x, v.y, v.z}; };
        colour += widen(p.radiance);
        albedo += widen(p.albedo);
        normal += widen(p.normal);
        const double l = render::luminance(p.radiance);
        luminance += l;
        squares += l * l;
        ++count;
        rays += p.rays;
    }
    /// Variance of the mean luminance.
    double variance() const {
        if (count < 2) return 1;
        const double mean = luminance / count;
        return std::max(squares / count - mean * mean, 0.0) / (count - 1);
    }
};

class View {
 public:
    View(const Camera& c, int width, int height)
        : origin_(c.position), width_(float(width)), height_(float(height)) {
        const Vec3f forward = normalized(c.target - c.position);
        const Vec3f right = normalized(cross(forward, c.up));
        const float half = std::tan(0.5f * c.vertical_fov);
        forward_ = forward;
        up_ = cross(right, forward) * half;
        right_ = right * (half * width_ / height_);
    }
    Ray ray(float x, float y, float time) const {
        const float a = 2 * x / width_ - 1, b = 1 - 2 * y / height_;
        return {origin_, normalized(forward_ + right_ * a + up_ * b), time};
    }

 private:
    Vec3f origin_, forward_, right_, up_;
    float width_, height_;
};

/// Radius-2 tent: sharp enough, and free of stair steps.
float tent(float u) {
    return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u);
}

class Frame {
 public:
    Frame(const Scene& scene, const Options& o)
        : scene_(scene),
          options_(o),
          view_(scene.camera, o.width, o.height),
          rays_(scene, o.least_strand * 2 * std::tan(0.5f * scene.camera.vertical_fov) / float(o.height),
                o.shutter),
          sums_(std::size_t(o.width) * std::size_t(o.height)),
          active_(sums_.size(), 1) {}

    void pass(int first, int last) {
        const int across = (options_.width + kTile - 1) / kTile, down = (options_.height + kTile - 1) / kTile;
        parallel_for(std::size_t(across) * std::size_t(down), [&](std::size_t tile) {
            const int x0 = int(tile % std::size_t(across)) * kTile,
                      y0 = int(tile / std::size_t(across)) * kTile;
            for (int y = y0; y < std::min(y0 + kTile, options_.height); ++y)
                for (int x = x0; x < std::min(x0 + kTile, options_.width); ++x) pixel(x, y, first, last);
        });
    }

    /// Pixels whose neighbourhood is still noisy go on.
    std::size_t find_noisy() {
        std::vector<char> noisy(sums_.size());
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const PixelSum& s = sums_[i];
            const double mean = s.luminance / s.count;
            noisy[i] = std::sqrt(s.variance()) > double(options_.noise) * (mean + 0.05);
        }
        std::size_t count = 0;
        for (int y = 0; y < options_.height; ++y)
            for (int x = 0; x < options_.width; ++x) {
                char any = 0;
                for (int b = std::max(y - 2, 0); b <= std::min(y + 2, options_.height - 1); ++b)
                    for (int a = std::max(x - 2, 0); a <= std::min(x + 2, options_.width - 1); ++a)
                        any |= noisy[index(a, b)];
                active_[index(x, y)] &= any;
                count += active_[index(x, y)] ? 1 : 0;
            }
        return count;
    }

    Counts counts() const {
        Counts c;
        for (const PixelSum& s : sums_) {
            c.paths += s.count;
            c.rays += s.rays;
        }
        return c;
    }

    NoisyPicture result() const {
        NoisyPicture p{Image(options_.width, options_.height), Image(options_.width, options_.height),
                       Image(options_.width, options_.height), std::vector<float>(sums_.size())};
        const auto mean = [](const Vec3d& v, int n) {
            return Vec3f{float(v.x / n), float(v.y / n), float(v.z / n)};
        };
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const PixelSum& s = sums_[i];
            p.colour.pixel[i] = mean(s.colour, s.count);
            p.albedo.pixel[i] = mean(s.albedo, s.count);
            p.normal.pixel[i] = mean(s.normal, s.count);
            p.variance[i] = float(s.variance());
        }
        return p;
    }

 private:
    const Scene& scene_;
    const Options& options_;
    View view_;
    RayScene rays_;
    std::vector<PixelSum> sums_;
    std::vector<char> active_;

    std::size_t index(int x, int y) const {
        return std::size_t(y) * std::size_t(options_.width) + std::size_t(x);
    }

    void pixel(int x, int y, int first, int last) {
        const std::size_t i = index(x, y);
        if (!active_[i]) return;
        PathLimits limits;
        limits.depth = options_.depth;
        for (int path = first; path < last; ++path) {
            Sampler sampler(options_.seed, i, std::uint32_t(path));
            const Sample2 at = sampler.next(), when = sampler.next();
            const Ray ray =
                view_.ray(float(x) + 0.5f + 0.75f * tent(at.u), float(y) + 0.5f + 0.75f * tent(at.v), when.u);
            PathLight light = trace_path(scene_, rays_, ray, limits, sampler);
            if (!std::isfinite(luminance(light.radiance))) light.radiance = {};
            sums_[i].add(light);
        }
    }
};

}  // namespace

Image render(const Scene& scene, const Options& options, const Progress& progress, Counts* counts) {
    check(options);
    validate(scene);
    Frame frame(scene, options);
    const int total = options.samples, step = std::max(options.least_samples, 4);
    for (int done = 0; done < total;) {
        const int next = std::min(done + step, total);
        frame.pass(done, next);
        done = next;
        if (progress) progress(done, total + 1);
        if (done < total && frame.find_noisy() == 0) break;
    }
    if (counts) *counts = frame.counts();
    const NoisyPicture noisy = frame.result();
    Image image = options.denoise ? denoise(noisy) : noisy.colour;
    if (progress) progress(total + 1, total + 1);
    return image;
}

}  // namespace rivulet::render
