#include <rivulet/session/exports.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/base/units.h>
#include <rivulet/output/export_usda.h>
#include <rivulet/session/export_formats.h>
#include <rivulet/session/made_list.h>
#include <rivulet/session/pictures.h>
#include <rivulet/session/surfaces.h>

namespace rivulet::session {

namespace {

namespace fs = std::filesystem;
using output::ExportCurves;
using output::ExportFrame;
using output::ExportMesh;
using output::ExportSpace;

std::vector<Vec3f> turned(const std::vector<Vec3f>& values, const ExportSpace& space) {
    std::vector<Vec3f> out;
    out.reserve(values.size());
    for (const Vec3f& v : values) out.push_back(space.turned(v));
    return out;
}
std::vector<float> scaled(const std::vector<float>& values, double factor) {
    std::vector<float> out;
    out.reserve(values.size());
    for (const float v : values) out.push_back(float(double(v) * factor));
    return out;
}

ExportCurves strands_of(const render::FrameArrays::Strands& s, const render::Appearance& appearance,
                        const ExportSpace& space) {
    ExportCurves c;
    c.name = "strands";
    c.position = turned(s.position, space);
    c.velocity = turned(s.velocity, space);
    c.radius = scaled(s.radius, space.scale);
    c.film_area = scaled(s.film_area, space.scale * space.scale);
    c.start = s.start;
    c.id = s.id;
    if (!appearance.strands.empty()) c.colour = appearance.strands.front().colour;
    return c;
}

/// Segments that follow one another become one curve.
ExportCurves yarn_of(const render::FrameArrays::Fabric& f, const render::Appearance& appearance,
                     const ExportSpace& space) {
    ExportCurves c;
    c.name = "yarn";
    c.colour = appearance.cloth_colour;
    const auto append = [&](int vertex) {
        const auto v = std::size_t(vertex);
        c.position.push_back(space.turned(f.position[v]));
        c.radius.push_back(float(double(appearance.yarn_radius) * space.scale));
        if (!f.velocity.empty()) c.velocity.push_back(space.turned(f.velocity[v]));
        if (!f.saturation.empty()) c.saturation.push_back(f.saturation[v]);
    };
    int last = -1;
    for (const auto& [from, to] : f.segment) {
        if (from != last) {
            if (!c.position.empty()) c.start.push_back(std::int64_t(c.position.size()));
            append(from);
        }
        append(to);
        last = to;
    }
    c.start.push_back(std::int64_t(c.position.size()));
    return c;
}

/// Reads, surfaces and converts frames of one run.
class Source {
 public:
    Source(const output::RunPaths& paths, const ExportJob& job) : paths_(paths), job_(job) {
        std::vector<std::string> unused;
        appearance_ = appearance_of_run(paths, unused);
        options_.cell = cell_of_run(paths);
        options_.voxels_per_cell = job.voxels_per_cell;
    }
    /// Throws Error with the first thing that is wrong with the frame.
    ExportFrame read(std::int64_t frame, const Progress& progress) {
        std::vector<std::string> messages;
        const fs::path surface = fs::exists(paths_.surface(frame)) ? paths_.surface(frame) : fs::path{};
        render::FrameArrays arrays =
            render::read_frame({paths_.frame(frame), paths_.fixed(), surface}, messages);
        if (!messages.empty()) throw Error(messages.front());
        const bool wet = !arrays.liquid.position.empty() || !arrays.strands.film_area.empty();
        if (surface.empty() && wet) {
            auto mesh = surface_of(arrays, options_, progress);
            arrays.surface = {std::move(mesh.position), std::move(mesh.velocity), std::move(mesh.triangle)};
        }
        return export_frame(arrays, appearance_, frame, job_.space);
    }
    /// Cell edge in units of the other program; from the particles when the scene cannot be read.
    double cell(const ExportFrame& frame) const {
        if (options_.cell > 0) return options_.cell * job_.space.scale;
        const auto& radius = frame.liquid.radius;
        const float largest = radius.empty() ? 0 : *std::max_element(radius.begin(), radius.end());
        // Eight particles per cell: r^3 4/3 pi = (cell / 2)^3.
        return largest > 0 ? 2 * std::cbrt(4.18879) * double(largest) : 0.01 * job_.space.scale;
    }

