#pragma once

#include <vector>

#include <rivulet/base/vec2.h>
#include <rivulet/base/vec3.h>

namespace rivulet::fabric {

/// A piece of cloth before it is put anywhere.
struct Sheet {
    std::vector<Vec3d> position;  // m
    std::vector<Vec2d> uv;        // m: place in the flat cloth, warp along the first axis
    std::vector<Vec3i> triangle;
    bool woven_flat = true;  // rest shape: the flat one of `uv`; else `position`, bent as it is, ...
    Vec3d warp{0, 1, 0};     // ... with the warp along this where triangles allow it
};

/// How squares are cut into triangles: all along one diagonal, by turns, or with places and diagonals at
/// random (inner vertices moved by up to a quarter of the spacing).
enum class Cut { along, crossed, random };

/// width × height in the xy plane about the origin, facing +z, rows along x; warp along x, turned by
/// `turn` [rad] in the plane.
Sheet rectangle(double width, double height, double spacing, Cut cut = Cut::crossed, double turn = 0);
/// A round piece in the xy plane: rings about the origin.
Sheet disc(double radius, double spacing, Cut cut = Cut::crossed);
/// Open at both ends, about the y axis, facing outward, round at rest; warp along y.
Sheet tube(double radius, double height, double spacing);

}  // namespace rivulet::fabric
