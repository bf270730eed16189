#include <algorithm>
#include <cctype>

#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/io/triangle_mesh_file.h>

namespace rivulet::io {

TriangleMesh read_mesh(const std::filesystem::path& path) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 32;
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension == ".ply") return read_ply(read_bytes(path, largest), path.string());
    if (extension == ".obj") return read_obj(read_bytes(path, largest), path.string());
    throw InputError(Problem{.file = path.string(),
                             .key = {},
                             .message = "is not a kind of mesh that is read",
                             .hint = "use .ply or .obj"});
}

void add_polygon(std::vector<std::array<std::int32_t, 3>>& triangles, std::span<const std::int32_t> corners) {
    for (std::size_t i = 2; i < corners.size(); ++i)
        triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

}  // namespace rivulet::io
