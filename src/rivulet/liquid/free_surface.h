#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rivulet::liquid {

/// Smallest fraction of a cell between a liquid cell's centre and the surface that the ghost-fluid condition
/// sees. NOTE: it bounds the diagonal (and so the pressure gradient over a vanishing distance) by 1000 times
/// that of a full cell; the surface moves by less than a thousandth of a cell.
inline constexpr double kLeastSurfaceFraction = 1e-3;

/// Part of the way from a liquid centre (phi_liquid < 0) to an air centre (phi_air ≥ 0) at which the surface
/// lies, phi linear between them (Gibou et al. 2002; Enright et al. 2003). Dimensionless, in [0.001, 1].
inline double surface_fraction(double phi_liquid, double phi_air) {
    return std::clamp(phi_liquid / (phi_liquid - phi_air), kLeastSurfaceFraction, 1.0);
}

/// Largest stable step with explicit surface tension for one liquid under a free surface [s]: the shortest
/// capillary wave the grid carries, wave length 2Δx, may travel one cell. Δt = √(ρΔx³/(4πσ)).
inline double capillary_step(double density, double cell, double surface_tension) {
    return std::sqrt(density * cell * cell * cell / (4 * std::numbers::pi * surface_tension));
}

}  // namespace rivulet::liquid
