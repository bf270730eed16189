#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/io/archive.h>

using namespace rivulet;

namespace {

/// The arrays that numpy_exchange.py expects, in four spellings of the same archive.
void write_all(const std::string& folder) {
    const std::vector<Vec3d> position{{1, 2, 3}, {4, 5, 6.5}};
    const std::vector<Mat3d> affine{{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}};
    const std::vector<std::uint64_t> id{0, ~std::uint64_t{0}};
    const std::vector<std::int32_t> index{-1, 7};
    const std::vector<std::uint8_t> material{0, 255};
    const std::vector<std::array<std::int32_t, 3>> triangle{{0, 1, 2}};
    const std::vector<double> empty;
    io::ArchiveWriter writer;
    writer.add_field({"liquid/position", "m", Centring::particle}, position);
    writer.add_field({"liquid/position_as_float", "m", Centring::particle}, position, io::Precision::float32);
    writer.add("affine", affine);
    writer.add("id", id);
    writer.add("index", index);
    writer.add("material", material);
    writer.add("triangle", triangle);
    writer.add("empty", empty);
    writer.add_scalar("time", 0.25);
    writer.add_scalar("wet", true);
    for (unsigned k = 0; k < 4; ++k) {
        const io::ArchiveOptions options{(k & 1) != 0, (k & 2) != 0 ? 0u : 0xffffffffu};
        writer.write(io::real_file_system(), folder + "/ours" + std::to_string(k) + ".npz", options);
    }
}

/// What numpy_exchange.py wrote must arrive; false and a word on stderr otherwise.
bool check(const std::string& path) {
    const io::ArchiveReader reader(path);
    reader.verify();
    const bool good =
        reader.read<double>("ramp") == std::vector<double>{0, 1, 2, 3} &&
        reader.read<Vec3d>("points", io::Conversion::widen) == std::vector<Vec3d>{{0, 1, 2}, {3, 4, 5}} &&
        reader.read_scalar<std::int64_t>("step") == 42 &&
        reader.read<std::uint8_t>("flags", io::Conversion::widen) == std::vector<std::uint8_t>{1, 0};
    if (!good) std::fprintf(stderr, "%s: other values\n", path.c_str());
    return good;
}

}  // namespace

/// numpy_exchange write FOLDER | numpy_exchange check FILE
int main(int count, char** arguments) {
    if (count != 3) return 2;
    try {
        if (std::strcmp(arguments[1], "check") == 0) return check(arguments[2]) ? 0 : 1;
        write_all(arguments[2]);
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
