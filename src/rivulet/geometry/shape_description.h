#pragma once

#include <string>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::geometry {

enum class ShapeType { box, rounded_box, sphere, capsule, cylinder, plane, mesh, all_of };

/// A shape as a scene names it: plain numbers in SI, to be built into something with a distance.
/// Each type uses its own members and ignores the others.
struct ShapeDescription {
    ShapeType type = ShapeType::box;
    Vec3d min, max;                       // box
    Vec3d center, size;                   // rounded_box, sphere: center
    double radius = 0;                    // rounded_box: of its edges; sphere, capsule, cylinder
    Vec3d from, to;                       // capsule, cylinder: ends of the axis
    Vec3d point, normal{0, 1, 0};         // plane: solid on the side the normal points away from
    std::string file;                     // mesh: absolute path of an OBJ or PLY
    double file_scale = 1;                // mesh: metres per unit of the file
    Vec3d offset;                         // mesh: added after scaling
    std::vector<ShapeDescription> parts;  // all_of: union of these
};

}  // namespace rivulet::geometry
