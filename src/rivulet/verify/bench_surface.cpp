#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/machine.h>
#include <rivulet/base/random.h>
#include <rivulet/surface/reconstruct.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {
namespace {

/// The cell of the film-and-fabric examples, about 2.5 mm; 8 particles in it, 8 voxels along its edge.
constexpr double kCell = 2.5e-3, kSpacing = kCell / 2, kVoxelsPerCell = 8;

/// A pool with waves, `edge`² particles wide and about as deep.
surface::Particles pool(int edge) {
    surface::Particles p;
    const Random random(11, 1);
    std::uint64_t n = 0;
    for (int x = 0; x < edge; ++x)
        for (int z = 0; z < edge; ++z) {
            const double wave = 6 * std::sin(0.11 * x) * std::cos(0.07 * z);
            const int height = int(edge + wave);
            for (int y = 0; y < height; ++y) {
                const Vec3d jitter = (random.uniform3(n++) - Vec3d{0.5, 0.5, 0.5}) * 0.4;
                p.position.push_back((Vec3d{double(x), double(y), double(z)} + jitter) * kSpacing);
                p.velocity.push_back({0.1 * wave, 0.2, -0.1});
                p.volume.push_back(kSpacing * kSpacing * kSpacing);
            }
        }
    return p;
}

/// Wet hair that hangs into the pool: a thin film everywhere, and on each strand two drops thicker than a
/// voxel.
surface::Films wet_hair(int strands, int pool_edge) {
    constexpr int kVertices = 64;
    constexpr double kLength = 0.25, kStrand = 5e-5, kThin = 1e-4, kDrop = 4e-4;
    surface::Films f;
    f.start = {0};
    const Random random(12, 1);
    const double width = pool_edge * kSpacing;
    for (int s = 0; s < strands; ++s) {
        const Vec3d u = random.uniform3(std::uint64_t(s));
        const Vec3d root{u.x * width, 0.9 * width + kLength, u.z * width};
        for (int v = 0; v < kVertices; ++v) {
            const double t = double(v) / (kVertices - 1);
            const Vec3d curl{0.002 * std::sin(20 * t + 6 * u.y), -kLength * t, 0.002 * std::cos(17 * t)};
            const double bead = std::pow(std::sin(2 * std::numbers::pi * (t + u.y)), 16);
            const double outer = kThin + (kDrop - kThin) * bead;
            f.position.push_back(root + curl);
            f.velocity.push_back({0, -0.3, 0});
            f.radius.push_back(kStrand);
            f.film_area.push_back(std::numbers::pi * (outer * outer - kStrand * kStrand));
        }
        f.start.push_back(std::int64_t(f.position.size()));
    }
    return f;
}

Counters reconstruct_pool_and_hair(const BenchOptions& options) {
    const int edge = options.quick ? 40 : 100, strands = options.quick ? 600 : 10'000;
    const surface::Particles particles = pool(edge);
    const surface::Films films = wet_hair(strands, edge);
    surface::Options o;
    o.cell = kCell;
    o.voxels_per_cell = kVoxelsPerCell;
    const double memory_before = double(restart_peak_memory());
    surface::SurfaceMesh mesh;
    const double processor_before = processor_seconds();
    const double seconds = best_seconds(1, [&] { mesh = surface::reconstruct(particles, films, o); });
    Counters c;
    c.add("particles", double(particles.position.size()));
    c.add("strands", strands);
    c.add("seconds", seconds);
    c.add("processor_seconds", processor_seconds() - processor_before);
    c.add("peak_bytes", double(peak_memory_bytes()) - memory_before);
    c.add("voxels_per_cell", kCell / mesh.voxel);
    c.add("tiles", double(mesh.tiles));
    c.add("triangles", double(mesh.triangle.size()));
    c.add("volume_over_ledger", mesh.volume / (mesh.liquid_volume + mesh.solid_volume));
    return c;
}

}  // namespace

std::vector<BenchCase> surface_benchmarks() {
    return {{"surface", "pool_and_wet_hair",
             "1 M particles + 10 k wet strands at 8 voxels per cell; target: peak at most 4e9 bytes",
             reconstruct_pool_and_hair}};
}

}  // namespace rivulet::verify
