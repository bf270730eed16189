#pragma once

#include <string>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::geometry {

enum class ShapeType {
    box,
    rounded_box,
    sphere,
    capsule,
    cylinder,
    plane,
    mesh,
    revolve,
    all_of,  // "union" in scenes, a word that C++ keeps for itself
    intersection,
    difference,
    shell,
    rotate,
    scale
};

/// A point of the half plane beside an axis [m].
struct ProfilePoint {
    double radius = 0, height = 0;
    bool operator==(const ProfilePoint&) const = default;
};

/// A shape as a scene names it: plain numbers in SI, to be built into something with a distance.
/// Each type uses its own members and ignores the others.
struct ShapeDescription {
    ShapeType type = ShapeType::box;
    Vec3d min, max;                       // box
    Vec3d center, size;                   // rounded_box, sphere: center; revolve: center, at height 0
    double radius = 0;                    // rounded_box: of its edges; sphere, capsule, cylinder
    Vec3d from, to;                       // capsule, cylinder: ends of the axis
    Vec3d point, normal{0, 1, 0};         // plane: solid on the side the normal points away from
    std::string file;                     // mesh: absolute path of an OBJ or PLY
    double file_scale = 1;                // mesh: metres per unit of the file
    Vec3d offset;                         // mesh: added after scaling
    std::vector<ProfilePoint> profile;    // revolve
    bool smooth = false;                  // revolve: a curve through the points instead of straight lines
    double thickness = 0;                 // revolve: of a wall along the profile, 0: solid; shell
    Vec3d axis{0, 1, 0};                  // revolve, rotate
    double angle = 0;                     // rotate [rad]
    Vec3d pivot;                          // rotate, scale: the point that stays
    Vec3d factor{1, 1, 1};                // scale: along x, y, z
    std::vector<ShapeDescription> of;     // difference, shell, rotate, scale: the one shape they change
    std::vector<ShapeDescription> parts;  // union, intersection: of these; difference: what is taken away
};

/// visit(description) for a shape and every shape it is made of.
template <class Visit>
void for_each_nested(const ShapeDescription& d, Visit&& visit) {
    visit(d);
    for (const ShapeDescription& inner : d.of) for_each_nested(inner, visit);
    for (const ShapeDescription& inner : d.parts) for_each_nested(inner, visit);
}

inline bool has_mesh(const ShapeDescription& d) {
    bool found = false;
    for_each_nested(d, [&](const ShapeDescription& s) { found = found || s.type == ShapeType::mesh; });
    return found;
}

}  // namespace rivulet::geometry
