#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/io/file_system.h>

namespace rivulet::surface {

/// Liquid particles for an OpenVDB file. Optional arrays are empty or one per particle.
struct VdbPoints {
    std::vector<Vec3f> position, velocity;
    std::vector<float> radius;
    std::vector<std::int64_t> id;
    std::vector<std::int32_t> material{};  // which liquid
    std::vector<std::string> liquids{};    // their names, by that
};

/// A points grid "points" with position P and attributes v, pscale, id, material; its metadata material_0,
/// material_1, ... name the liquids. `voxel` bounds how many particles share a voxel; it does not touch their
/// positions beyond float precision inside it. Throws InputError when arrays do not fit or a number is not
/// finite.
void write_vdb_points(io::FileSystem& files, const std::filesystem::path& path, const VdbPoints& points,
                      double voxel);

/// The liquid as a volume: level set "surface" (distance, negative inside, three voxels either side) of a
/// closed mesh, and "v", the particles' velocity averaged on a grid of cells that covers it.
struct VdbVolume {
    std::vector<Vec3f> position;
    std::vector<Vec3i> triangle;
    double voxel = 0;                      // of the level set
    const VdbPoints* particles = nullptr;  // for the velocity; may be null
    double cell = 0;                       // of the velocity
    /// Of several liquids, by index: each has a grid "fraction_NAME", its part of the particles
    /// around, on the cells of the velocity.
    std::vector<std::string> liquids{};
};
void write_vdb_volume(io::FileSystem& files, const std::filesystem::path& path, const VdbVolume& volume);

}  // namespace rivulet::surface
