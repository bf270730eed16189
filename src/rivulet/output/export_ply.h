#pragma once

#include <filesystem>

#include <rivulet/io/file_system.h>
#include <rivulet/output/export_frame.h>

namespace rivulet::output {

/// Binary little-endian PLY. Velocities are vx, vy, vz; ids are double (PLY has no 64-bit integers); curves
/// are vertices joined by the element `edge`. Liquids are named in comments, `material N NAME`; where there
/// are several, vertices have red, green, blue (sRGB).
void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportPoints& points,
               const std::vector<ExportLiquid>& liquids);
void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportMesh& mesh,
               const std::vector<ExportLiquid>& liquids);
void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportCurves& curves,
               const std::vector<ExportLiquid>& liquids);

}  // namespace rivulet::output
