#include <rivulet/session/exports.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include <rivulet/base/error.h>
#include <rivulet/base/units.h>
#include <rivulet/output/export_usda.h>
#include <rivulet/output/made_list.h>
#include <rivulet/session/export_formats.h>
#include <rivulet/session/surfaces.h>

namespace rivulet::session {

namespace {

namespace fs = std::filesystem;
using output::ExportCurves;
using output::ExportFrame;
using output::ExportMesh;
using output::ExportPoints;
using output::ExportSpace;
using output::Frame;
using output::FrameGroup;

std::vector<Vec3f> turned(const std::vector<Vec3f>& values, const ExportSpace& space) {
    std::vector<Vec3f> out;
    out.reserve(values.size());
    for (const Vec3f& v : values) out.push_back(space.turned(v));
    return out;
}
std::vector<float> scaled(std::span<const float> values, double factor) {
    std::vector<float> out;
    out.reserve(values.size());
    for (const float v : values) out.push_back(float(double(v) * factor));
    return out;
}

std::vector<float> plain(std::span<const float> values) {
    return {values.begin(), values.end()};
}

/// The look of the first point or line stands for the group.
Vec3f colour_of(const Frame& frame, const FrameGroup& g) {
    return frame.look(g.materials, g.material_of(0)).colour;
}

ExportPoints points_of(const Frame& frame, const FrameGroup& g, const ExportSpace& space) {
    ExportPoints p;
    p.name = g.name;
    p.position = turned(g.position, space);
    p.velocity = turned(g.velocity, space);
    p.radius = scaled(g.find("radius"), space.scale);
    p.id = g.id;
    for (const float m : g.find("material")) p.material.push_back(std::uint8_t(std::clamp(m, 0.0f, 255.0f)));
    p.liquid = output::is_bulk(g);
    p.colour = colour_of(frame, g);
    return p;
}

/// Liquids with names that differ, as other programs take them.
std::vector<output::ExportLiquid> liquids_of(const Frame& frame) {
    std::vector<output::ExportLiquid> liquids;
    std::set<std::string> taken;
    for (std::size_t l = 0; l < frame.liquids() && frame.has_look("liquid", l); ++l) {
        const output::MaterialLook look = frame.look("liquid", l);
        const std::string name =
            look.name.empty() ? fmt::format("liquid_{}", l) : output::usda_name(look.name);
        std::string unique = name;
        for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
        liquids.push_back({unique, look.colour, look.is_opaque()});
    }
    return liquids;
}

/// What a unit's lengths are multiplied with.
double scale_of(const std::string& unit, const ExportSpace& space) {
    if (unit == "m^3") return space.scale * space.scale * space.scale;
    if (unit == "m^2") return space.scale * space.scale;
    return unit == "m" || unit == "m/s" ? space.scale : 1.0;
}

/// Of vertices: half of what the edges beside it have; at an end what its one edge has.
std::vector<float> at_vertices(const std::vector<float>& edges, const std::vector<std::int64_t>& start) {
    std::vector<float> out = edges;
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
        const auto first = std::size_t(start[k]), last = std::size_t(start[k + 1]) - 1;
        for (std::size_t v = first + 1; v < last; ++v) out[v] = 0.5f * (edges[v - 1] + edges[v]);
        if (last > first) out[last] = edges[last - 1];
    }
    return out;
}

/// All numbers of a line's points; shares of liquids are called after them.
std::vector<output::ExportNumbers> numbers_of(const Frame& frame, const FrameGroup& g,
                                              const ExportSpace& space) {
    std::vector<output::ExportNumbers> out;
    for (const output::FrameNumbers& n : g.numbers) {
        if (n.per_line || n.name == "radius" || n.name == "material") continue;
        const std::vector<float> values = n.of_edges ? at_vertices(n.values, g.start) : n.values;
        out.push_back({output::usda_name(n.name), scaled(values, scale_of(n.unit, space))});
    }
    const std::vector<output::ExportLiquid> liquids = liquids_of(frame);
    for (std::size_t l = 0; l < liquids.size() && g.liquids() == liquids.size(); ++l) {
        out.push_back({"film_share_" + liquids[l].name, {}});
        for (std::size_t v = l; v < g.share.size(); v += liquids.size())
            out.back().values.push_back(g.share[v]);
    }
    return out;
}

ExportCurves curves_of(const Frame& frame, const FrameGroup& g, const ExportSpace& space) {
    ExportCurves c;
    c.name = g.name;
    c.position = turned(g.position, space);
    c.velocity = turned(g.velocity, space);
    c.radius = scaled(g.find("radius"), space.scale);
    c.numbers = numbers_of(frame, g, space);
    c.start = g.start;
    c.id = g.id;
    c.colour = colour_of(frame, g);
    return c;
}

/// The yarn of a mesh, beside its triangles.
ExportCurves yarn_of(const Frame& frame, const FrameGroup& g, const std::string& name,
                     const ExportSpace& space) {
    const output::Chains chains = output::chains_of(g.segment);
    const auto saturation = g.find("saturation");
    ExportCurves c;
    c.name = name;
    c.colour = colour_of(frame, g);
    c.start = chains.start;
    c.radius.assign(chains.point.size(), float(double(output::kYarnRadius) * space.scale));
    for (const std::size_t v : chains.point) {
        c.position.push_back(space.turned(g.position[v]));
        if (!g.velocity.empty()) c.velocity.push_back(space.turned(g.velocity[v]));
    }
    if (!saturation.empty()) {
        c.numbers.push_back({"saturation", {}});
        for (const std::size_t v : chains.point) c.numbers.back().values.push_back(saturation[v]);
    }
    return c;
}

ExportMesh mesh_of(const Frame& frame, const FrameGroup& g, const ExportSpace& space) {
    return {g.name,     turned(g.position, space),   turned(g.velocity, space),
            g.triangle, plain(g.find("saturation")), colour_of(frame, g)};
}

ExportMesh liquid_mesh_of(const Frame& frame, const FrameGroup& g, const ExportSpace& space) {
    ExportMesh m = mesh_of(frame, g, space);
    if (frame.liquids() < 2 || g.triangle_material.empty()) return m;
    m.material = g.triangle_material;
    if (g.liquids() == frame.liquids()) m.weight = g.share;
    return m;
}

/// A frame read and surfaced. Throws Error with the first thing that is wrong with it.
Frame read_for_export(const output::RunPaths& paths, std::int64_t number, const ExportJob& job,
                      const Progress& progress) {
    std::vector<std::string> messages;
    Frame frame = frame_of_run(paths, number, true, messages);
    if (!messages.empty()) throw Error(messages.front());
    if (frame.surface.triangle.empty()) give_surface(frame, job.voxels_per_cell, progress);
    return frame;
}

void add_once(std::vector<std::string>& said, const std::vector<std::string>& more) {
    for (const std::string& m : more)
        if (std::find(said.begin(), said.end(), m) == said.end()) said.push_back(m);
}

/// What has a name of its own in a frame of the run, now or in others, or stands beside it.
std::set<std::string> taken_names(const Frame& frame) {
    std::set<std::string> taken{"Materials", "yarn", frame.surface.name, frame.interface.name};
    for (const std::string& name : frame.group_names) {
        taken.insert(output::usda_name(name));
        taken.insert(output::usda_name(name + "_yarn"));
    }
    return taken;
}

/// Obstacle meshes take the obstacle's name, as other programs can take it, and never that of something else.
std::vector<std::string> mesh_names(const Frame& frame) {
    std::set<std::string> taken = taken_names(frame);
    std::vector<std::string> names;
    for (const output::FrameObstacle& o : frame.obstacles) {
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

ExportFrame export_frame(const Frame& frame, std::int64_t number, const ExportSpace& space) {
    ExportFrame out;
    out.frame = number;
    out.time = frame.time;
    out.cell = frame.cell * space.scale;
    out.liquids = liquids_of(frame);
    Vec3f liquid_colour = frame.look("liquid", 0).colour;
    for (const FrameGroup& g : frame.groups) {
        if (g.shape == GroupShape::points) out.points.push_back(points_of(frame, g, space));
        if (output::is_bulk(g)) liquid_colour = out.points.back().colour;
    }
    if (!frame.surface.triangle.empty()) {
        out.meshes.push_back(liquid_mesh_of(frame, frame.surface, space));
        out.meshes.back().colour = liquid_colour;
        out.meshes.back().liquid = true;
    }
    if (!frame.interface.triangle.empty())
        out.meshes.push_back(liquid_mesh_of(frame, frame.interface, space));
    for (const FrameGroup& g : frame.groups)
        if (!g.triangle.empty()) out.meshes.push_back(mesh_of(frame, g, space));
    const std::vector<std::string> names = mesh_names(frame);
    for (std::size_t i = 0; i < frame.obstacles.size(); ++i) {
        const output::FrameObstacle& o = frame.obstacles[i];
        if (o.visible)
            out.meshes.push_back(
                {names[i], turned(o.placed(), space), turned(o.velocity(), space), o.triangle, {}, o.colour});
    }
    for (const FrameGroup& g : frame.groups) {
        if (g.shape == GroupShape::lines) out.curves.push_back(curves_of(frame, g, space));
        if (!g.segment.empty()) {
            const bool first = std::none_of(out.curves.begin(), out.curves.end(),
                                            [](const ExportCurves& c) { return c.name == "yarn"; });
            out.curves.push_back(yarn_of(frame, g, first ? "yarn" : g.name + "_yarn", space));
        }
    }
    return out;
}

ExportResult export_run(io::FileSystem& files, const output::RunPaths& paths, const ExportJob& job,
                        const Progress& progress) {
    const fs::path folder = paths.exports(to_text(job.format));
    files.create_directories(folder);
    output::MadeList made(
        files, folder,
        fmt::format("format 2 scale {} {} first {} fps {} voxels {}", shortest(job.space.scale),
                    job.space.z_up ? "z" : "y", job.space.first_frame, shortest(job.space.fps),
                    shortest(job.voxels_per_cell)));
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
                const Frame frame = read_for_export(paths, k, job, within_frame);
                const ExportFrame converted = export_frame(frame, k, job.space);
                made.begin(k);
                made.add(k, writer->write(converted));
                add_once(result.left_out, frame.left_out);
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
    FormatWriter::Finished finished = writer->finish(there);
    made.add_common(finished.names);
    result.open_this = std::move(finished.open_this);
    return result;
}

}  // namespace rivulet::session
