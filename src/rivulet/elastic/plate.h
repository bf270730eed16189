#pragma once

#include <array>

#include <rivulet/elastic/membrane.h>

namespace rivulet::elastic {

/// Bending of a triangle by mid-edge directors. Each edge of a mesh carries a director, a unit vector across
/// it: the surface's normal there, free to turn about the edge. A triangle sees how far the directors of its
/// three sides are turned from its own normal n about its sides, φ_i, counted positive when the director
/// leans outward, towards m_i = t_i × n (t_i: the side, counter-clockwise). Its curvature, constant, is
///   κ = Σ_i 2 tan(φ_i/2) l_i/A  m̄_i ⊗ m̄_i,
/// with sides l, area A and outward directions m̄ of the rest triangle: for small deflections that of Morley's
/// element (κ is then −∇∇w). Converges on any mesh, where hinge energies do not.
///
/// Derivatives are by the corners and by turns of the directors about their sides, at the place where the
/// directors are: a moved edge carries its director along by the smallest rotation (parallel transport), and
/// a solver takes every place it reaches as the new base. The order is x₀, x₁, x₂ (three each), θ₀, θ₁, θ₂.
inline constexpr std::size_t kPlateUnknowns = 12;

/// A triangle in space with its directors.
struct PlateShape {
    Vec3d normal;
    std::array<Vec3d, 3> outward;   // m_i, across the side opposite to corner i
    std::array<Vec3d, 3> slope;     // gradients of the corners' hat functions, 1/m
    std::array<double, 3> side;     // lengths now, m
    std::array<double, 3> turn;     // 2 tan(φ_i/2)
    std::array<double, 3> forward;  // 1: a turn about the edge's own direction is one about t_i; else −1
};

/// `director[i]` and `forward[i]` of the edge opposite to corner i.
PlateShape plate_shape(const std::array<Vec3d, 3>& x, const std::array<Vec3d, 3>& director,
                       const std::array<double, 3>& forward);

/// Curvature (κ11, κ22, 2 κ12) [1/m].
Voigt curvature(const RestTriangle& rest, const std::array<double, 3>& turn);

/// Just the turns: what a line search needs.
std::array<double, 3> plate_turns(const std::array<Vec3d, 3>& x, const std::array<Vec3d, 3>& director);

/// A ½ (κ − target) : D (κ − target).
double plate_value(const RestTriangle& rest, const Orthotropic& law, const Voigt& bent, const Voigt& target);

/// All displacements of the corners count along the normal only: by these three and by the three turns.
struct PlateEnergy {
    double value = 0;
    std::array<double, 6> gradient{};
    std::array<std::array<double, 6>, 6> hessian{};  // Gauss-Newton: never negative
};
PlateEnergy plate(const RestTriangle& rest, const Orthotropic& law, const PlateShape& shape,
                  const Voigt& target);

/// The exact Hessian by all unknowns.
using PlateHessian = std::array<std::array<double, kPlateUnknowns>, kPlateUnknowns>;
PlateHessian plate_hessian(const RestTriangle& rest, const Orthotropic& law, const PlateShape& shape,
                           const Voigt& target);

}  // namespace rivulet::elastic