 private:
    output::RunPaths paths_;
    const ExportJob& job_;
    render::Appearance appearance_;
    surface::Options options_;
};

/// Obstacle meshes take the obstacle's name, as other programs can take it, and never that of something else.
std::vector<std::string> mesh_names(const std::vector<render::FrameArrays::Obstacle>& obstacles) {
    std::set<std::string> taken{"liquid", "surface", "strands", "fabric", "yarn", "bodies"};
    std::vector<std::string> names;
    for (const auto& o : obstacles) {
        const std::string name = output::usda_name(o.name);
        std::string unique = name;
        for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
        names.push_back(unique);
    }
    return names;
}

}  // namespace

std::string to_text(ExportFormat format) {
    switch (format) {
        case ExportFormat::usda:
            return "usda";
        case ExportFormat::vdb:
            return "vdb";
        case ExportFormat::ply:
            return "ply";
        case ExportFormat::vtk:
            return "vtk";
    }
    return "";
}

ExportFrame export_frame(const render::FrameArrays& a, const render::Appearance& appearance,
                         std::int64_t frame, const ExportSpace& space) {
    ExportFrame out;
    out.frame = frame;
    out.time = a.time;
    out.liquid = {turned(a.liquid.position, space), turned(a.liquid.velocity, space),
                  scaled(a.liquid.radius, space.scale), a.liquid.id, a.liquid.material};
    if (!a.liquid.material.empty() && a.liquid.material.front() < appearance.liquids.size())
        out.liquid_colour = appearance.liquids[a.liquid.material.front()].colour;
    if (!a.surface.triangle.empty())
        out.meshes.push_back({"surface",
                              turned(a.surface.position, space),
                              turned(a.surface.velocity, space),
                              a.surface.triangle,
                              {},
                              out.liquid_colour});
    if (!a.fabric.triangle.empty())
        out.meshes.push_back({"fabric", turned(a.fabric.position, space), turned(a.fabric.velocity, space),
                              a.fabric.triangle, a.fabric.saturation, appearance.cloth_colour});
    if (!a.bodies.triangle.empty())
        out.meshes.push_back({"bodies",
                              turned(a.bodies.position, space),
                              turned(a.bodies.velocity, space),
                              a.bodies.triangle,
                              {},
                              appearance.body_colour});
    const std::vector<std::string> names = mesh_names(a.obstacles);
    for (std::size_t i = 0; i < a.obstacles.size(); ++i) {
        const auto& o = a.obstacles[i];
        const auto look = appearance.obstacles.find(o.name);
        if (look != appearance.obstacles.end() && !look->second.visible) continue;
        ExportMesh mesh{names[i], turned(o.position, space), {}, o.triangle, {}};
        if (look != appearance.obstacles.end()) mesh.colour = look->second.colour;
        out.meshes.push_back(std::move(mesh));
    }
    if (a.strands.start.size() > 1) out.curves.push_back(strands_of(a.strands, appearance, space));
    if (!a.fabric.segment.empty()) out.curves.push_back(yarn_of(a.fabric, appearance, space));
    return out;
}

ExportResult export_run(io::FileSystem& files, const output::RunPaths& paths, const ExportJob& job,
                        const Progress& progress) {
    const fs::path folder = paths.exports(to_text(job.format));
    files.create_directories(folder);
    MadeList made(files, folder,
                  fmt::format("scale {} {} first {} fps {} voxels {}", shortest(job.space.scale),
                              job.space.z_up ? "z" : "y", job.space.first_frame, shortest(job.space.fps),
                              shortest(job.voxels_per_cell)));
    Source source(paths, job);
    const auto writer = format_writer(files, folder, job);
    ExportResult result;
    double frames_done = 0;
    const auto total = double(job.frames.size());
    const Progress within_frame = [&](double done, double all) {
        if (progress) progress(frames_done + (all > 0 ? done / all : 0), total);
    };
    for (const std::int64_t k : job.frames) {
        if (!job.again && made.has(k) && writer->complete(k)) {
            ++result.skipped;
        } else {
            try {
                const ExportFrame frame = source.read(k, within_frame);
                writer->write(frame, source.cell(frame));
                made.add(k);
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
    std::vector<std::int64_t> there;
    for (const std::int64_t k : made.frames())
        if (writer->complete(k)) there.push_back(k);
    result.open_this = writer->finish(there);
    return result;
}

}  // namespace rivulet::session
