#pragma once

#include <string>
#include <vector>

#include <rivulet/output/export_frame.h>
#include <rivulet/output/usda_layout.h>

namespace rivulet::output {

/// One clip: every attribute of the frame as a time sample at the frame's time code. Points with velocities
/// have a second one a frame later, where these take them: between frames they move, for whoever looks at
/// samples alone.
std::string usda_clip(const ExportFrame& frame, const ExportSpace& space);

/// Declares the attributes that clips give values to; where a clip has none there is none, so that nothing of
/// a neighbouring frame shows through.
std::string usda_manifest(const UsdaLayout& layout, const ExportSpace& space);

/// The file to open: prims, colours, materials of the liquids, and value clips `clip_files` (relative to it),
/// one per frame, ascending.
std::string usda_top_layer(const UsdaLayout& layout, const ExportSpace& space, const std::string& manifest,
                           const std::vector<std::int64_t>& frames,
                           const std::vector<std::string>& clip_files);

}  // namespace rivulet::output
