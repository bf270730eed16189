#pragma once

#include <rivulet/base/mat3.h>
#include <rivulet/base/pack.h>
#include <rivulet/base/vec3.h>

namespace rivulet::contact {

/// Coulomb's law at one contact. Everything is in the contact's own axes: x along the normal, y and z across.
/// Velocities [m/s] are those of one body against the other, positive x apart; impulses [kg m/s] act on the
/// one body, opposite on the other; W [1/kg] is velocity per impulse, symmetric and positive definite.
///
/// The law: v = W r + free; r in the cone |r_T| <= μ r_N; and one of
///     take-off  r = 0, v_N >= 0
///     stick     v = 0
///     slide     v_N = 0, |r_T| = μ r_N, v_T = -a r_T with a >= 0.
/// A gap is a shift of the free velocity: ask v_N >= -gap/h by adding gap/h to free_N, and take it off again.

/// The impulse r that obeys the law, to round-off. Take-off wins where it obeys too; for large μ and strongly
/// coupled W sliding may have several solutions, of which one is given.
///
/// Sliding: eliminating r_N by v_N = 0 leaves (M + s I) r_T = -c with s = a the unknown, M the Schur
/// complement of W_NN and c what the free velocity is then. |r_T| = μ r_N is a quartic in s; its root between
/// 0, where the stick impulse leaves the cone, and a bound, where r_T is too short, is found by Newton's
/// method in a bracket on
///     1/|r_T(s)| - w·r_T/(|r_T| β) - W_NN/(μ β) = 0,   β = -free_N,
/// which is almost linear in s.
Vec3d solve_coulomb(const Mat3d& w, const Vec3d& free, double friction);

/// Four contacts at once, each with the bits of the function above.
Vec3<Pack> solve_coulomb(const Mat3<Pack>& w, const Vec3<Pack>& free, const Pack& friction);

/// Nearest point of the cone |r_T| <= μ r_N.
Vec3d project_on_cone(const Vec3d& r, double friction);

/// How far impulse and velocity are from the law [kg m/s]: |r - P(r - ρ (v + μ |v_T| n))|, the natural map
/// with the shift of de Saxcé; zero exactly where the law holds. ρ [kg] > 0 compares velocities with
/// impulses.
double coulomb_residual(const Vec3d& impulse, const Vec3d& velocity, double friction, double rho);

/// A contact with a bridge that pulls with force f [N], changing by f' [N/m] with the gap, as one without:
///     v = W (r - h (f + h f' v_N) n) + free  =  W' r + free'
///     W' = (I + h² f' W n nᵀ)⁻¹ W,  free' = (I + h² f' W n nᵀ)⁻¹ (free - h f W n).
/// `free` is the velocity itself, no gap in it. A falling force stays as it is at the start of the step: it
/// is unstable only where the equilibrium is, and would take away from W.
struct BridgedContact {
    Mat3d w;
    Vec3d free;
};
BridgedContact absorb_bridge(const Mat3d& w, const Vec3d& free, double step, double force, double slope);

/// The bridge's own impulse along the normal, -h (f + h f' v_N), once v_N is known.
double bridge_impulse(double step, double force, double slope, double normal_velocity);

}  // namespace rivulet::contact
