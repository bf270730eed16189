#pragma once

#include <span>
#include <vector>

#include <rivulet/elastic/cross_section.h>
#include <rivulet/strand/material.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

/// What each vertex has of an edge's mass [kg]: half.
template <class T>
T half_edge_mass(const T& density, const elastic::CrossSection<T>& section, const T& rest_length) {
    return T(0.5) * density * section.area() * rest_length;
}

/// Rotary inertia of an edge about its tangent [kg*m^2].
template <class T>
T edge_inertia(const T& density, const elastic::CrossSection<T>& section, const T& rest_length) {
    return density * section.polar_moment() * rest_length;
}

/// An edge's cross-section: the mean of its vertices' radii.
inline elastic::CrossSection<double> edge_section(const StrandState& s, std::size_t strand,
                                                  std::size_t edge) {
    const double radius = 0.5 * (s.radius[edge] + s.radius[edge + 1]);
    return {radius, s.aspect[strand] * radius};
}

/// Length of strand at rest that each vertex stands for [m]: half of the edges it belongs to.
inline std::vector<double> vertex_lengths(const StrandState& s) {
    std::vector<double> lengths(s.vertex_count());
    for (std::size_t k = 0; k < s.strand_count(); ++k)
        for (std::size_t v = s.begin(k); v + 1 < s.end(k); ++v)
            for (const std::size_t end : {v, v + 1}) lengths[end] += 0.5 * s.rest_length[v];
    return lengths;
}

/// Mass of a vertex: half of the edges it belongs to [kg].
inline double vertex_mass(const StrandState& s, std::span<const StrandMaterial> materials, std::size_t strand,
                          std::size_t vertex) {
    const double density = materials[s.material[strand]].density;
    double mass = 0;
    if (vertex > s.begin(strand))
        mass += half_edge_mass(density, edge_section(s, strand, vertex - 1), s.rest_length[vertex - 1]);
    if (vertex + 1 < s.end(strand))
        mass += half_edge_mass(density, edge_section(s, strand, vertex), s.rest_length[vertex]);
    return mass;
}

}  // namespace rivulet::strand
