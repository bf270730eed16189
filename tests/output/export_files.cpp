// Writes the sample frame as .ply, .vtp and .usda into a folder, for independent readers.
#include <rivulet/io/atomic_file.h>
#include <rivulet/output/export_ply.h>
#include <rivulet/output/export_usda.h>
#include <rivulet/output/export_vtk.h>

#include "output/export_sample.h"

namespace {

template <class T>
void write_both(const std::filesystem::path& folder, const std::string& name, const T& part,
                const std::vector<rivulet::output::ExportLiquid>& liquids) {
    using namespace rivulet;
    io::FileSystem& files = io::real_file_system();
    output::write_ply(files, folder / (name + ".ply"), part, liquids);
    io::write_atomically(files, folder / (name + ".vtp"),
                         [&](io::ByteSink& sink) { output::write_vtp(sink, part, liquids); });
}

/// A run of two equal frames: value clips, manifest and top layer.
void write_usda(const std::filesystem::path& folder, rivulet::output::ExportFrame frame) {
    using namespace rivulet;
    const auto write = [&](const std::string& name, const std::string& text) {
        io::write_atomically(io::real_file_system(), folder / name, text);
    };
    output::ExportSpace space;
    space.first_frame = 1001;
    space.fps = 24;
    output::UsdaLayout layout;
    layout.include(frame);
    write("clip.1004.usda", output::usda_clip(frame, space));
    frame.frame = 4;
    write("clip.1005.usda", output::usda_clip(frame, space));
    write("manifest.usda", output::usda_manifest(layout, space));
    write("run.usda", output::usda_top_layer(layout, space, "./manifest.usda", {3, 4},
                                             {"./clip.1004.usda", "./clip.1005.usda"}));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const auto frame = rivulet::output::export_sample();
    write_both(argv[1], "liquid", frame.points[0], frame.liquids);
    write_both(argv[1], "surface", frame.meshes[0], frame.liquids);
    write_both(argv[1], "cloth", frame.meshes[1], frame.liquids);
    write_both(argv[1], "strands", frame.curves[0], frame.liquids);
    write_usda(argv[1], frame);
    rivulet::io::write_atomically(
        rivulet::io::real_file_system(), std::filesystem::path(argv[1]) / "liquid.pvd",
        rivulet::output::pvd_text({{0, "liquid.0000.vtp"}, {0.125, "liquid.0003.vtp"}}));
}
