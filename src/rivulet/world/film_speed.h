#pragma once

#include <cmath>
#include <cstddef>

#include <rivulet/film/state.h>
#include <rivulet/film/transport.h>
#include <rivulet/liquid/elastic_strain.h>
#include <rivulet/strand/state.h>

namespace rivulet::world {

inline Vec3d edge_tangent(const strand::StrandState& s, std::size_t edge) {
    return normalized(s.position[edge + 1] - s.position[edge]);
}

/// Unit, between the edges beside a vertex; of the one edge at an end.
inline Vec3d vertex_tangent(const strand::StrandState& s, std::size_t strand, std::size_t vertex) {
    if (vertex == s.begin(strand)) return edge_tangent(s, vertex);
    if (vertex + 1 == s.end(strand)) return edge_tangent(s, vertex - 1);
    const Vec3d before = edge_tangent(s, vertex - 1), both = before + edge_tangent(s, vertex);
    const double size = length(both);
    return size > 1e-9 ? both / size : before;  // folded back onto itself: either
}

/// How the two halves of a vertex's film move relative to the strand: each slides along one of the edges
/// beside it; at an end one has no edge to slide along, and the other rests where liquid is dammed [m/s].
struct FilmHalves {
    Vec3d before, after;
};
inline FilmHalves film_halves(const film::FilmState& film, const strand::StrandState& s, std::size_t strand,
                              std::size_t vertex) {
    const bool root = vertex == s.begin(strand), tip = vertex + 1 == s.end(strand);
    FilmHalves halves;
    if (!root && (!tip || film::slides_from_end(-film.speed[vertex - 1])))
        halves.before = film.speed[vertex - 1] * edge_tangent(s, vertex - 1);
    if (!tip && (!root || film::slides_from_end(film.speed[vertex])))
        halves.after = film.speed[vertex] * edge_tangent(s, vertex);
    return halves;
}

/// Velocity of the film at a vertex.
inline Vec3d film_velocity(const film::FilmState& film, const strand::StrandState& s, std::size_t strand,
                           std::size_t vertex) {
    const FilmHalves halves = film_halves(film, s, strand, vertex);
    return s.velocity[vertex] + 0.5 * (halves.before + halves.after);
}

/// Reduced strain of film along t made of liquid with the elastic strain b: along less the mean across. The
/// inverse of drop_strain.
inline double film_strain(const liquid::Strain& b, const Vec3d& t) {
    const Vec3d bt{b.xx * t.x + b.xy * t.y + b.xz * t.z, b.xy * t.x + b.yy * t.y + b.yz * t.z,
                   b.xz * t.x + b.yz * t.y + b.zz * t.z};
    const double along = dot(t, bt);
    return along - 0.5 * (b.xx + b.yy + b.zz - along);
}

/// Elastic strain of a drop whose film was strained by c along t: λ t⊗t + λ^-½ (1 − t⊗t), the same in all
/// directions across, with determinant 1 and λ − λ^-½ = c.
inline liquid::Strain drop_strain(double c, const Vec3d& t) {
    double stretch = c > 0 ? 1 + c : 1 / (1 - c);  // Newton from the side where it is convex
    for (int i = 0; i < 50; ++i) {
        const double root = 1 / std::sqrt(stretch);
        const double change = (stretch - root - c) / (1 + 0.5 * root / stretch);
        stretch = std::max(stretch - change, 0.1 * stretch);
        if (std::abs(change) < 1e-14 * stretch) break;
    }
    const double across = 1 / std::sqrt(stretch), more = stretch - across;
    return {across + more * t.x * t.x, more * t.x * t.y, more * t.x * t.z,
            across + more * t.y * t.y, more * t.y * t.z, across + more * t.z * t.z};
}

}  // namespace rivulet::world
