#pragma once

#include <rivulet/elastic/rod_frame.h>
#include <rivulet/elastic/sym3.h>

/// Discrete elastic rods (Bergou et al. 2008, 2010; the four-curvature form of Kaldor et al. 2010), each
/// energy with its value, gradient and Hessian. Templates over the scalar: double, or Pack for four rods.
///
/// Two neighbouring edges e (tangent a, length l_a) and e′ (tangent b) make a joint. Its unknowns are kept as
/// (e, e′, θ_a, θ_b) and expanded to vertices only when a matrix is assembled. Reference directors are
/// transported in one hop from a base configuration (the start of the step), so every energy is a true
/// function of positions and angles, and gradient and Hessian are those of that function everywhere:
/// moving an edge by δe turns its transported director against infinitesimal transport by
/// δψ = h·δe, h = −(t₀×a)/((1 + t₀·a) l_a).
namespace rivulet::elastic {

/// NOTE: 1 + a·b of a joint is held above this value (a turn of 177.4°) so that no arithmetic overflows. The
/// curvature 2 tan(turn/2) grows without bound towards a full fold and keeps rods away from it; solvers must
/// reject configurations that a `turn_allowed` test refuses, because derivatives are not those of the value
/// there.
inline constexpr double kLeastTurn = 1e-3;

/// NOTE: one hop of transport from the base configuration is accepted up to 120°.
inline constexpr double kLeastHop = 0.5;

/// An edge of the base configuration.
template <class T>
struct EdgeBase {
    Vec3<T> tangent, director;
};

/// An edge as it is now.
template <class T>
struct RodEdge {
    Vec3<T> tangent;
    T length, inverse_length;
    Vec3<T> director;      // transported reference director
    Vec3<T> axis1, axis2;  // material axes
    Vec3<T> hop;           // t₀×a / (1 + t₀·a)
    Vec3<T> hop_mean;      // (t₀ + a) / (1 + t₀·a)
    T hop_cosine;          // 1 + t₀·a
};

template <class T>
RodEdge<T> place_edge(const Vec3<T>& e, const T& angle, const EdgeBase<T>& base) {
    using std::cos, std::sin;
    RodEdge<T> edge;
    edge.length = length(e);
    edge.inverse_length = T(1.0) / edge.length;
    edge.tangent = e * edge.inverse_length;
    edge.hop_cosine = T(1.0) + dot(base.tangent, edge.tangent);
    const T inverse = T(1.0) / max(edge.hop_cosine, T(kLeastTurn));
    const Vec3<T> w = cross(base.tangent, edge.tangent);
    const Vec3<T> wd = cross(w, base.director);
    edge.director = base.director + wd + inverse * cross(w, wd);
    edge.hop = inverse * w;
    edge.hop_mean = inverse * (base.tangent + edge.tangent);
    const Vec3<T> across = cross(edge.tangent, edge.director);
    const T c = cos(angle), s = sin(angle);
    edge.axis1 = c * edge.director + s * across;
    edge.axis2 = c * across - s * edge.director;
    return edge;
}

/// What the energies of a joint share.
template <class T>
struct Joint {
    T turn;            // 1 + a·b as it is
    T inverse_chi;     // 1 / (1 + a·b), guarded
    Vec3<T> binormal;  // κb = 2 a×b / (1 + a·b)                        (A1)
    Vec3<T> mean;      // t̃ = (a + b) / (1 + a·b)
};

template <class T>
Joint<T> make_joint(const RodEdge<T>& before, const RodEdge<T>& after) {
    Joint<T> j;
    j.turn = T(1.0) + dot(before.tangent, after.tangent);
    j.inverse_chi = T(1.0) / max(j.turn, T(kLeastTurn));
    j.binormal = (T(2.0) * j.inverse_chi) * cross(before.tangent, after.tangent);
    j.mean = j.inverse_chi * (before.tangent + after.tangent);
    return j;
}

/// Angle by which the reference director turns from one edge to the next, in (-π, π].
template <class T>
T reference_twist(const RodEdge<T>& before, const RodEdge<T>& after) {
    const Vec3<T> carried = parallel_transport(before.director, before.tangent, after.tangent);
    return signed_angle(carried, after.director, after.tangent);
}

/// Curvatures of a joint along the material axes of both its edges (A6): κ₁ = m₂·κb, κ₂ = −m₁·κb. Integrated
/// over the joint, dimensionless: 2 tan(turn/2).
template <class T>
struct Curvatures {
    T before1, before2, after1, after2;
};

template <class T>
Curvatures<T> curvatures(const Joint<T>& j, const RodEdge<T>& before, const RodEdge<T>& after) {
    return {dot(before.axis2, j.binormal), -dot(before.axis1, j.binormal), dot(after.axis2, j.binormal),
            -dot(after.axis1, j.binormal)};
}

/// Energy of a joint, by its edges and angles. Hessian blocks: rows first letter, columns second.
template <class T>
struct JointEnergy {
    T value{};
    Vec3<T> e, f;            // ∂/∂e, ∂/∂e′
    T angle_e{}, angle_f{};  // ∂/∂θ_a, ∂/∂θ_b
    Sym3<T> ee, ff;
    Mat3<T> ef;
    Vec3<T> e_angle_e, e_angle_f, f_angle_e, f_angle_f;
    T angle_ee{}, angle_ef{}, angle_ff{};
};

/// Bending: ¼ Σ over both edges of s₁(κ₁−κ̄₁)² + s₂(κ₂−κ̄₂)², s = E·I / (length of the joint) [J]. (A31)
template <class T>
struct BendRest {
    T stiffness1, stiffness2;
    Curvatures<T> rest;
};

/// Twisting: ½ s (θ_b − θ_a + reference twist − rest)², s = G·J / (length of the joint) [J].
template <class T>
struct TwistRest {
    T stiffness, rest;
};

template <class T>
T bend_value(const Curvatures<T>& k, const BendRest<T>& rest) {
    const T d1 = k.before1 - rest.rest.before1, d2 = k.before2 - rest.rest.before2;
    const T d3 = k.after1 - rest.rest.after1, d4 = k.after2 - rest.rest.after2;
    return T(0.25) * (rest.stiffness1 * (d1 * d1 + d3 * d3) + rest.stiffness2 * (d2 * d2 + d4 * d4));
}

template <class T>
T twist_value(const T& twist, const TwistRest<T>& rest) {
    const T excess = twist - rest.rest;
    return T(0.5) * rest.stiffness * excess * excess;
}

namespace detail {

/// Derivatives of p·κb by e and e′ times the lengths of these edges, for p carried along by its edge:
/// l_a ∂/∂e = −(p·κb) t̃ + 2 b×p/χ, l_b ∂/∂e′ = −(p·κb) t̃ − 2 a×p/χ            (A13, A14)
template <class T>
struct Slopes {
    Vec3<T> e, f;
};
template <class T>
Slopes<T> slopes(const Joint<T>& j, const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& p, const T& along) {
    const Vec3<T> q = (T(2.0) * j.inverse_chi) * p, back = along * j.mean;
    return {cross(b, q) - back, cross(q, a) - back};
}

/// Adds ½ s ∇κ⊗∇κ of one curvature that turns with the angle of one edge (own slope `angle`).
template <bool OwnIsBefore, class T>
void add_squared_slope(JointEnergy<T>& out, const T& s, const Vec3<T>& e, const Vec3<T>& f, const T& angle) {
    out.ee.add_square(s, e);
    out.ff.add_square(s, f);
    add_outer(out.ef, s, e, f);
    const T sa = s * angle;
    if constexpr (OwnIsBefore) {
        out.e_angle_e += sa * e;
        out.f_angle_e += sa * f;
        out.angle_ee += sa * angle;
    } else {
        out.e_angle_f += sa * e;
        out.f_angle_f += sa * f;
        out.angle_ff += sa * angle;
    }
}

}  // namespace detail

/// Adds the bending energy. `exact` is 1 for the exact Hessian and 0 for the Gauss-Newton one, which is
/// positive semi-definite; lanes may differ.
///
/// The second derivatives of the four curvatures are needed only in the sum weighted by the moments
/// w = ½ s (κ−κ̄), and every curvature is linear in a material axis: they collapse to those of p·κb with
/// p = Σ w₁m₂ − w₂m₁ over both edges. With f = p·κb and (g_a, g_b) its slopes (appendix A23 to A30, mended
/// and simplified):
///   ∂²/∂e∂e   = −[ g_a⊗t̃ + t̃⊗g_a + (f/χ)(I − a⊗a) − sym(κb⊗p_a) ] / l_a²      (own edge's part p_a)
///   ∂²/∂e∂e′  = −[ g_a⊗t̃ + t̃⊗g_b + (f/χ)(I + a⊗b) + (2/χ)[p]× ] / (l_a l_b)
template <class T>
void add_bend(const Joint<T>& j, const RodEdge<T>& before, const RodEdge<T>& after, const BendRest<T>& rest,
              const T& exact, JointEnergy<T>& out) {
    const T half1 = T(0.5) * rest.stiffness1, half2 = T(0.5) * rest.stiffness2;
    const Curvatures<T> k = curvatures(j, before, after);
    const T d1 = k.before1 - rest.rest.before1, d2 = k.before2 - rest.rest.before2;
    const T d3 = k.after1 - rest.rest.after1, d4 = k.after2 - rest.rest.after2;
    const T w1 = half1 * d1, w2 = half2 * d2, w3 = half1 * d3, w4 = half2 * d4;
    out.value += bend_value(k, rest);

    const Vec3<T>&a = before.tangent, &b = after.tangent;
    const T la = before.inverse_length, lb = after.inverse_length;
    const Vec3<T> pa = w1 * before.axis2 - w2 * before.axis1, pb = w3 * after.axis2 - w4 * after.axis1;
    const Vec3<T> p = pa + pb;
    const T f = (w1 * k.before1 + w2 * k.before2) + (w3 * k.after1 + w4 * k.after2);
    const detail::Slopes<T> g = detail::slopes(j, a, b, p, f);
    const T turn_a = w1 * k.before2 - w2 * k.before1, turn_b = w3 * k.after2 - w4 * k.after1;
    out.e += la * g.e;
    out.f += lb * g.f;
    out.angle_e += turn_a;
    out.angle_f += turn_b;

    const auto s1 = detail::slopes(j, a, b, before.axis2, k.before1);
    const auto s2 = detail::slopes(j, a, b, -before.axis1, k.before2);
    const auto s3 = detail::slopes(j, a, b, after.axis2, k.after1);
    const auto s4 = detail::slopes(j, a, b, -after.axis1, k.after2);
    detail::add_squared_slope<true>(out, half1, la * s1.e, lb * s1.f, k.before2);
    detail::add_squared_slope<true>(out, half2, la * s2.e, lb * s2.f, -k.before1);
    detail::add_squared_slope<false>(out, half1, la * s3.e, lb * s3.f, k.after2);
    detail::add_squared_slope<false>(out, half2, la * s4.e, lb * s4.f, -k.after1);

    const T ea = -exact * la, eb = -exact * lb;
    const T ea2 = ea * la, eb2 = eb * lb, eab = ea * lb;
    const T bow = f * j.inverse_chi;
    out.ee.add_pair(ea2, g.e, j.mean);
    out.ee.add_identity(ea2 * bow);
    out.ee.add_square(-ea2 * bow, a);
    out.ee.add_pair(T(-0.5) * ea2, j.binormal, pa);
    out.ff.add_pair(eb2, g.f, j.mean);
    out.ff.add_identity(eb2 * bow);
    out.ff.add_square(-eb2 * bow, b);
    out.ff.add_pair(T(-0.5) * eb2, j.binormal, pb);
    add_outer(out.ef, eab, g.e, j.mean);
    add_outer(out.ef, eab, j.mean, g.f);
    add_outer(out.ef, eab * bow, a, b);
    for (int i = 0; i < 3; ++i) out.ef(i, i) += eab * bow;
    add_cross_matrix(out.ef, (T(2.0) * eab * j.inverse_chi) * p);
    // ∂p_a/∂θ_a = a×p_a = −w₁m₁ − w₂m₂, whose product with κb is w₁κ₂ − w₂κ₁; and ∂²/∂θ_a² = −p_a·κb.
    const auto qa = detail::slopes(j, a, b, cross(a, pa), turn_a);
    const auto qb = detail::slopes(j, a, b, cross(b, pb), turn_b);
    out.e_angle_e -= ea * qa.e;
    out.f_angle_e -= eb * qa.f;
    out.e_angle_f -= ea * qb.e;
    out.f_angle_f -= eb * qb.f;
    out.angle_ee -= exact * (w1 * k.before1 + w2 * k.before2);
    out.angle_ff -= exact * (w3 * k.after1 + w4 * k.after2);
}

/// Adds the twisting energy (Bergou et al. 2010, eq. 7 to 9 and appendix): ∂m/∂e = κb/(2 l_a), and
///   ∂²m/∂e∂e  = −[κb⊗(a + t̃) + (a + t̃)⊗κb] / (4 l_a²)
///   ∂²m/∂e∂e′ = [(2/χ)[a]× − κb⊗t̃] / (2 l_a l_b)
template <class T>
void add_twist(const Joint<T>& j, const RodEdge<T>& before, const RodEdge<T>& after, const T& twist,
               const TwistRest<T>& rest, const T& exact, JointEnergy<T>& out) {
    const T excess = twist - rest.rest;
    const T moment = rest.stiffness * excess;
    out.value += twist_value(twist, rest);
    const T la = before.inverse_length, lb = after.inverse_length;
    const Vec3<T> me = (T(0.5) * la) * j.binormal, mf = (T(0.5) * lb) * j.binormal;
    out.e += moment * me;
    out.f += moment * mf;
    out.angle_e -= moment;
    out.angle_f += moment;

    const T s = rest.stiffness;
    const Vec3<T> se = s * me, sf = s * mf;
    out.ee.add_square(s, me);
    out.ff.add_square(s, mf);
    add_outer(out.ef, s, me, mf);
    out.e_angle_e -= se;
    out.f_angle_e -= sf;
    out.e_angle_f += se;
    out.f_angle_f += sf;
    out.angle_ee += s;
    out.angle_ef -= s;
    out.angle_ff += s;

    const T half = T(0.5) * exact * moment;
    out.ee.add_pair(T(-0.5) * half * la * la, j.binormal, before.tangent + j.mean);
    out.ff.add_pair(T(-0.5) * half * lb * lb, j.binormal, after.tangent + j.mean);
    add_outer(out.ef, -half * la * lb, j.binormal, j.mean);
    add_cross_matrix(out.ef, (T(2.0) * half * la * lb * j.inverse_chi) * before.tangent);
}

/// Makes derivatives that assume infinitesimal transport those of the one-hop function: θ is replaced by
/// θ + ψ(e), ∂ψ/∂e = h. Call once, after all energies of the joint have been added.
template <class T>
void follow_hop(const RodEdge<T>& before, const RodEdge<T>& after, const T& exact, JointEnergy<T>& out) {
    const T la = before.inverse_length, lb = after.inverse_length;
    const Vec3<T> ha = -la * before.hop, hb = -lb * after.hop;
    out.e += out.angle_e * ha;
    out.f += out.angle_f * hb;
    const T one(1.0);
    out.ee.add_pair(one, ha, out.e_angle_e);
    out.ee.add_square(out.angle_ee, ha);
    out.ff.add_pair(one, hb, out.f_angle_f);
    out.ff.add_square(out.angle_ff, hb);
    add_outer(out.ef, one, ha, out.f_angle_e + out.angle_ef * hb);
    add_outer(out.ef, one, out.e_angle_f, hb);
    // sym ∂h/∂e, of the same form as the second derivative of the twist.
    out.ee.add_pair(T(0.5) * exact * out.angle_e * la * la, before.hop, before.tangent + before.hop_mean);
    out.ff.add_pair(T(0.5) * exact * out.angle_f * lb * lb, after.hop, after.tangent + after.hop_mean);
    out.e_angle_e += out.angle_ee * ha;
    out.e_angle_f += out.angle_ef * ha;
    out.f_angle_e += out.angle_ef * hb;
    out.f_angle_f += out.angle_ff * hb;
}

/// Stretching of one edge: ½ s (l − l̄)², s = E·A / l̄ [N/m]; derivatives by the edge vector.
template <class T>
struct StretchEnergy {
    T value;
    Vec3<T> gradient;
    Sym3<T> hessian;
};

/// `tension` stands for the stretching force in the stiffness across the edge (where `predicted`): a solver
/// that knows the tension better than the present length does converges much faster, because a stiff edge
/// that is a little too long shows a tension far beyond what it will carry. Otherwise the Hessian is exact.
/// With `exact` 0 the negative stiffness of a compressed edge across its direction is left out.
template <class T, class Mask>
StretchEnergy<T> stretch(const Vec3<T>& tangent, const T& length_now, const T& inverse_length,
                         const T& stiffness, const T& rest_length, const T& exact, const T& tension,
                         const Mask& predicted) {
    StretchEnergy<T> out;
    const T excess = length_now - rest_length;
    const T force = stiffness * excess;
    out.value = T(0.5) * force * excess;
    out.gradient = force * tangent;
    const T across_exact = select(predicted, tension, force) * inverse_length;
    const T across = select(exact > T(0.5), across_exact, max(across_exact, T(0.0)));
    out.hessian = {};
    out.hessian.add_identity(across);
    out.hessian.add_square(stiffness - across, tangent);
    return out;
}

template <class T>
StretchEnergy<T> stretch(const Vec3<T>& tangent, const T& length_now, const T& inverse_length,
                         const T& stiffness, const T& rest_length, const T& exact) {
    return stretch(tangent, length_now, inverse_length, stiffness, rest_length, exact, T(0.0),
                   T(1.0) < T(0.0));
}

}  // namespace rivulet::elastic
