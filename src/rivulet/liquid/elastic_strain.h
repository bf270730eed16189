#pragma once

#include <cmath>
#include <type_traits>

#include <rivulet/elastic/sym3.h>
#include <rivulet/liquid/plastic_flow.h>

namespace rivulet::liquid {

/// Volume-preserving left Cauchy-Green strain of the elastic deformation, b-bar with det = 1. Dimensionless;
/// identity at rest.
using Strain = elastic::Sym3<double>;

inline Strain identity_strain() {
    return {1, 0, 0, 1, 0, 1};
}
template <class T>
T trace(const elastic::Sym3<T>& a) {
    return a.xx + a.yy + a.zz;
}
template <class T>
T contract(const elastic::Sym3<T>& a, const elastic::Sym3<T>& b) {
    return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + T(2.0) * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
template <class T>
T norm(const elastic::Sym3<T>& a) {
    using std::sqrt;
    return sqrt(contract(a, a));
}
template <class T>
T determinant(const elastic::Sym3<T>& a) {
    return a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.yz * a.xz) +
           a.xz * (a.xy * a.yz - a.yy * a.xz);
}
template <class T>
elastic::Sym3<T> scaled(const std::type_identity_t<T>& s, const elastic::Sym3<T>& a) {
    return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}
template <class T>
elastic::Sym3<T> plus_identity(elastic::Sym3<T> a, const std::type_identity_t<T>& s) {
    a.add_identity(s);
    return a;
}
template <class T>
elastic::Sym3<T> deviator(const elastic::Sym3<T>& a) {
    return plus_identity(a, trace(a) * T(-1.0 / 3.0));
}
template <class T>
elastic::Sym3<T> symmetric_part(const Mat3<T>& a) {
    const T half = 0.5;
    return {a(0, 0), half * (a(0, 1) + a(1, 0)), half * (a(0, 2) + a(2, 0)),
            a(1, 1), half * (a(1, 2) + a(2, 1)), a(2, 2)};
}
template <class T>
Mat3<T> to_matrix(const elastic::Sym3<T>& a) {
    return {{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}}};
}

/// Deviatoric Kirchhoff stress [Pa], diss. 13.9. Cauchy stress is this divided by J.
inline Strain shear_stress(double shear_modulus, const Strain& strain) {
    return scaled(shear_modulus, deviator(strain));
}

/// Deformation over a step, I + a + a²/2 with a = step grad u, (grad u)_ij = du_i/dx_j [1/s]. The papers
/// leave it at I + a, which stretches what only turns: by half the angle squared per step across the axis,
/// step after step, until a spinning lump yields. Here it is an eighth of the fourth power.
template <class T>
Mat3<T> deformation_increment(const Mat3<T>& velocity_gradient, const std::type_identity_t<T>& step) {
    const Mat3<T> a = velocity_gradient * step;
    return Mat3<T>::identity() + a + (a * a) * T(0.5);
}

/// Elastic step of diss. 13.12: f b f^T with f the increment above, brought back to determinant 1. Not finite
/// when f is singular: the step is then far too long.
inline Strain elastic_predictor(const Strain& strain, const Mat3d& velocity_gradient, double step) {
    const Mat3d f = deformation_increment(velocity_gradient, step);
    const Strain out = symmetric_part(f * to_matrix(strain) * transpose(f));
    return scaled(1 / std::cbrt(determinant(out)), out);
}

/// The mean t of the diagonal that makes det(deviator + t I) = 1, positive definite: the largest root of
/// t^3 - J2 t + det(deviator) - 1. Convex to the right of it, so Newton's method falls to it from the bound
/// 1 + (largest possible eigenvalue of -deviator).
inline double unimodular_mean(const Strain& dev) {
    const double j2 = 0.5 * contract(dev, dev), constant = determinant(dev) - 1;
    double t = 1 + std::sqrt(4 * j2 / 3);
    for (int iteration = 0; iteration < 60; ++iteration) {
        const double next = t - ((t * t - j2) * t + constant) / (3 * t * t - j2);
        if (!(next < t)) break;
        t = next;
    }
    return t;
}

/// Plastic flow shrinks the deviator by `ratio` and keeps its direction; the trace follows from det = 1
/// (Simo 1988). Keeping the trace instead, as the papers print, lets the determinant drift without bound.
inline Strain shrink_deviator(const Strain& strain, double ratio) {
    const Strain dev = scaled(ratio, deviator(strain));
    return plus_identity(dev, unimodular_mean(dev));
}

/// mu-hat of the plastic flow [Pa]. The papers take shear_modulus * tr(b*) / 3 of the predicted strain alone,
/// which makes steady shear 4 to 6 % too soft at a shear of 1 per step (and a mean of before alone as much
/// too stiff). In simple shear by g from rest the predictor has |dev b*| = sqrt(2) g sqrt(tr(b*) / 3), so
/// that the geometric mean of before and after gives the plastic rate g / sqrt(2) exactly. Same limit for
/// short steps.
inline double flow_modulus(double shear_modulus, double mean_before, double mean_predicted) {
    return shear_modulus * std::sqrt(mean_before * mean_predicted);
}

/// One step of the strain of a particle, with what the tangent of shear_tangent.h needs.
struct ShearStep {
    Strain strain;         // at the end
    Strain direction;      // of the stress, norm 1; zero without stress
    double trial_modulus;  // shear_modulus * tr(b*) / 3 [Pa]
    double ratio = 1;      // s / s*
    double slope = 1;      // ds/ds*
    bool yielded = false;
};

inline ShearStep shear_step(const Strain& strain, const Mat3d& velocity_gradient, double step,
                            double shear_modulus, const NormLaw& law,
                            ReturnLaw which = ReturnLaw::backward_euler) {
    const Strain predicted = elastic_predictor(strain, velocity_gradient, step);
    const Strain dev = deviator(predicted);
    const double size = norm(dev), trial = shear_modulus * size, mean = trace(predicted) / 3;
    ShearStep out{predicted, Strain{}, shear_modulus * mean};
    if (size > 0) out.direction = scaled(1 / size, dev);
    if (!(trial > law.yield)) return out;
    const double modulus = flow_modulus(shear_modulus, trace(strain) / 3, mean);
    const PlasticReturn r = plastic_return(which, law, trial, modulus, step);
    out.yielded = true;
    out.ratio = r.stress / trial;
    out.slope = r.by_trial;
    out.strain = shrink_deviator(predicted, out.ratio);
    return out;
}

}  // namespace rivulet::liquid
