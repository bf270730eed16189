#include <rivulet/surface/reconstruct.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/surface/field.h>
#include <rivulet/surface/film_tubes.h>
#include <rivulet/surface/level_set.h>
#include <rivulet/surface/mesh_measure.h>

namespace rivulet::surface {
namespace {

/// Measured peak of grid, filter buffers and mesh per block near the surface.
constexpr std::size_t kBytesPerBlock = 24000;
/// Films thinner than this many voxels (radius) become polygon tubes of their own.
constexpr double kFineTube = 1.0;

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
    throw InputError(Problem{"", 0, 0, key, message, ""});
}

void check(const Particles& p, const Films& f, const Options& o) {
    const std::size_t n = p.position.size(), m = f.position.size();
    if (p.volume.size() != n) refuse("particles.volume", "has a different length than position");
    if (!p.velocity.empty() && p.velocity.size() != n)
        refuse("particles.velocity", "has a different length than position");
    if (f.radius.size() != m || f.film_area.size() != m || (!f.velocity.empty() && f.velocity.size() != m))
        refuse("films", "arrays differ in length");
    for (std::size_t k = 0; k < f.start.size(); ++k)
        if (f.start[k] < 0 || std::uint64_t(f.start[k]) > m || (k > 0 && f.start[k] < f.start[k - 1]))
            refuse("films.start", "is not an increasing list of vertices");
    if (n >= (std::size_t{1} << 32)) refuse("particles", "too many");
    if (!(o.voxels_per_cell >= 1 && o.voxels_per_cell <= 64))
        refuse("voxels_per_cell", "must be between 1 and 64");
    if (!(o.cell >= 0) || !std::isfinite(o.cell)) refuse("cell", "must be positive");
    if (!(o.join >= 0 && o.join <= 8)) refuse("join", "must be between 0 and 8 voxels");
}

/// Indices of particles that can be shown.
std::vector<std::uint32_t> usable(const Particles& p) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < p.position.size(); ++i)
        if (is_finite(p.position[i]) && p.volume[i] > 0 && std::isfinite(p.volume[i]))
            out.push_back(std::uint32_t(i));
    return out;
}

/// Volume of the particle in the middle when volumes are summed up in order of size: dust does not count.
double typical_volume(const Particles& p, const std::vector<std::uint32_t>& used) {
    std::vector<double> volume;
    for (const std::uint32_t i : used) volume.push_back(p.volume[i]);
    std::sort(volume.begin(), volume.end());
    double total = 0, sum = 0;
    for (const double v : volume) total += v;
    for (const double v : volume)
        if ((sum += v) >= 0.5 * total) return v;
    return 0;
}

/// Full cells hold 8 particles. Without particles, films alone set the size.
double cell_size(const Particles& p, const std::vector<std::uint32_t>& used, const std::vector<WetEdge>& wet,
                 const Options& o) {
    if (o.cell > 0) return o.cell;
    if (!used.empty()) return 2 * std::cbrt(typical_volume(p, used));
    double thickest = 0;
    for (const WetEdge& e : wet) thickest = std::max({thickest, e.outer_a, e.outer_b});
    return 4 * thickest;
}

/// Grid coordinates are relative to a corner of a voxel near the first particle, so that world positions far
/// from the origin lose nothing.
struct Units {
    Vec3d origin;
    double voxel;
    Vec3d to_voxels(const Vec3d& p) const { return (p - origin) / voxel; }
};

bool is_within_keys(const Vec3d& voxels) {
    constexpr double most = double(BlockKey::kHalf - 64) * kBlock;
    return std::abs(voxels.x) < most && std::abs(voxels.y) < most && std::abs(voxels.z) < most;
}

bool is_fine(const WetEdge& e, double voxel) {
    return std::max(e.outer_a, e.outer_b) < kFineTube * voxel;
}

Liquid make_liquid(const Particles& p, const Films& f, const std::vector<std::uint32_t>& used,
                   const std::vector<WetEdge>& wet, const Units& units) {
    Liquid liquid;
    const double voxel3 = units.voxel * units.voxel * units.voxel;
    for (const std::uint32_t i : used) {
        const double volume = p.volume[i] / voxel3;
        const double radius = std::cbrt(volume * 3 / (4 * std::numbers::pi));
        const Vec3d centre = units.to_voxels(p.position[i]);
        if (is_within_keys(centre)) liquid.balls.push_back({centre, float(radius), float(volume), 0, false});
    }
    for (const WetEdge& e : wet) {
        const Vec3d a = units.to_voxels(f.position[e.vertex]), b = units.to_voxels(f.position[e.vertex + 1]);
        if (is_fine(e, units.voxel) || !is_within_keys(a) || !is_within_keys(b)) continue;
        liquid.tubes.push_back({a, b, float(e.outer_a / units.voxel), float(e.outer_b / units.voxel)});
    }
    prepare(liquid);
    return liquid;
}

/// Points that carry a velocity, in voxel units.
struct Carriers {
    std::vector<Vec3d> position, velocity;
    std::vector<float> weight;
    BlockLists lists;

