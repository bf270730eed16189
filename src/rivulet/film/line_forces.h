#pragma once

#include <span>
#include <vector>

#include <rivulet/film/friction.h>
#include <rivulet/film/liquid.h>

namespace rivulet::film {

/// One strand's film, from root to tip. Vertex i owns the volume area[i] * length[i]; edge e joins vertices e
/// and e + 1. Positive is from root to tip.
struct FilmLine {
    std::span<const double> area, length, radius;  // per vertex: m^2, m (Voronoi), radius of the strand m
    std::span<const double> strain;                // per vertex: c of strain.h; empty: no liquid remembers
    std::span<const double> edge_length;           // per edge, m
    std::span<const double> speed;                 // per edge, m/s, along the edge, relative to the strand
    /// Per edge, m^2: what would flow, the area upstream. Where there is film but this is 0 nothing can flow:
    /// the edge sticks.
    std::span<const double> face_area;
    std::span<const double> drive;  // per edge, m/s^2: (gravity - acceleration of the strand) along it
    std::span<const FilmLiquid> liquids;
    std::span<const double> share;  // of each liquid, vertex after vertex; may be empty with one liquid

    std::size_t vertices() const { return area.size(); }
    std::size_t edges() const { return speed.size(); }
};

struct FlowOptions {
    FrictionOptions friction;
    bool surface_tension = false;  // capillary pressure along the strand: beads
};

/// What the film feels in the step, in the order of the line.
struct LineForces {
    /// Per edge, kg/s: m_e k with the mass m_e of the edge's film, half of what its two vertices hold, and
    /// the secant rate k of friction at the end of the step. Infinite where the film sticks, 0 where there is
    /// none.
    std::span<double> friction;
    std::span<double> force;    // per edge, N: of tension and surface tension at the end of the step
    std::span<double> tension;  // per vertex, N: mu A c at the end of the step, 0 at the tip
    std::span<double> speed;    // per edge, m/s, at the end of the step if the strand moves as `drive` says
};

/// Memory of line_forces, kept between calls. One per thread.
struct LineScratch {
    std::vector<double> memory;
};

/// Forces along one strand's film over a step, implicit: with the masses m_e and F(u') the forces of tension
/// and surface tension at the end of the step, linear in the speeds u' there,
///     (m_e + step friction_e) u'_e = m_e u_e + step (m_e drive_e + force_e),   force = F(u').
///
/// Ends: no film flows through the faces at root and tip. At the root the film is anchored: its strain there
/// is that of film held at the wall, and the wall carries the tension of vertex 0. At the tip nothing pulls.
/// Forces of the vertices between telescope: their sum is tension(tip) - tension(root).
/// Edges without film have speed, friction and force 0. Nothing is allocated once the scratch has seen the
/// longest line; bits depend on the line alone.
void line_forces(const FilmLine& line, const FlowOptions& options, double step, LineScratch& scratch,
                 const LineForces& out);

}  // namespace rivulet::film
