#include <rivulet/session/surfaces.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/io/archive_writer.h>
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
    for (const output::FrameGroup& g : frame.groups) {
        if (!output::is_bulk(g)) continue;
        append(p.position, g.position);
        append_velocity(p.velocity, g);
        for (const float radius : g.find("radius"))
            p.volume.push_back(4.0 / 3.0 * std::numbers::pi * std::pow(double(radius), 3));
    }
    return p;
}

surface::Films films_of(const output::Frame& frame) {
    surface::Films films;
    for (const output::FrameGroup& g : frame.groups) {
        if (!output::has_film(g)) continue;
        const auto first = std::int64_t(films.position.size());
        const auto radius = g.find("radius"), area = g.find("film_area");
        append(films.position, g.position);
        append_velocity(films.velocity, g);
        films.radius.insert(films.radius.end(), radius.begin(), radius.end());
        films.film_area.insert(films.film_area.end(), area.begin(), area.end());
        for (std::size_t k = films.start.empty() ? 0 : 1; k < g.start.size(); ++k)
            films.start.push_back(first + g.start[k]);
    }
    return films;
}

void write_surface(io::FileSystem& files, const std::filesystem::path& path,
                   const surface::SurfaceMesh& mesh) {
    io::ArchiveWriter archive;
    archive.add_field({"position", "m", Centring::vertex}, mesh.position);
    archive.add_field({"triangle", "", Centring::triangle}, mesh.triangle);
    archive.add_field({"velocity", "m/s", Centring::vertex}, mesh.velocity);
    archive.write(files, path);
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

surface::SurfaceMesh surface_of(const output::Frame& frame, double voxels_per_cell,
                                const Progress& progress) {
    if (!frame.is_wet()) return {};
    if (!(frame.cell > 0))
        throw InputError(Problem{"static.npz", 0, 0, "grid/cell", "the cell of the grid is missing",
                                 "the surface's voxels are parts of it: is this a whole run directory?"});
    surface::Options options;
    options.cell = frame.cell;
    options.voxels_per_cell = voxels_per_cell;
    return surface::reconstruct(bulk_of(frame), films_of(frame), options, progress);
}

void give_surface(output::Frame& frame, double voxels_per_cell, const Progress& progress) {
    surface::SurfaceMesh mesh = surface_of(frame, voxels_per_cell, progress);
    frame.surface.position = std::move(mesh.position);
    frame.surface.velocity = std::move(mesh.velocity);
    frame.surface.triangle = std::move(mesh.triangle);
}

SurfaceResult make_surfaces(io::FileSystem& files, const output::RunPaths& paths, const SurfaceJob& job,
                            const Progress& progress) {
    files.create_directories(paths.surfaces());
    SurfaceResult result;
    double frames_done = 0;
    const auto total = double(job.frames.size());
    const Progress within_frame = [&](double done, double all) {
        if (progress) progress(frames_done + (all > 0 ? done / all : 0), total);
    };
    for (const std::int64_t k : job.frames) {
        const auto path = paths.surface(k);
        if (!job.again && std::filesystem::exists(path)) {
            ++result.skipped;
        } else {
            try {
                std::vector<std::string> messages;
                const auto frame = frame_of_run(paths, k, false, messages);
                if (!messages.empty()) throw Error(messages.front());
                write_surface(files, path, surface_of(frame, job.voxels_per_cell, within_frame));
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
