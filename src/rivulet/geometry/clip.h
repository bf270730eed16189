#pragma once

#include <array>
#include <span>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/bounds.h>

namespace rivulet::geometry {

/// Fractions are of the part where the distance is negative (the solid). Corner (i, j) of a square is at
/// index i + 2j, corner (i, j, k) of a cell at i + 2j + 4k. A corner at exactly 0 counts as not covered.

/// Covered fraction of an edge with these distances at its ends, linear in between.
double edge_fraction(double a, double b);

/// Covered fraction of a square from the distances at its corners: the region where their linear
/// interpolation along the edges is negative, cut by straight lines (marching squares). When opposite corners
/// agree, the mean decides which pair is joined, so that swapping signs gives the complement.
double square_fraction(const std::array<double, 4>& corner);

/// Fraction of a square that none of several solids covers, from the distances to each at its corners. One:
/// the rest of square_fraction. More: the square is cut by one after the other, their distances bilinear in
/// it: exact for planes.
double uncovered_square_fraction(std::span<const std::array<double, 4>> solids);

/// Covered fraction of a triangle and of a tetrahedron for a function linear in it: exact.
double triangle_fraction(double a, double b, double c);
double tetrahedron_fraction(const std::array<double, 4>& corner);

/// Covered fraction of a cell from the distances at its corners. The cell is divided into 24 tetrahedra
/// (centre, face centre, edge), the centres taking mean values: symmetric in all directions, exact for a
/// plane, the complement when all signs are swapped.
double cell_fraction(const std::array<double, 8>& corner);

/// Volume of the part of a box where dot(normal, x) < offset, as a fraction of the box: exact (Scardovelli
/// and Zaleski 2000). The normal need not be a unit vector.
double box_fraction_below_plane(const Bounds& box, const Vec3d& normal, double offset);

/// The polygon in which the plane dot(normal, x) = offset cuts a box, counter-clockwise seen against the
/// normal; 0 points when they do not meet.
struct PlanePolygon {
    std::array<Vec3d, 6> point;
    int count = 0;

    double area() const;
};
PlanePolygon cut_box(const Bounds& box, const Vec3d& normal, double offset);

}  // namespace rivulet::geometry
