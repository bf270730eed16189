#include <rivulet/session/surfaces.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/io/archive_writer.h>
#include <rivulet/scene/scene.h>

namespace rivulet::session {

namespace {

std::vector<Vec3d> widened(const std::vector<Vec3f>& narrow) {
    std::vector<Vec3d> wide;
    wide.reserve(narrow.size());
    for (const Vec3f& v : narrow) wide.push_back({double(v.x), double(v.y), double(v.z)});
    return wide;
}

surface::Particles bulk_of(const render::FrameArrays::Liquid& liquid) {
    surface::Particles p{widened(liquid.position), widened(liquid.velocity), {}};
    p.volume.reserve(liquid.radius.size());
    for (const float radius : liquid.radius)
        p.volume.push_back(4.0 / 3.0 * std::numbers::pi * std::pow(double(radius), 3));
    return p;
}

surface::Films films_of(const render::FrameArrays::Strands& strands) {
    if (strands.film_area.empty()) return {};
    return {widened(strands.position),
            widened(strands.velocity),
            {strands.radius.begin(), strands.radius.end()},
            {strands.film_area.begin(), strands.film_area.end()},
            strands.start};
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

double cell_of_run(const output::RunPaths& paths) {
    try {
        return scene::read_scene(paths.scene().string()).cell_size();
    } catch (const Error&) {
        return 0;
    }
}

surface::SurfaceMesh surface_of(const render::FrameArrays& frame, const surface::Options& options,
                                const Progress& progress) {
    return surface::reconstruct(bulk_of(frame.liquid), films_of(frame.strands), options, progress);
}

SurfaceResult make_surfaces(io::FileSystem& files, const output::RunPaths& paths, const SurfaceJob& job,
                            const Progress& progress) {
    surface::Options options;
    options.cell = cell_of_run(paths);
    options.voxels_per_cell = job.voxels_per_cell;
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
                const auto frame = render::read_frame({paths.frame(k), paths.fixed(), {}}, messages);
                if (!messages.empty()) throw Error(messages.front());
                write_surface(files, path, surface_of(frame, options, within_frame));
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
