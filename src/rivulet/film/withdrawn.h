#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/film/liquid.h>

namespace rivulet::film {

/// Cross-section [m^2] of the film that a strand of radius a [m] draws out of a bath at this speed [m/s]: its
/// thickness is 1.34 a Ca^(2/3), Ca = μ U/σ ≪ 1 (Landau & Levich 1942; on fibres Quéré 1999), and at most a.
/// Of a Herschel-Bulkley liquid μ is that at the rate U/a. 0 without surface tension, which would hold it.
inline double withdrawn_area(const FilmLiquid& liquid, double a, double speed) {
    if (!(liquid.surface_tension > 0) || !(speed > 0)) return 0;
    const double rate = speed / a;
    const double stress = liquid.yield_stress + liquid.consistency * std::pow(rate, liquid.flow_index);
    const double capillary = stress / rate * speed / liquid.surface_tension;
    const double thickness = a * std::min(1.0, 1.34 * std::pow(capillary, 2.0 / 3));
    return std::numbers::pi * thickness * (2 * a + thickness);
}

}  // namespace rivulet::film
