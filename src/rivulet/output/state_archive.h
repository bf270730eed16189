#pragma once

#include <filesystem>

#include <rivulet/io/archive.h>
#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::output {

struct FrameOptions {
    io::Precision precision = io::Precision::float32;
    bool deflate = false;
};

/// frames/NNNNNN.npz: everything flagged for frames, particle radii and obstacle poses.
void write_frame(io::FileSystem& files, const std::filesystem::path& path, const world::Model& model,
                 const world::World& world, const FrameOptions& options);

/// static.npz: what does not change: topology, rest shapes, obstacle meshes, materials.
void write_static(io::FileSystem& files, const std::filesystem::path& path, const world::Model& model,
                  const world::World& world);

/// checkpoints/NNNNNNNN.npz: the exact state.
void write_checkpoint(io::FileSystem& files, const std::filesystem::path& path, const world::World& world);

/// Throws InputError when the file is damaged, or was written by another version (arrays missing or of
/// another type).
world::World read_checkpoint(const std::filesystem::path& path);

}  // namespace rivulet::output