    void add(const Vec3d& at, const Vec3d& v, double w) {
        if (!is_within_keys(at) || !is_finite(v)) return;
        position.push_back(at);
        velocity.push_back(v);
        weight.push_back(float(w));
    }
    void sort() {
        std::vector<BlockLists::Entry> entries;
        for (std::size_t i = 0; i < position.size(); ++i) {
            const Vec3d& p = position[i];
            entries.push_back(
                {BlockKey::pack(block_of(p.x), block_of(p.y), block_of(p.z)), std::uint32_t(i)});
        }
        lists = BlockLists(std::move(entries));
    }
    /// Kernel average of what moves nearby.
    Vec3f at(const Vec3d& p) const {
        const std::int64_t x = block_of(p.x), y = block_of(p.y), z = block_of(p.z);
        Vec3d sum;
        double weights = 0;
        for (int n = 0; n < 27; ++n)
            for (const std::uint32_t i :
                 lists.find(BlockKey::pack(x + n / 9 - 1, y + n / 3 % 3 - 1, z + n % 3 - 1))) {
                const double q = squared_length(position[i] - p) / (kBlock * kBlock);
                const double w = double(weight[i] * kernel(float(q)));
                sum += velocity[i] * w;
                weights += w;
            }
        if (weights > 0) sum = sum / weights;
        return {float(sum.x), float(sum.y), float(sum.z)};
    }
};

Carriers carriers_of(const Particles& p, const Films& f, const std::vector<std::uint32_t>& used,
                     const std::vector<WetEdge>& wet, const Units& units) {
    Carriers c;
    if (!p.velocity.empty())
        for (const std::uint32_t i : used) c.add(units.to_voxels(p.position[i]), p.velocity[i], p.volume[i]);
    if (!f.velocity.empty())
        for (const WetEdge& e : wet)
            for (const std::size_t v : {e.vertex, e.vertex + 1})
                c.add(units.to_voxels(f.position[v]), f.velocity[v], 0.5 * (e.film_volume + e.solid_volume));
    c.sort();
    return c;
}

/// From voxels to metres, with velocities.
void take_mesh(const VoxelMesh& from, const Units& units, const Carriers& carriers, SurfaceMesh& mesh) {
    mesh.triangle = from.triangle;
    mesh.position.resize(from.position.size());
    mesh.velocity.resize(from.position.size());
    parallel_for(from.position.size(), [&](std::size_t i) {
        const Vec3f& q = from.position[i];
        const Vec3d p{double(q.x), double(q.y), double(q.z)};
        const Vec3d world = units.origin + p * units.voxel;
        mesh.position[i] = {float(world.x), float(world.y), float(world.z)};
        mesh.velocity[i] = carriers.at(p);
    });
}

}  // namespace

SurfaceMesh reconstruct(const Particles& particles, const Films& films, const Options& options,
                        const Progress& progress) {
    check(particles, films, options);
    double done = 0;
    const auto stage = [&] {
        if (progress) progress(done += 1, 7);
    };
    const auto used = usable(particles);
    const auto wet = wet_edges(films);
    SurfaceMesh mesh;
    if (used.empty() && wet.empty()) return mesh;

    Units units;
    units.voxel = cell_size(particles, used, wet, options) / options.voxels_per_cell;
    // A fixed origin on a coarse lattice: the grid does not shift against the liquid from frame to frame.
    const Vec3d first = used.empty() ? films.position[wet[0].vertex] : particles.position[used[0]];
    const double lattice = 65536 * units.voxel;
    for (int a = 0; a < 3; ++a) units.origin[a] = std::floor(first[a] / lattice + 0.5) * lattice;

    Liquid liquid;
    Layout layout;
    const std::size_t most = std::max<std::size_t>(options.memory_limit / kBytesPerBlock, 64);
    for (;;) {
        liquid = make_liquid(particles, films, used, wet, units);
        layout = find_blocks(liquid);
        if (layout.near.size() <= most) break;
        units.voxel *= std::max(1.1, std::sqrt(double(layout.near.size()) / double(most)));
    }
    stage();
    const Field field = evaluate(liquid, layout);
    stage();

    const double particle_volume =
        accurate_sum(used.size(), [&](std::size_t i) { return particles.volume[used[i]]; });
    double joined_volume = particle_volume;
    mesh.liquid_volume = particle_volume;
    for (const WetEdge& e : wet) {
        mesh.liquid_volume += e.film_volume;
        mesh.solid_volume += e.solid_volume;
        if (!is_fine(e, units.voxel)) joined_volume += e.film_volume + e.solid_volume;
    }
    const double voxel3 = units.voxel * units.voxel * units.voxel;
    for (const Ball& ball : liquid.balls)
        if (ball.lone) joined_volume -= double(ball.volume) * voxel3;
    const int width = std::max(1, int(std::lround(options.voxels_per_cell / 4)));
    VoxelMesh joined =
        join_and_mesh(field, {options.join, options.smoothing, width, joined_volume / voxel3}, stage);
    // The grid counts volume to about a percent; what is left goes into a small push along the normals.
    inflate_to(joined.position, joined.triangle, joined_volume / voxel3, 0.3);
    mesh.voxel = units.voxel;
    mesh.level = joined.level * units.voxel;
    const Carriers carriers = carriers_of(particles, films, used, wet, units);
    take_mesh(joined, units, carriers, mesh);
    append_fine_tubes(
        films, wet, [&](const WetEdge& e) { return is_fine(e, units.voxel); }, mesh);
    for (const Ball& ball : liquid.balls) {
        if (!ball.lone) continue;
        const Vec3f v = carriers.at(ball.centre);
        append_drop(units.origin + ball.centre * units.voxel, {double(v.x), double(v.y), double(v.z)},
                    double(ball.volume) * voxel3, mesh);
    }
    stage();
    mesh.volume = enclosed_volume(mesh.position, mesh.triangle);
    stage();
    return mesh;
}

}  // namespace rivulet::surface
