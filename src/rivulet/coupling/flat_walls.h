#pragma once

#include <span>
#include <vector>

#include <rivulet/geometry/solid_field.h>

namespace rivulet::coupling {

/// A wall without end: liquid may be where dot(normal, x) > offset.
struct FlatWall {
    Vec3d normal{0, 1, 0};  // unit, into the liquid
    double offset = 0;      // m

    double distance(const Vec3d& x) const { return dot(normal, x) - offset; }
};

/// The solids at the end of a step in two parts: those that leave liquid a space between flat walls (floors,
/// box containers with sharp edges) as these walls, and the others. Where walls meet, the distance to the
/// nearest is not linear; the distance to each one is.
struct SplitSolids {
    std::vector<FlatWall> walls;
    geometry::SolidField curved;

    explicit SplitSolids(const geometry::SolidField& solids);
};

/// The walls that come closer than `reach` to a box.
void near_walls(std::span<const FlatWall> walls, const geometry::Bounds& box, double reach,
                std::vector<FlatWall>& near);

/// What the particles of a full lattice before a wall, two to a cell, the first a quarter of a cell from it,
/// sum up to with the quadratic kernel around a point at `distance` from the wall [cells]. The spline's
/// integral differs by up to 1 %: a still tank would be that much too light at its walls.
double lattice_before_wall(double distance);

}  // namespace rivulet::coupling
