#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <rivulet/io/archive.h>
#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::output {

struct FrameOptions {
    io::Precision precision = io::Precision::float32;
    bool deflate = false;
    bool contacts = false;  // as lines, too
};

/// frames/NNNNNN.npz: everything flagged for frames, particle radii and obstacle poses, contacts if wanted.
void write_frame(io::FileSystem& files, const std::filesystem::path& path, const world::Model& model,
                 const world::World& world, const FrameOptions& options);

/// static.npz: what does not change: topology, rest shapes, obstacle meshes, materials.
void write_static(io::FileSystem& files, const std::filesystem::path& path, const world::Model& model,
                  const world::World& world);

/// How far a list that only grows was written, and the XXH64 of that.
struct ListMark {
    std::uint64_t bytes = 0, hash = 0;
};
/// The lists of a run when a checkpoint was written: going on from it goes on behind these marks.
struct ListMarks {
    ListMark metrics, frames;
};

/// checkpoints/NNNNNNNN.npz: the exact state.
void write_checkpoint(io::FileSystem& files, const std::filesystem::path& path, const world::World& world,
                      const std::optional<ListMarks>& lists = {});

struct Checkpoint {
    world::World world;
    std::optional<ListMarks> lists;  // not in those of earlier versions
};
/// Throws InputError when the file is damaged, or was written by another version (arrays missing or of
/// another type).
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace rivulet::output
