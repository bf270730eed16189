#include <rivulet/io/curve_arrays.h>

#include <algorithm>
#include <filesystem>

#include <rivulet/io/hair_file.h>
#include <rivulet/io/obj_curves.h>
#include <rivulet/io/ply_curves.h>
#include <rivulet/io/refuse.h>
#include <rivulet/io/text_file.h>
#include <rivulet/io/usda_file.h>

namespace rivulet::io {

CurveArrays load_curves(const std::string& path) {
    constexpr std::uint64_t kLargest = std::uint64_t{8} << 30;  // bytes
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto bytes = [&] { return read_text(path, kLargest); };
    if (extension == ".hair") return parse_hair(bytes(), path);
    if (extension == ".obj") return parse_obj_curves(bytes(), path);
    if (extension == ".ply") return parse_ply_curves(bytes(), path);
    if (extension == ".usda") return parse_usda_curves(bytes(), path);
    refuse_file(path, 0, "not a file of strands", "use .hair, .obj, .ply or .usda");
}

}  // namespace rivulet::io
