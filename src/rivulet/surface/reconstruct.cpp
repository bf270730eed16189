#include <rivulet/surface/reconstruct.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/surface/carriers.h>
#include <rivulet/surface/field.h>
#include <rivulet/surface/film_tubes.h>
#include <rivulet/surface/mesh_measure.h>
#include <rivulet/surface/mesher.h>
#include <rivulet/surface/tiles.h>

namespace rivulet::surface {
namespace {

/// Reckoned, not measured: 2.6 kB of packed values and about as much mesh per block near the surface.
constexpr std::size_t kBytesPerBlock = 6000;
/// Films thinner than this many voxels (radius) become polygon tubes of their own.
constexpr double kFineTube = 1.0;
/// Shares of the usual particle's radius by which level and push may move the surface inwards to hold the
/// volume: more would leave of a sheet one particle thick only its drops.
constexpr double kMostTakenOff = 0.35, kMostPush = 0.25;

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
    throw InputError(Problem{"", 0, 0, key, message, ""});
}

void check(const Particles& p, const Films& f, const Options& o) {
    const std::size_t n = p.position.size(), m = f.position.size();
    if (p.volume.size() != n) refuse("particles.volume", "has a different length than position");
    if (!p.velocity.empty() && p.velocity.size() != n)
        refuse("particles.velocity", "has a different length than position");
    if (!p.material.empty() && p.material.size() != n)
        refuse("particles.material", "has a different length than position");
    if (o.liquids < 1 || o.liquids > 256) refuse("liquids", "must be between 1 and 256");
    if (std::any_of(p.material.begin(), p.material.end(), [&](std::uint8_t l) { return l >= o.liquids; }))
        refuse("particles.material", "names a liquid that does not exist");
    if (!f.share.empty() && f.share.size() != m * o.liquids)
        refuse("films.share", "has not one number per vertex and liquid");
    if (f.radius.size() != m || f.film_area.size() != m || (!f.velocity.empty() && f.velocity.size() != m))
        refuse("films", "arrays differ in length");
    for (std::size_t k = 0; k < f.start.size(); ++k)
        if (f.start[k] < 0 || std::uint64_t(f.start[k]) > m || (k > 0 && f.start[k] < f.start[k - 1]))
            refuse("films.start", "is not an increasing list of vertices");
    if (n >= (std::size_t{1} << 32)) refuse("particles", "too many");
    if (!(o.voxels_per_cell >= 1 && o.voxels_per_cell <= 64))
        refuse("voxels_per_cell", "must be between 1 and 64");
    if (!(o.cell > 0) || !std::isfinite(o.cell)) refuse("cell", "must be positive");
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

double ball_radius(double volume) {
    return std::cbrt(volume * 3 / (4 * std::numbers::pi));
}

/// Grid coordinates are relative to a corner of a voxel near the first particle, so that world positions far
/// from the origin lose nothing.
struct Units {
    Vec3d origin;
    double voxel;
    Vec3d to_voxels(const Vec3d& p) const { return (p - origin) / voxel; }
    double voxel3() const { return voxel * voxel * voxel; }
};

bool is_fine(const WetEdge& e, double voxel) {
    return std::max(e.outer_a, e.outer_b) < kFineTube * voxel;
}

Liquid make_liquid(const Particles& p, const Films& f, const std::vector<std::uint32_t>& used,
                   const std::vector<WetEdge>& wet, const Units& units) {
    Liquid liquid;
    const double voxel3 = units.voxel * units.voxel * units.voxel;
    for (const std::uint32_t i : used) {
        const double volume = p.volume[i] / voxel3;
        const double radius = ball_radius(volume);
        const Vec3d centre = units.to_voxels(p.position[i]);
        if (is_within_keys(centre)) liquid.balls.push_back({centre, float(radius), float(volume), 0, false});
    }
    for (const WetEdge& e : wet) {
        const Vec3d a = units.to_voxels(f.position[e.vertex]), b = units.to_voxels(f.position[e.vertex + 1]);
        if (is_fine(e, units.voxel) || !is_within_keys(a) || !is_within_keys(b)) continue;
        const auto begin = float(e.outer_a / units.voxel), end = float(e.outer_b / units.voxel);
        const auto middle = float(middle_radius(e.outer_a, e.outer_b) / units.voxel);
        const Vec3d half = (a + b) * 0.5;
        liquid.tubes.push_back({a, half, begin, middle});
        liquid.tubes.push_back({half, b, middle, end});
    }
    prepare(liquid);
    return liquid;
}

Carriers carriers_of(const Particles& p, const Films& f, const std::vector<std::uint32_t>& used,
                     const std::vector<WetEdge>& wet, const Units& units, std::size_t liquids) {
    Carriers c(liquids);
    for (const std::uint32_t i : used)
        c.add(units.to_voxels(p.position[i]), p.velocity.empty() ? Vec3d{} : p.velocity[i],
              p.volume[i] / units.voxel3(), p.material.empty() ? 0 : p.material[i]);
    std::vector<float> share(liquids);
    for (const WetEdge& e : wet)
        for (const std::size_t v : {e.vertex, e.vertex + 1}) {
            const double volume = e.film_volume + e.solid_volume;
            // The strand itself moves with its film but is no liquid.
            const auto wet_part = float(volume > 0 ? e.film_volume / volume : 0);
            for (std::size_t l = 0; l < liquids; ++l) share[l] = wet_part * film_share(f, v, l, liquids);
            c.add(units.to_voxels(f.position[v]), f.velocity.empty() ? Vec3d{} : f.velocity[v],
                  0.5 * volume / units.voxel3(), share);
        }
    c.sort();
    return c;
}

/// From voxels to metres, with velocities and liquids.
void take_mesh(VoxelMesh&& from, const Units& units, const Carriers& carriers, SurfaceMesh& mesh) {
    mesh.triangle = std::move(from.triangle);
    mesh.position = std::move(from.position);
    mesh.velocity.resize(mesh.position.size());
    const std::size_t row = carriers.row();
    mesh.material_weight.resize(row * mesh.position.size());
    parallel_for(from.parts.size(), [&](std::size_t k) {
        const std::size_t begin = from.parts[k].vertex;
        const std::size_t end = k + 1 < from.parts.size() ? from.parts[k + 1].vertex : mesh.position.size();
        carriers.at(from.parts[k].block, std::span(mesh.position).subspan(begin, end - begin),
                    std::span(mesh.velocity).subspan(begin, end - begin),
                    std::span(mesh.material_weight).subspan(row * begin, row * (end - begin)));
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3f& q = mesh.position[i];
            const Vec3d world = units.origin + Vec3d{double(q.x), double(q.y), double(q.z)} * units.voxel;
            mesh.position[i] = {float(world.x), float(world.y), float(world.z)};
        }
    });
}

/// Grid coordinates start on a coarse lattice: the grid does not shift against the liquid between frames.
Units units_of(const Vec3d& near, double voxel) {
    Units units{{}, voxel};
    const double lattice = 65536 * voxel;
    for (int a = 0; a < 3; ++a) units.origin[a] = std::floor(near[a] / lattice + 0.5) * lattice;
    return units;
}

/// Per triangle the liquid with the largest weight at its corners, of equal ones the first.
std::vector<std::uint8_t> majority_of(const SurfaceMesh& mesh, std::size_t row) {
    std::vector<std::uint8_t> material(row > 0 ? mesh.triangle.size() : 0);
    parallel_for(material.size(), [&](std::size_t t) {
        const Vec3i& corner = mesh.triangle[t];
        float most = -1;
        for (std::size_t l = 0; l < row; ++l) {
            float sum = 0;
            for (int k = 0; k < 3; ++k) sum += mesh.material_weight[row * std::size_t(corner[k]) + l];
            if (sum > most) most = sum, material[t] = std::uint8_t(l);
        }
    });
    return material;
}

/// Sizes of what the ledger counts, m^3.
struct Volumes {
    double liquid = 0, solid = 0;
    double joined = 0;  // what the grid must enclose
};

Volumes volumes_of(const Particles& p, const std::vector<std::uint32_t>& used,
                   const std::vector<WetEdge>& wet, const Liquid& liquid, const Units& units) {
    Volumes v;
    v.liquid = v.joined = accurate_sum(used.size(), [&](std::size_t i) { return p.volume[used[i]]; });
    for (const WetEdge& e : wet) {
        v.liquid += e.film_volume;
        v.solid += e.solid_volume;
        if (!is_fine(e, units.voxel)) v.joined += e.film_volume + e.solid_volume;
    }
    for (const Ball& ball : liquid.balls)
        if (ball.lone) v.joined -= double(ball.volume) * units.voxel3();
    return v;
}

void append_lone_drops(const Liquid& liquid, const Units& units, const Carriers& carriers,
                       SurfaceMesh& mesh) {
    for (const Ball& ball : liquid.balls) {
        if (!ball.lone) continue;
        const Vec3f at{float(ball.centre.x), float(ball.centre.y), float(ball.centre.z)};
        Vec3f v;
        std::vector<float> share(carriers.row());
        const Vec3i block{int(block_of(ball.centre.x)), int(block_of(ball.centre.y)),
                          int(block_of(ball.centre.z))};
        carriers.at(block, {&at, 1}, {&v, 1}, share);
        append_drop(units.origin + ball.centre * units.voxel, {double(v.x), double(v.y), double(v.z)}, share,
                    double(ball.volume) * units.voxel3(), mesh);
    }
}

}  // namespace

