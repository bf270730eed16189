#include <rivulet/session/surfaces.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include <rivulet/base/error.h>
#include <rivulet/io/archive_writer.h>
#include <rivulet/output/made_list.h>
#include <rivulet/scene/scene.h>

namespace rivulet::session {

namespace {

namespace fs = std::filesystem;

void append(std::vector<Vec3d>& wide, const std::vector<Vec3f>& narrow) {
    wide.reserve(wide.size() + narrow.size());
    for (const Vec3f& v : narrow) wide.push_back({double(v.x), double(v.y), double(v.z)});
}

/// Points without a velocity stand still.
void append_velocity(std::vector<Vec3d>& wide, const output::FrameGroup& g) {
    if (g.velocity.empty())
        wide.resize(wide.size() + g.position.size());
    else
        append(wide, g.velocity);
}

surface::Particles bulk_of(const output::Frame& frame) {
    surface::Particles p;
    const std::size_t last = frame.liquids() - 1;
    for (const output::FrameGroup& g : frame.groups) {
        if (!output::is_bulk(g)) continue;
        append(p.position, g.position);
        append_velocity(p.velocity, g);
        for (const float radius : g.find("radius"))
            p.volume.push_back(4.0 / 3.0 * std::numbers::pi * std::pow(double(radius), 3));
        for (std::size_t i = 0; i < g.position.size(); ++i)
            p.material.push_back(std::uint8_t(std::min(g.material_of(i), last)));
    }
    return p;
}

/// Shares of the liquids in a film as the surface takes them: where nothing is said it is the first liquid.
void append_share(std::vector<float>& share, const output::FrameGroup& g, std::size_t liquids) {
    for (std::size_t v = 0; v < g.position.size(); ++v)
        for (std::size_t l = 0; l < liquids; ++l)
            share.push_back(l < g.liquids() ? g.share[v * g.liquids() + l] : l == 0 ? 1.0f : 0.0f);
}

surface::Films films_of(const output::Frame& frame) {
    surface::Films films;
    const std::size_t liquids = frame.liquids();
    for (const output::FrameGroup& g : frame.groups) {
        if (!output::has_film(g)) continue;
        const auto first = std::int64_t(films.position.size());
        const auto radius = g.find("radius"), area = g.find("film_area");
        append(films.position, g.position);
        append_velocity(films.velocity, g);
        films.radius.insert(films.radius.end(), radius.begin(), radius.end());
        films.film_area.insert(films.film_area.end(), area.begin(), area.end());
        append_share(films.share, g, liquids);
        for (std::size_t k = films.start.empty() ? 0 : 1; k < g.start.size(); ++k)
            films.start.push_back(first + g.start[k]);
    }
    return films;
}

void add_mesh(io::ArchiveWriter& archive, const std::string& prefix, const surface::SurfaceMesh& mesh) {
    archive.add_field({prefix + "position", "m", Centring::vertex}, mesh.position);
    archive.add_field({prefix + "triangle", "", Centring::triangle}, mesh.triangle);
    archive.add_field({prefix + "velocity", "m/s", Centring::vertex}, mesh.velocity);
    if (mesh.material.empty()) return;
    archive.add_field({prefix + "material", "", Centring::triangle}, mesh.material);
    const std::size_t rows = mesh.position.size();
    archive.add(prefix + "material_weight", io::Dtype::float32, {rows, mesh.material_weight.size() / rows},
                std::as_bytes(std::span(mesh.material_weight)));
    archive.describe(prefix + "material_weight", "", Centring::vertex);
}

void write_surface(io::FileSystem& files, const std::filesystem::path& path, const LiquidSurfaces& surfaces) {
    io::ArchiveWriter archive;
    add_mesh(archive, "", surfaces.whole);
    if (!surfaces.between.triangle.empty()) add_mesh(archive, "interface/", surfaces.between);
    archive.write(files, path);
}

/// Liquids one does not see through, of those that a frame has; none when it has only such or none such.
std::vector<bool> opaque_liquids(const output::Frame& frame, const surface::Particles& bulk) {
    std::vector<bool> present(frame.liquids(), false), opaque(frame.liquids(), false);
    for (const std::uint8_t m : bulk.material) present[m] = true;
    bool some = false, all = true;
    for (std::size_t l = 0; l < opaque.size(); ++l) {
        opaque[l] = frame.look("liquid", l).is_opaque();
        some = some || (present[l] && opaque[l]);
        all = all && (!present[l] || opaque[l]);
    }
    if (!some || all) opaque.clear();
    return opaque;
}

void take(surface::SurfaceMesh&& mesh, output::FrameGroup& g) {
    g.position = std::move(mesh.position);
    g.velocity = std::move(mesh.velocity);
    g.triangle = std::move(mesh.triangle);
    g.triangle_material = std::move(mesh.material);
    g.share = std::move(mesh.material_weight);
}

}  // namespace

output::Frame frame_of_run(const output::RunPaths& paths, std::int64_t number, bool with_surface,
                           std::vector<std::string>& messages) {
    const fs::path surface = with_surface ? paths.surface(number) : fs::path{};
    output::Frame frame = output::read_frame({paths.frame(number), paths.fixed(), surface}, messages);
    output::keep_usable(frame, messages);
    if (frame.cell > 0) return frame;
    try {
        frame.cell = scene::read_scene(paths.scene().string()).cell_size();
    } catch (const Error&) {
        // Whoever needs the cell says that it is missing.
    }
    return frame;
}

LiquidSurfaces surfaces_of(const output::Frame& frame, double voxels_per_cell, const Progress& progress) {
    if (!frame.is_wet()) return {};
    if (!(frame.cell > 0))
        throw InputError(Problem{"static.npz", 0, 0, "grid/cell", "the cell of the grid is missing",
                                 "the surface's voxels are parts of it: is this a whole run directory?"});
    surface::Options options;
    options.cell = frame.cell;
    options.voxels_per_cell = voxels_per_cell;
    options.liquids = frame.liquids();
    const surface::Particles bulk = bulk_of(frame);
    LiquidSurfaces surfaces;
    surfaces.whole = surface::reconstruct(bulk, films_of(frame), options, progress);
    const std::vector<bool> opaque = opaque_liquids(frame, bulk);
    if (!opaque.empty()) surfaces.between = surface::reconstruct_interface(bulk, options, opaque);
    return surfaces;
}

void give_surface(output::Frame& frame, double voxels_per_cell, const Progress& progress) {
    LiquidSurfaces surfaces = surfaces_of(frame, voxels_per_cell, progress);
    take(std::move(surfaces.whole), frame.surface);
    take(std::move(surfaces.between), frame.interface);
}

SurfaceResult make_surfaces(io::FileSystem& files, const output::RunPaths& paths, const SurfaceJob& job,
                            const Progress& progress) {
    files.create_directories(paths.surfaces());
    // A surface that is there counts, whatever it was made with: `again` is asked for by name.
    output::MadeList made(files, paths.surfaces(), "");
    SurfaceResult result;
    double frames_done = 0;
    const auto total = double(job.frames.size());
    const Progress within_frame = [&](double done, double all) {
        if (progress) progress(frames_done + (all > 0 ? done / all : 0), total);
    };
    for (const std::int64_t k : job.frames) {
        const auto path = paths.surface(k);
        const std::string name = path.filename().string();
        const bool there = std::filesystem::exists(path) && (made.has(k) || !made.lists(k));
        if (!job.again && there) {
            ++result.skipped;
        } else {
            try {
                std::vector<std::string> messages;
                const auto frame = frame_of_run(paths, k, false, messages);
                if (!messages.empty()) throw Error(messages.front());
                const LiquidSurfaces surfaces = surfaces_of(frame, job.voxels_per_cell, within_frame);
                made.begin(k, {name});
                write_surface(files, path, surfaces);
                made.add(k, {name});
                ++result.made;
            } catch (const IoError&) {
                throw;
            } catch (const Error& e) {
                result.failed.push_back(fmt::format("frame {}: {}", k, e.what()));
            }
        }
        ++frames_done;
        within_frame(0, 1);
    }
    return result;
}

}  // namespace rivulet::session
