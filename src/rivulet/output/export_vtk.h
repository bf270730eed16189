#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rivulet/io/atomic_file.h>
#include <rivulet/output/export_frame.h>

namespace rivulet::output {

/// VTK XML PolyData (.vtp), binary arrays appended in base64. Particles are vertices, curves poly-lines.
/// Names of the liquids are the field data "material_names".
void write_vtp(io::ByteSink& sink, const ExportPoints& points, const std::vector<ExportLiquid>& liquids);
void write_vtp(io::ByteSink& sink, const ExportMesh& mesh, const std::vector<ExportLiquid>& liquids);
void write_vtp(io::ByteSink& sink, const ExportCurves& curves, const std::vector<ExportLiquid>& liquids);

/// A time series (.pvd): time in seconds and file, relative to it.
std::string pvd_text(const std::vector<std::pair<double, std::string>>& files);

/// Base64 with padding (RFC 4648).
std::string base64(const std::vector<std::byte>& bytes);

}  // namespace rivulet::output