SurfaceMesh reconstruct(const Particles& particles, const Films& films, const Options& options,
                        const Progress& progress) {
    check(particles, films, options);
    const auto report = [&](double share) {
        if (progress) progress(share, 1);
    };
    const auto used = usable(particles);
    const auto wet = wet_edges(films);
    SurfaceMesh mesh;
    if (used.empty() && wet.empty()) return mesh;

    const Vec3d first = used.empty() ? films.position[wet[0].vertex] : particles.position[used[0]];
    Units units = units_of(first, options.cell / options.voxels_per_cell);
    Liquid liquid;
    Layout layout;
    const std::size_t most = std::max<std::size_t>(options.memory_limit / kBytesPerBlock, 64);
    for (;;) {
        liquid = make_liquid(particles, films, used, wet, units);
        layout = find_blocks(liquid);
        if (layout.near.size() <= most) break;
        const double growth = std::max(1.1, std::sqrt(double(layout.near.size()) / double(most)));
        units = units_of(first, units.voxel * growth);
    }
    report(0.05);

    const Volumes volumes = volumes_of(particles, used, wet, liquid, units);
    const double target = volumes.joined / units.voxel3();
    mesh.liquid_volume = volumes.liquid;
    mesh.solid_volume = volumes.solid;
    mesh.voxel = units.voxel;
    const Carriers carriers = carriers_of(particles, films, used, wet, units, options.liquids);
    {
        const Joining joining{options.join, options.smoothing,
                              std::clamp(int(std::lround(options.voxels_per_cell / 4)), 1, 2)};
        JoinedField field = join_in_tiles(liquid, std::move(layout), joining, options.tile_blocks,
                                          [&](double share) { report(0.05 + 0.7 * share); });
        const double radius = ball_radius(typical_volume(particles, used)) / units.voxel;
        double level = field.curve.level_for(target);
        if (!used.empty()) level = std::max(level, -kMostTakenOff * radius);
        mesh.level = level * units.voxel;
        mesh.tiles = field.tiles;
        VoxelMesh joined = mesh_at(field, float(level));
        field = {};
        report(0.85);
        // The grid counts volume to about a percent; what is left goes into a small push along the normals.
        inflate_to(joined.position, joined.triangle, target, std::max(0.3, kMostPush * radius));
        take_mesh(std::move(joined), units, carriers, mesh);
    }
    append_fine_tubes(
        films, wet, options.liquids, [&](const WetEdge& e) { return is_fine(e, units.voxel); }, mesh);
    append_lone_drops(liquid, units, carriers, mesh);
    mesh.material = majority_of(mesh, carriers.row());
    mesh.volume = enclosed_volume(mesh.position, mesh.triangle);
    report(1);
    return mesh;
}

}  // namespace rivulet::surface
