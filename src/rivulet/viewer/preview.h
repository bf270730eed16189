#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <rivulet/output/frame.h>

namespace rivulet::viewer {

struct PreviewLimits {
    std::size_t points = 200'000, line_vertices = 200'000, mesh_vertices = 200'000;
};

/// Changes whenever equal frames would give other packets.
inline constexpr int kPreviewVersion = 3;

/// One frame for the page (see packet.h): per group a subset of its points, lines or triangles, 16-bit
/// positions, 8-bit channels. Points at the surface of the liquid come first, as many as "outer" says. Any
/// scalar per point in the frame becomes a channel, velocities become speed, strands get their strain. A
/// group this program does not know is shown as points when it has positions. Throws when the frame cannot be
/// opened at all; whatever else is wrong is in the packet's messages.
std::string make_preview(std::int64_t number, const output::FrameFiles& files,
                         const PreviewLimits& limits = {});

/// Obstacle meshes at rest from static.npz, with their colours, and names and colours of the materials by
/// table.
std::string make_obstacle_packet(const std::filesystem::path& fixed, const PreviewLimits& limits = {});

/// JSON with the points of what an error names (base/entity.h): "particle ID", "strand ID, vertex N",
/// "GROUP/FIELD of ..."; an empty list when it is not to be found.
std::string locate_entity(const output::FrameFiles& files, std::string_view entity);

}  // namespace rivulet::viewer
