#pragma once

#include <functional>
#include <vector>

#include <rivulet/surface/field.h>

namespace rivulet::surface {

/// Voxel units.
struct VoxelMesh {
    std::vector<Vec3f> position;
    std::vector<Vec3i> triangle;
    double level = 0;
};

struct JoinOptions {
    double join = 2;
    int smoothing = 1;
    int width = 1;             // of the smoothing, voxels
    double target_volume = 0;  // voxels^3
};

/// Dilates, smooths and erodes the averaged surface, moves it (more where it is sparse) by the level at
/// which it and the kept parts together enclose the target volume, and meshes the union. `stage` is called
/// between stages.
VoxelMesh join_and_mesh(const Field& field, const JoinOptions& options, const std::function<void()>& stage);

}  // namespace rivulet::surface
