// Writes the sample frame as .ply and .vtp into a folder, for an independent reader.
#include <rivulet/io/atomic_file.h>
#include <rivulet/output/export_ply.h>
#include <rivulet/output/export_vtk.h>

#include "output/export_sample.h"

namespace {

template <class T>
void write_both(const std::filesystem::path& folder, const std::string& name, const T& part) {
    using namespace rivulet;
    io::FileSystem& files = io::real_file_system();
    output::write_ply(files, folder / (name + ".ply"), part);
    io::write_atomically(files, folder / (name + ".vtp"),
                         [&](io::ByteSink& sink) { output::write_vtp(sink, part); });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const auto frame = rivulet::output::export_sample();
    write_both(argv[1], "liquid", frame.liquid);
    write_both(argv[1], "surface", frame.meshes[0]);
    write_both(argv[1], "cloth", frame.meshes[1]);
    write_both(argv[1], "strands", frame.curves[0]);
    rivulet::io::write_atomically(
        rivulet::io::real_file_system(), std::filesystem::path(argv[1]) / "liquid.pvd",
        rivulet::output::pvd_text({{0, "liquid.0000.vtp"}, {0.125, "liquid.0003.vtp"}}));
}
