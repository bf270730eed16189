#pragma once

#include <filesystem>

#include <rivulet/io/file_system.h>
#include <rivulet/output/export_frame.h>

namespace rivulet::output {

/// Binary little-endian PLY. Velocities are vx, vy, vz; ids are double (PLY has no 64-bit integers); curves
/// are vertices joined by the element `edge`.
void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportPoints& points);
void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportMesh& mesh);
void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportCurves& curves);

}  // namespace rivulet::output
