#pragma once

#include <numbers>

namespace rivulet::elastic {

/// Elliptic cross-section with semi-axis a along material axis 1 and b along material axis 2 [m].
template <class T>
struct CrossSection {
    T a, b;

    /// [m^2]
    T area() const { return T(std::numbers::pi) * a * b; }
    /// Second moment of bending in the plane of the tangent and axis 1, which goes with curvature 1 [m^4].
    T bending_moment_1() const { return T(0.25) * area() * (a * a); }
    /// The same in the plane of the tangent and axis 2, which goes with curvature 2 [m^4].
    T bending_moment_2() const { return T(0.25) * area() * (b * b); }
    /// Saint-Venant's torsion constant of an ellipse, π a³b³ / (a² + b²) [m^4]; πr⁴/2 for a circle.
    T torsion_constant() const { return area() * (a * a) * (b * b) / (a * a + b * b); }
    /// Polar moment ∫ r² dA, the rotary inertia about the tangent over density and length [m^4].
    T polar_moment() const { return T(0.25) * area() * (a * a + b * b); }
};

}  // namespace rivulet::elastic
