#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <rivulet/film/liquid.h>

namespace rivulet::film {

/// How much liquid clings to a strand before a drop falls.
struct HoldLimit {
    double radius = 0;        // r_max of the largest drop, m
    double volume = 0;        // m^3 that a window of the strand may hold
    double window = 0;        // length of that window along the strand, m
    double leaving_time = 0;  // s in which the excess leaves; infinity where nothing pulls
};

/// Length [m] over which weight and surface tension balance, sqrt(sigma / (rho g)); infinite without weight.
inline double capillary_length(const FilmLiquid& liquid, double gravity) {
    return gravity > 0 ? std::sqrt(liquid.surface_tension / (liquid.density * gravity))
                       : std::numeric_limits<double>::infinity();
}

/// Largest drop that `strands` fibres of radius a [m] side by side hold against an acceleration across them
/// [m/s^2], Fei 2017 eq. 17 after Lorenceau et al. 2004:
///     r_max = (3 a sigma sqrt(N) / (rho acceleration))^(1/3).
/// It grows without bound as the acceleration across vanishes: never more than the capillary length for
/// `gravity`, the whole acceleration [m/s^2], nor than `cap` [m]. A window of 2 r_max along the strand holds
/// (4/3) pi r_max^3 (per voxel, as printed, the limit would depend on the cell); what is more leaves within
/// sqrt(r_max / gravity), the time in which a drop falls its own radius but for a factor.
inline HoldLimit hold_limit(const FilmLiquid& liquid, double a, double strands, double acceleration_across,
                            double gravity, double cap = std::numeric_limits<double>::infinity()) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double pull = liquid.density * acceleration_across;
    const double free =
        pull > 0 ? std::cbrt(3 * a * liquid.surface_tension * std::sqrt(strands) / pull) : infinity;
    HoldLimit out;
    out.radius = std::min({free, capillary_length(liquid, gravity), cap});
    out.volume = 4.0 / 3 * std::numbers::pi * out.radius * out.radius * out.radius;
    out.window = 2 * out.radius;
    out.leaving_time = gravity > 0 ? std::sqrt(out.radius / gravity) : infinity;
    return out;
}

}  // namespace rivulet::film
