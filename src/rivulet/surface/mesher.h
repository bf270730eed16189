#pragma once

#include <vector>

#include <rivulet/surface/tiles.h>

namespace rivulet::surface {

/// Voxel units. Vertices come block by block.
struct VoxelMesh {
    struct Part {
        Vec3i block;
        std::size_t vertex;  // first of the block's
    };
    std::vector<Vec3f> position;
    std::vector<Vec3i> triangle;
    std::vector<Part> parts;
};

/// The closed mesh of the joined field at a level: a vertex for each piece of surface in a cell of 8 voxels,
/// a quadrilateral for each edge between voxels that the surface crosses. The numbering follows the blocks'
/// order, so it does not depend on tiles or threads.
VoxelMesh mesh_at(const JoinedField& field, float level);

}  // namespace rivulet::surface
