#include <rivulet/session/export_formats.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/export_ply.h>
#include <rivulet/output/export_usda.h>
#include <rivulet/output/export_vtk.h>
#include <rivulet/surface/vdb_file.h>

namespace rivulet::session {

namespace {

namespace fs = std::filesystem;
using output::ExportCurves;
using output::ExportFrame;
using output::ExportMesh;
using output::ExportPoints;

class Writer : public FormatWriter {
 public:
    Writer(io::FileSystem& files, fs::path folder, const ExportJob& job)
        : files_(files),
          folder_(std::move(folder)),
          format_(job.format),
          space_(job.space),
          voxels_per_cell_(job.voxels_per_cell) {}

 protected:
    std::string number(std::int64_t frame) const { return fmt::format("{:04}", space_.first_frame + frame); }

    io::FileSystem& files_;
    fs::path folder_;
    ExportFormat format_;
    output::ExportSpace space_;
    double voxels_per_cell_;
};

/// NAME.NNNN.EXT for everything a frame has, and per name a list of its frames.
class Sequences : public Writer {
 public:
    using Writer::Writer;
    std::vector<std::string> write(const ExportFrame& frame) override {
        by_number_.clear();
        std::vector<std::string> names;
        for (const ExportPoints& p : frame.points) names.push_back(write_one(p.name, frame, p));
        for (const ExportMesh& m : frame.meshes) names.push_back(write_one(m.name, frame, m));
        for (const ExportCurves& c : frame.curves) names.push_back(write_one(c.name, frame, c));
        return names;
    }
    bool complete(std::int64_t frame) const override { return !parts_of(frame).empty(); }
    Finished finish(const std::vector<std::int64_t>& frames) override {
        std::map<std::string, std::vector<std::pair<double, std::string>>> lists;
        for (const std::int64_t k : frames)
            for (const std::string& part : parts_of(k))
                lists[part].push_back({double(k) / std::max(space_.fps, 1e-9), file_name(part, k)});
        Finished result;
        for (const auto& [part, list] : lists) {
            std::string first = list.front().second;
            if (format_ == ExportFormat::vtk) {
                first = part + ".pvd";
                io::write_atomically(files_, folder_ / first, output::pvd_text(list));
                result.names.push_back(first);
            }
            result.open_this.push_back((folder_ / first).string());
        }
        return result;
    }

 private:
    std::string extension() const { return format_ == ExportFormat::vtk ? "vtp" : "ply"; }
    std::string file_name(const std::string& part, std::int64_t frame) const {
        return fmt::format("{}.{}.{}", part, number(frame), extension());
    }
    template <class T>
    std::string write_one(const std::string& part, const ExportFrame& frame, const T& content) {
        const std::string name = file_name(output::usda_name(part), frame.frame);
        if (format_ == ExportFormat::ply)
            output::write_ply(files_, folder_ / name, content, frame.liquids);
        else
            io::write_atomically(files_, folder_ / name, [&](io::ByteSink& sink) {
                output::write_vtp(sink, content, frame.liquids);
            });
        return name;
    }
    /// Names with a file for this frame, sorted.
    std::set<std::string> parts_of(std::int64_t frame) const {
        if (by_number_.empty()) {
            std::error_code error;
            for (const auto& entry : fs::directory_iterator(folder_, error)) {
                const fs::path name = entry.path().filename();
                if (name.extension() == "." + extension())
                    by_number_[name.stem().extension()].insert(name.stem().stem());
            }
        }
        const auto found = by_number_.find("." + number(frame));
        return found != by_number_.end() ? found->second : std::set<std::string>{};
    }
    mutable std::map<std::string, std::set<std::string>> by_number_;  // what the folder holds; empty: look
};

class Vdb : public Writer {
 public:
    using Writer::Writer;
    std::vector<std::string> write(const ExportFrame& frame) override {
        if (!(frame.cell > 0))
            throw Error("the cell of the grid is not known, and VDB grids are made of such");
        std::vector<std::string> names;
        const auto write_points = [&](const std::string& group, const surface::VdbPoints& points) {
            names.push_back(name(group, "points", frame.frame));
            surface::write_vdb_points(files_, folder_ / names.back(), points, frame.cell);
        };
        std::vector<std::string> liquids;
        for (const output::ExportLiquid& l : frame.liquids) liquids.push_back(l.name);
        surface::VdbPoints liquid;
        for (const ExportPoints& p : frame.points) {
            surface::VdbPoints points{
                p.position, p.velocity, p.radius, p.id, {p.material.begin(), p.material.end()}};
            if (p.liquid)
                liquid = std::move(points);
            else
                write_points(output::usda_name(p.name), points);
        }
        liquid.liquids = liquids;
        write_points("liquid", liquid);
        surface::VdbVolume volume;
        for (const ExportMesh& m : frame.meshes)
            if (m.liquid) volume.position = m.position, volume.triangle = m.triangle;
        volume.voxel = frame.cell / voxels_per_cell_;
        volume.particles = &liquid;
        volume.cell = frame.cell;
        if (liquids.size() > 1) volume.liquids = liquids;
        names.push_back(name("liquid", "volume", frame.frame));
        surface::write_vdb_volume(files_, folder_ / names.back(), volume);
        return names;
    }
    bool complete(std::int64_t frame) const override {
        return fs::exists(folder_ / name("liquid", "points", frame)) &&
               fs::exists(folder_ / name("liquid", "volume", frame));
    }
    Finished finish(const std::vector<std::int64_t>& frames) override {
        if (frames.empty()) return {};
        return {{},
                {(folder_ / name("liquid", "points", frames.front())).string(),
                 (folder_ / name("liquid", "volume", frames.front())).string()}};
    }

