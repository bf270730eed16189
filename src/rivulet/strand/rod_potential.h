#pragma once

#include <algorithm>

#include <rivulet/elastic/rod_stencil.h>
#include <rivulet/strand/rod_problem.h>

namespace rivulet::strand {

/// NOTE: an edge shorter than this part of its rest length is refused, so that 1/length stays bounded.
inline constexpr double kLeastLengthRatio = 0.05;

/// The incremental potential of an implicit Euler step at some unknowns u [J]:
///   Σ ½ (m/dt²)|u|² − pull·u + ½ u·drag·u + Σ ½ (I/dt²) s² − turn_pull s + elastic(x₀ + u, θ₀ + s),
/// less the film's terms.
/// Its minimum is the end of the step. The gradient [N, N*m] and the Hessian (lower band) are left in the
/// problem.
template <class T>
struct PotentialAt {
    T value;
    MaskOf<T> allowed;  // no edge folded back, no joint bent double, no edge collapsed
};

/// Which Hessian to make, per lane.
template <class T>
struct HessianChoice {
    T exact;                      // 1: exact; 0: the positive Gauss-Newton one
    MaskOf<T> predicted_tension;  // stretching across the edge from RodElement::tension
};

namespace detail {

template <class T>
Vec3<T> vec_at(const std::vector<T>& u, std::size_t i) {
    return {u[i], u[i + 1], u[i + 2]};
}

template <class T>
T add_inertia(const RodElement<T>& el, const Vec3<T>& u, T* gradient, T* band) {
    const elastic::Sym3<T>& d = el.drag;
    const Vec3<T> du{d.xx * u.x + d.xy * u.y + d.xz * u.z, d.xy * u.x + d.yy * u.y + d.yz * u.z,
                     d.xz * u.x + d.yz * u.y + d.zz * u.z};
    const Vec3<T> mu = el.mass * u + du;
    for (int c = 0; c < 3; ++c) gradient[c] += mu[c] - el.pull[c];
    band[0] += el.mass + d.xx;
    band[1] += d.xy;
    band[2] += d.xz;
    band[Band::kStride] += el.mass + d.yy;
    band[Band::kStride + 1] += d.yz;
    band[2 * Band::kStride] += el.mass + d.zz;
    return dot(T(0.5) * mu - el.pull, u);
}

/// `gradient` and `band` point at the unknowns of the edge's first vertex.
template <class T>
T add_film(const FilmTerm<T>& film, const Vec3<T>& u, const Vec3<T>& next, T* gradient, T* band) {
    const T along = dot(film.a, u) + dot(film.b, next);
    for (int c = 0; c < 3; ++c) {
        gradient[c] -= along * film.a[c];
        gradient[4 + c] -= along * film.b[c];
        for (int r = 0; r < 3; ++r) band[c * Band::kStride + 4 + r - c] -= film.b[r] * film.a[c];
        for (int r = c; r < 3; ++r) {
            band[c * Band::kStride + r - c] -= film.a[r] * film.a[c];
            band[(4 + c) * Band::kStride + r - c] -= film.b[r] * film.b[c];
        }
    }
    return T(-0.5) * (along * along);
}

/// A film that slides: less inertia along each edge.
template <class T>
[[gnu::noinline]] T add_films(RodProblem<T>& p, const std::vector<T>& u) {
    T value(0.0);
    for (std::size_t i = 0; i < p.film.size(); ++i)
        value += add_film(p.film[i], vec_at(u, 4 * i), vec_at(u, 4 * i + 4), &p.gradient[4 * i],
                          &p.band[4 * i * Band::kStride]);
    return value;
}

/// `gradient` and `band` point at the unknowns of the edge's first vertex.
template <class T>
T add_stretch(RodElement<T>& el, const elastic::RodEdge<T>& edge, const HessianChoice<T>& hessian,
              T* gradient, T* band) {
    const auto s = elastic::stretch(edge.tangent, edge.length, edge.inverse_length, el.stretch_stiffness,
                                    el.rest_length, hessian.exact, el.tension, hessian.predicted_tension);
    el.tangent = edge.tangent;
    el.excess = edge.length - el.rest_length;
    for (int c = 0; c < 3; ++c) {
        gradient[c] -= s.gradient[c];
        gradient[4 + c] += s.gradient[c];
        for (int r = 0; r < 3; ++r) band[c * Band::kStride + 4 + r - c] -= s.hessian(r, c);
        for (int r = c; r < 3; ++r) {
            band[c * Band::kStride + r - c] += s.hessian(r, c);
            band[(4 + c) * Band::kStride + r - c] += s.hessian(r, c);
        }
    }
    return s.value;
}

template <class T>
struct PlacedEdge {
    elastic::RodEdge<T> edge;
    T angle;
};

/// The joint at a vertex; `gradient` and `band` point at the unknowns of the vertex before it.
template <class T>
T add_joint(const RodElement<T>& el, const PlacedEdge<T>& before, const PlacedEdge<T>& after,
            const elastic::Joint<T>& joint, const T& exact, T* gradient, T* band) {
    elastic::JointEnergy<T> energy;
    const T twist = (after.angle - before.angle) + elastic::reference_twist(before.edge, after.edge);
    elastic::add_bend(joint, before.edge, after.edge, el.bend, exact, energy);
    elastic::add_twist(joint, before.edge, after.edge, twist, el.twist, exact, energy);
    elastic::follow_hop(before.edge, after.edge, exact, energy);
    elastic::scatter_gradient(energy, [&](int r, const T& v) { gradient[r] += v; });
    elastic::scatter_hessian(energy, [&](int r, int c, const T& v) { band[c * Band::kStride + r - c] += v; });
    return energy.value;
}

/// Replaces a prescribed unknown's equation by "no change".
template <class T>
void hold(RodProblem<T>& p, const MaskOf<T>& mask, std::size_t row) {
    p.gradient[row] = select(mask, T(0.0), p.gradient[row]);
    p.band[Band::index(row, row)] = select(mask, T(1.0), p.band[Band::index(row, row)]);
    for (std::size_t k = 1; k <= Band::kHalf; ++k) {
        T& below = p.band[Band::index(row + k, row)];
        below = select(mask, T(0.0), below);
        if (row < k) continue;
        T& left = p.band[Band::index(row, row - k)];
        left = select(mask, T(0.0), left);
    }
}

}  // namespace detail

template <class T>
PotentialAt<T> evaluate_potential(RodProblem<T>& p, const std::vector<T>& u,
                                  const HessianChoice<T>& hessian) {
    std::fill(p.gradient.begin(), p.gradient.end(), T(0.0));
    std::fill(p.band.begin(), p.band.end(), T(0.0));
    PotentialAt<T> at{T(0.0), T(0.0) < T(1.0)};
    detail::PlacedEdge<T> before{}, after{};
    for (std::size_t i = 0; i < p.vertices; ++i) {
        RodElement<T>& el = p.element[i];
        const std::size_t row = 4 * i;
        T* gradient = &p.gradient[row];
        T* band = &p.band[row * Band::kStride];
        const Vec3<T> here = detail::vec_at(u, row);
        at.value += detail::add_inertia(el, here, gradient, band);
        if (i + 1 == p.vertices) break;

        const T turn = u[row + 3];
        gradient[3] += el.inertia * turn - el.turn_pull;
        band[3 * Band::kStride] += el.inertia;
        at.value += (T(0.5) * el.inertia * turn - el.turn_pull) * turn;

        after.angle = el.angle + turn;
        after.edge = elastic::place_edge(el.edge + (detail::vec_at(u, row + 4) - here), after.angle, el.base);
        at.allowed = at.allowed & (after.edge.hop_cosine > T(elastic::kLeastHop)) &
                     (after.edge.length > T(kLeastLengthRatio) * el.rest_length);
        at.value += detail::add_stretch(el, after.edge, hessian, gradient, band);
        if (i > 0) {
            const elastic::Joint<T> joint = elastic::make_joint(before.edge, after.edge);
            at.allowed = at.allowed & (joint.turn > T(elastic::kLeastTurn));
            at.value += detail::add_joint(el, before, after, joint, hessian.exact, gradient - 4,
                                          band - 4 * Band::kStride);
        }
        before = after;
    }
    if (!p.film.empty()) at.value += detail::add_films(p, u);
    for_each_held(p.held, p.vertices,
                  [&](const MaskOf<T>& mask, std::size_t row) { detail::hold(p, mask, row); });
    return at;
}

/// `exact` per lane: 1 exact Hessian, 0 the positive Gauss-Newton one.
template <class T>
PotentialAt<T> evaluate_potential(RodProblem<T>& p, const std::vector<T>& u, const T& exact) {
    return evaluate_potential(p, u, HessianChoice<T>{exact, T(1.0) < T(0.0)});
}

}  // namespace rivulet::strand
