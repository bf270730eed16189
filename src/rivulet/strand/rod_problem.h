#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <rivulet/elastic/rod.h>
#include <rivulet/strand/lanes.h>

namespace rivulet::strand {

/// Unknowns of a strand of n vertices, interleaved: displacement of vertex 0 (3), turn of edge 0,
/// displacement of vertex 1, ... Displacements [m] and turns [rad] are since the start of the step.
using Band = linear::BandedLdlt<10>;

constexpr std::size_t unknown_count(std::size_t vertices) {
    return 4 * vertices - 1;
}

/// One vertex, the edge after it and the joint at it, as the step's potential sees them.
template <class T>
struct RodElement {
    // vertex
    T mass;                 // mass / dt² [N/m]
    Vec3<T> pull;           // linear part: forces + (momentum + impulse) / dt [N]
    elastic::Sym3<T> drag;  // −force_slope / dt [N/m]
    // edge
    Vec3<T> edge;               // edge vector at the start [m]
    elastic::EdgeBase<T> base;  // its tangent and reference director
    T angle;                    // its twist at the start [rad]
    T inertia;                  // rotary inertia / dt² [N*m]
    T turn_pull;                // angular momentum / dt [N*m]
    T stretch_stiffness;        // [N/m]
    T rest_length;              // [m]
    T inverse_radius;           // [1/m]: turns are measured by the way the surface moves
    T tension;                  // what it is expected to carry [N]
    Vec3<T> tangent;            // at the unknowns last evaluated, with ...
    T excess;                   // ... its length beyond rest [m]
    // joint of the edge before and this one
    elastic::BendRest<T> bend;
    elastic::TwistRest<T> twist;
};

/// The film's term of one edge: −½ (a·u_i + b·u_{i+1})², a and b along the edge's tangent [sqrt(N/m)].
template <class T>
struct FilmTerm {
    Vec3<T> a, b;
};

/// Which unknowns are prescribed. Their values are in the first guess and never change.
template <class T>
struct Held {
    MaskOf<T> root, root_edge, tip, tip_edge;
};

/// Calls visit(mask, unknown) for every unknown that some lane prescribes.
template <class T, class F>
void for_each_held(const Held<T>& held, std::size_t vertices, F&& visit) {
    const std::size_t n = unknown_count(vertices);
    if (any(held.root))
        for (std::size_t c = 0; c < 3; ++c) visit(held.root, c);
    if (any(held.root_edge))
        for (std::size_t c = 3; c < 7; ++c) visit(held.root_edge, c);
    if (any(held.tip))
        for (std::size_t c = n - 3; c < n; ++c) visit(held.tip, c);
    if (any(held.tip_edge))
        for (std::size_t c = n - 7; c < n - 3; ++c) visit(held.tip_edge, c);
}

/// A strand (or four of one length) made ready for a step, and the memory its solve needs.
template <class T>
struct RodProblem {
    std::size_t vertices = 0;
    std::vector<RodElement<T>> element;
    std::vector<FilmTerm<T>> film;  // per edge; empty: no film
    Held<T> held;
    std::vector<T> guess;  // unknowns to begin with

    std::vector<T> point, trial, best, direction, gradient, fresh;  // padded, see Band
    std::vector<T> band;
    std::span<T> kept;  // takes each lane's last factor, Band::factor_size numbers; empty: none is kept

    void resize(std::size_t n) {
        vertices = n;
        const std::size_t unknowns = Band::vector_size(unknown_count(n));
        element.resize(n);
        for (auto* v : {&guess, &point, &trial, &best, &direction, &gradient, &fresh})
            v->assign(unknowns, T(0.0));
        band.resize(Band::storage_size(unknown_count(n)));
    }
    std::size_t memory() const {
        return (7 * guess.capacity() + band.capacity()) * sizeof(T) +
               element.capacity() * sizeof(RodElement<T>) + film.capacity() * sizeof(FilmTerm<T>);
    }
};

}  // namespace rivulet::strand