 private:
    std::string name(const std::string& group, const char* what, std::int64_t frame) const {
        return fmt::format("{}_{}.{}.vdb", group, what, number(frame));
    }
};

/// frames/run.NNNN.usda, and a top layer run.usda that plays them as value clips.
class Usda : public Writer {
 public:
    Usda(io::FileSystem& files, const fs::path& folder, const ExportJob& job) : Writer(files, folder, job) {
        files.create_directories(folder / "frames");
        try {
            if (fs::exists(layout_file()))
                layout_ = output::UsdaLayout::parse_csv(io::read_text(layout_file()));
        } catch (const Error&) {
            // Made again from the frames to come.
        }
    }
    std::vector<std::string> write(const ExportFrame& frame) override {
        io::write_atomically(files_, folder_ / clip(frame.frame), output::usda_clip(frame, space_));
        const output::UsdaLayout before = layout_;
        layout_.include(frame);
        if (!(layout_ == before)) io::write_atomically(files_, layout_file(), layout_.csv());
        return {clip(frame.frame), layout_file().filename().string()};
    }
    bool complete(std::int64_t frame) const override {
        return fs::exists(folder_ / clip(frame)) && fs::exists(layout_file());
    }
    Finished finish(const std::vector<std::int64_t>& frames) override {
        std::vector<std::string> clips;
        for (const std::int64_t k : frames) clips.push_back("./" + clip(k));
        io::write_atomically(files_, folder_ / "manifest.usda", output::usda_manifest(layout_, space_));
        io::write_atomically(files_, folder_ / "run.usda",
                             output::usda_top_layer(layout_, space_, "./manifest.usda", frames, clips));
        return {{"manifest.usda", "run.usda"}, {(folder_ / "run.usda").string()}};
    }

 private:
    std::string clip(std::int64_t frame) const { return fmt::format("frames/run.{}.usda", number(frame)); }
    fs::path layout_file() const { return folder_ / "prims.csv"; }

    output::UsdaLayout layout_;
};

}  // namespace

std::unique_ptr<FormatWriter> format_writer(io::FileSystem& files, const fs::path& folder,
                                            const ExportJob& job) {
    switch (job.format) {
        case ExportFormat::usda:
            return std::make_unique<Usda>(files, folder, job);
        case ExportFormat::vdb:
            return std::make_unique<Vdb>(files, folder, job);
        default:
            return std::make_unique<Sequences>(files, folder, job);
    }
}

}  // namespace rivulet::session
