#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace rivulet::film {

/// Surface of a film of outer radius R(x) around a straight line: vertices joined by cones. Its pressure is
/// how its energy, surface tension times area, grows with the volume of a vertex. That is the full curvature
///     p = sigma [1/(R sqrt(1 + R_x^2)) - R_xx/(1 + R_x^2)^(3/2)]
/// to second order in the spacing, and a film at rest under it has exactly the same pressure everywhere: it
/// is where the energy is least for its volume. (The papers' p = sigma h_xx is ill-posed, ERRATA.)

/// Area of a cone between radii r0 and r1 [m] a length [m] apart: pi (r0 + r1) sqrt(length^2 + (r1 - r0)^2)
/// [m^2], with first and second derivatives by the radii.
struct Cone {
    double area, by_r0, by_r1, by_r0_r0, by_r0_r1, by_r1_r1;
};
inline Cone cone(double r0, double r1, double length) {
    constexpr double pi = std::numbers::pi;
    const double sum = r0 + r1, rise = r1 - r0, slant = std::sqrt(length * length + rise * rise);
    const double sine = rise / slant;
    const double bend = pi * sum * length * length / (slant * slant * slant);
    return {pi * sum * slant,
            pi * (slant - sum * sine),
            pi * (slant + sum * sine),
            bend - 2 * pi * sine,
            -bend,
            bend + 2 * pi * sine};
}

/// What resists that neighbours differ: the part of a cone's second derivative that is never negative,
/// pi (r0 + r1) length^2/slant^3 [[1, -1], [-1, 1]]. The rest is what makes beads.
inline double axial_stiffness(double r0, double r1, double length) {
    const double rise = r1 - r0, slant_squared = length * length + rise * rise;
    return std::numbers::pi * (r0 + r1) * length * length / (slant_squared * std::sqrt(slant_squared));
}

/// Pressure over surface tension [1/m] at a vertex, and its derivatives by the film's areas [1/m^3] at the
/// vertex before it, itself and the one after.
struct Curvature {
    double value = 0;
    std::array<double, 3> by_area{};
};

/// `radius`: outer radii of the three; `before`, `after`: lengths of the edges, 0 where the line ends (the
/// surface is then square to the end); `length`: what the vertex stands for [m].
inline Curvature curvature(const std::array<double, 3>& radius, double before, double after, double length) {
    const double per_volume = 1 / (2 * std::numbers::pi * radius[1] * length);  // dR/dV = dR/dA / length
    const auto per_area = [&](int i) { return 1 / (2 * std::numbers::pi * radius[std::size_t(i)]); };
    Curvature out;
    double slope = 0;
    if (before > 0) {
        const Cone c = cone(radius[0], radius[1], before);
        slope += c.by_r1;
        out.by_area[0] = c.by_r0_r1 * per_volume * per_area(0);
        out.by_area[1] += c.by_r1_r1 * per_volume * per_area(1);
    }
    if (after > 0) {
        const Cone c = cone(radius[1], radius[2], after);
        slope += c.by_r0;
        out.by_area[2] = c.by_r0_r1 * per_volume * per_area(2);
        out.by_area[1] += c.by_r0_r0 * per_volume * per_area(1);
    }
    out.value = slope * per_volume;
    out.by_area[1] -= out.value / radius[1] * per_area(1);
    return out;
}

}  // namespace rivulet::film
