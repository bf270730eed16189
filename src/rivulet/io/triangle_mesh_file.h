#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/io/file_system.h>

namespace rivulet::io {

struct TriangleMesh {
    std::vector<Vec3d> position;
    std::vector<std::array<std::int32_t, 3>> triangle;
};

/// By extension: .ply or .obj, whatever the case. Polygons become fans of triangles; coordinates are finite
/// and indices in range. A file that is not so is an InputError with its line (text) or the entry's number.
TriangleMesh read_mesh(const std::filesystem::path& path);

/// ascii, binary little- or big-endian; unknown elements and properties are passed over.
TriangleMesh read_ply(std::span<const std::byte> bytes, const std::string& file);
/// Vertices and faces; everything else in the file is passed over.
TriangleMesh read_obj(std::span<const std::byte> bytes, const std::string& file);

/// Appends the fan of triangles of one polygon, its corners checked and at least three.
void add_polygon(std::vector<std::array<std::int32_t, 3>>& triangles, std::span<const std::int32_t> corners);

}  // namespace rivulet::io
