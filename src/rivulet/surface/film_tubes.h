#pragma once

#include <functional>
#include <span>

#include <rivulet/surface/reconstruct.h>

namespace rivulet::surface {

/// A wet stretch between vertices i and i + 1 of a line.
struct WetEdge {
    std::size_t vertex;
    double outer_a, outer_b;  // radius of strand and film, m
    double film_volume, solid_volume;
};

/// Half way between two rings of a tube: the radius with which two cones hold what the film's cross-section,
/// linear in between, holds: 2 r² + (a + b) r = 2 (a² + b²). One cone alone would lose up to a third.
double middle_radius(double a, double b);

/// Edges with film on either end; dry stretches are left out.
std::vector<WetEdge> wet_edges(const Films& films);

/// Part of one of the liquids in the film at a vertex.
float film_share(const Films& films, std::size_t vertex, std::size_t liquid, std::size_t liquids);

/// Closed polygonal tubes along runs of wet edges that `is_fine` picks, appended to the mesh. Their volume is
/// that of film and strand: the polygon has the area of the circle it stands for.
void append_fine_tubes(const Films& films, const std::vector<WetEdge>& edges, std::size_t liquids,
                       const std::function<bool(const WetEdge&)>& is_fine, SurfaceMesh& mesh);

/// A small closed sphere of this volume; `share` is the row of weights of its vertices.
void append_drop(const Vec3d& centre, const Vec3d& velocity, std::span<const float> share, double volume,
                 SurfaceMesh& mesh);

}  // namespace rivulet::surface
