#include <cmath>

#include <rivulet/base/random.h>
#include <rivulet/render/camera.h>
#include <rivulet/render/frame_scene.h>
#include <rivulet/render/render.h>
#include <rivulet/render/studio.h>
#include <rivulet/surface/reconstruct.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {
namespace {

/// Water with waves in a tank, as a frame of a run holds it.
output::Frame water() {
    constexpr double kSpacing = 0.0125;
    surface::Particles p;
    const Random random(21, 1);
    std::uint64_t n = 0;
    for (int x = 0; x < 64; ++x)
        for (int z = 0; z < 32; ++z)
            for (int y = 0; y < 14 + 6 * std::sin(0.2 * x) * std::cos(0.15 * z); ++y) {
                const Vec3d jitter = (random.uniform3(n++) - Vec3d{0.5, 0.5, 0.5}) * 0.4;
                p.position.push_back((Vec3d{x + 0.5, y + 0.5, z + 0.5} + jitter) * kSpacing);
                p.volume.push_back(kSpacing * kSpacing * kSpacing);
            }
    surface::Options o;
    o.cell = 2 * kSpacing;
    surface::SurfaceMesh mesh = surface::reconstruct(p, {}, o);
    output::Frame frame;
    frame.surface.position = std::move(mesh.position);
    frame.surface.velocity = std::move(mesh.velocity);
    frame.surface.triangle = std::move(mesh.triangle);
    return frame;
}

/// A tuft of hair, thin and dark, leaning and curling.
output::Frame hair() {
    output::Frame frame;
    auto& g = frame.groups.emplace_back();
    g.name = "strands";
    g.shape = GroupShape::lines;
    g.materials = "strand";
    g.start = {0};
    std::vector<float> radius;
    const Random random(22, 1);
    for (std::uint64_t s = 0; s < 4000; ++s) {
        const Vec3d u = random.uniform3(s);
        for (int v = 0; v < 24; ++v) {
            const auto t = float(v) / 23;
            g.position.push_back({0.2f * float(u.x) + 0.03f * t * std::sin(9 * t + 6 * float(u.y)), 0.2f * t,
                                  0.2f * float(u.z) + 0.05f * t * t});
            radius.push_back(4e-5f);
        }
        g.start.push_back(std::int64_t(g.position.size()));
    }
    g.numbers.push_back({"radius", "m", std::move(radius)});
    return frame;
}

Counters picture(const BenchOptions& options, const output::Frame& frame) {
    render::Options o;
    if (options.quick) {
        o.width = 320;
        o.height = 240;
        o.samples = 16;
    }
    const render::Scene scene = render::scene_of_frame(frame, 4.0f / 3);
    render::Counts counts;
    const double seconds = best_seconds(1, [&] { (void)render::render(scene, o, {}, &counts); });
    Counters c;
    c.add("pixels", double(o.width) * o.height);
    c.add("paths", double(counts.paths));
    c.add("rays", double(counts.rays));
    c.add("seconds", seconds);
    c.add("rays_per_second", double(counts.rays) / seconds);
    return c;
}

}  // namespace

std::vector<BenchCase> render_benchmarks() {
    return {{"render", "water", "a 640x480 picture of clear liquid: rays per second, shadow rays with them",
             [](const BenchOptions& o) { return picture(o, water()); }},
            {"render", "hair", "a 640x480 picture of 4000 strands: the same",
             [](const BenchOptions& o) { return picture(o, hair()); }}};
}

}  // namespace rivulet::verify
