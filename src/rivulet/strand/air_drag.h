#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <rivulet/base/mat3.h>
#include <rivulet/strand/state.h>

namespace rivulet::strand {

struct Air {
    double density = 1.2;       // kg/m^3
    double viscosity = 1.8e-5;  // Pa*s
    double along = 0.5;         // resistance along a strand over that across it; 1/2 in creeping flow
};

/// Drag coefficient of a long cylinder across the flow, curve fit of White, Viscous Fluid Flow:
/// C_d = 1 + 10 Re^(−2/3), Re on the diameter, 1e-4 < Re < 2e5. Below that range Re is held at its end.
inline double cylinder_drag_coefficient(double reynolds) {
    return 1 + 10 / std::cbrt(std::pow(std::fmax(reynolds, 1e-4), 2));
}

/// Resistance per length and speed of air across a strand [N*s/m^2]: ½ ρ d C_d(Re) |u|.
inline double resistance_across(const Air& air, double diameter, double speed_across) {
    // NOTE: at rest C_d |u| has no limit; the speed at the law's lowest Reynolds number stands in.
    const double least = 1e-4 * air.viscosity / (air.density * diameter);
    const double speed = std::fmax(speed_across, least);
    const double reynolds = air.density * speed * diameter / air.viscosity;
    return 0.5 * air.density * diameter * cylinder_drag_coefficient(reynolds) * speed;
}

/// Resistance tensor of an edge per length: k_n (I − t⊗t) + k_t t⊗t [N*s/m^2].
inline Mat3d resistance(const Air& air, double diameter, const Vec3d& tangent, const Vec3d& air_speed) {
    const double across =
        resistance_across(air, diameter, length(air_speed - dot(air_speed, tangent) * tangent));
    return across * (Mat3d::identity() + (air.along - 1) * outer(tangent, tangent));
}

/// Adds the drag of air that moves with `wind` (one entry per vertex, or a single one for all) as a force
/// with its slope by the end-of-step velocity: F = −R (u − wind), R from the velocity at the start of the
/// step. Each vertex has half of its edges. `force` and `slope` have one entry per vertex.
void add_air_drag(const StrandState& state, const Air& air, std::span<const Vec3d> wind,
                  std::span<Vec3d> force, std::span<Mat3d> slope);

}  // namespace rivulet::strand
