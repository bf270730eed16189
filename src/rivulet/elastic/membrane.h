#pragma once

#include <array>
#include <cmath>

#include <rivulet/base/mat3.h>
#include <rivulet/base/vec2.h>

namespace rivulet::elastic {

/// Three numbers of a symmetric surface tensor in material axes (1: warp, 2: weft): of strain and curvature
/// (a11, a22, 2 a12), of stress and moment (s11, s22, s12), so that their product is the work.
using Voigt = std::array<double, 3>;

inline double dot(const Voigt& a, const Voigt& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Orthotropic law, stress = C strain, axes along warp and weft. Positive when its three entries on the
/// diagonal are and coupling² < warp × weft.
struct Orthotropic {
    double warp = 0, weft = 0, coupling = 0, shear = 0;  // C11, C22, C12, C66; N/m, of bending N*m

    Voigt times(const Voigt& strain) const {
        return {warp * strain[0] + coupling * strain[1], coupling * strain[0] + weft * strain[1],
                shear * strain[2]};
    }
    Orthotropic scaled(double by) const { return {warp * by, weft * by, coupling * by, shear * by}; }
};

/// A triangle as it is woven, flat, in material axes.
struct RestTriangle {
    double area = 0;                         // m²
    std::array<Vec2d, 3> slope;              // gradient of each corner's hat function, 1/m
    std::array<double, 3> side;              // length of the side opposite to each corner, m
    std::array<Vec2d, 3> outward;            // unit, across that side
    std::array<Voigt, 3> curvature_of_turn;  // see elastic/plate.h, 1/m
};

/// Corners counter-clockwise; a degenerate triangle gives numbers that are not finite.
RestTriangle rest_triangle(const std::array<Vec2d, 3>& corner);

/// Stiffening of the threads: beyond the strain `from` the modulus along warp and weft grows in a straight
/// line, by `gain` times itself over another `from`. 0: none.
struct Stiffening {
    double from = 0, gain = 0;
};

/// Energy of a triangle by its corners.
struct MembraneEnergy {
    double value = 0;
    std::array<Vec3d, 3> gradient;
    std::array<std::array<Mat3d, 3>, 3> hessian;  // block (i, j): by corner i and corner j
};

/// Where a triangle is: the columns of its deformation gradient, F = Σ x_i ⊗ slope_i.
struct Deformation {
    Vec3d warp, weft;
};
inline Deformation deformation(const RestTriangle& rest, const std::array<Vec3d, 3>& x) {
    const Vec3d a = x[1] - x[0], b = x[2] - x[0];  // slopes add up to 0
    return {rest.slope[1].x * a + rest.slope[2].x * b, rest.slope[1].y * a + rest.slope[2].y * b};
}

/// Green strain (E11, E22, 2 E12), E = ½ (FᵀF − I).
inline Voigt green_strain(const Deformation& f) {
    return {0.5 * (squared_length(f.warp) - 1), 0.5 * (squared_length(f.weft) - 1), dot(f.warp, f.weft)};
}

/// To first order, the strain that displacements of the corners add.
Voigt strain_change(const RestTriangle& rest, const Deformation& f, const std::array<Vec3d, 3>& by);

/// Second Piola-Kirchhoff stress S = C (E − target) and what stiffening adds [N/m].
Voigt membrane_stress(const Orthotropic& law, const Stiffening& stiffening, const Voigt& strain,
                      const Voigt& target);

/// Energy of a triangle: A ½ (E − target) : C (E − target), and of stiffening A C_ii gain ⟨E_ii − from⟩³/(6
/// from).
double membrane_value(const RestTriangle& rest, const Orthotropic& law, const Stiffening& stiffening,
                      const Voigt& strain, const Voigt& target);

/// With its derivatives. `across` is the stress of the geometric stiffness: the one above gives the exact
/// Hessian, its positive part (`stress_above` 0) a Hessian that is never negative, and a solver that knows
/// better than the present strain what the threads will carry gives that.
MembraneEnergy membrane(const RestTriangle& rest, const Orthotropic& law, const Stiffening& stiffening,
                        const Deformation& f, const Voigt& target, const Voigt& across);

/// A stress (s11, s22, s12) with its principal parts at least `least`.
Voigt stress_above(double least, const Voigt& stress);

/// The least principal stress [N/m] whose geometric stiffness masses of the corners, `density` × A/3 [kg]
/// each over dt², still outweigh: with it a step's matrix stays positive.
double least_stress(const RestTriangle& rest, double density, double dt);

}  // namespace rivulet::elastic
