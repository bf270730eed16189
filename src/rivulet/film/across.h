#pragma once

#include <algorithm>
#include <cmath>

#include <rivulet/film/liquid.h>

namespace rivulet::film {

/// Mean speed [m/s] in a capillary of radius r under the wall stress τ = r Δp/2d [Pa], Fei 2017 eq. 16 with
/// the slip length ε that it lacks, u = (r² + 4εr)/(8μ) Δp/d, and for a liquid with a yield stress and flow
/// index n: (r/(3 + 1/n) + ε) ((τ − τ_y)/K)^(1/n).
inline double capillary_speed(const FilmLiquid& liquid, double radius, double slip_length,
                              double wall_stress) {
    if (!(wall_stress > liquid.yield_stress)) return 0;
    const double rate =
        std::pow((wall_stress - liquid.yield_stress) / liquid.consistency, 1 / liquid.flow_index);
    return (radius / (3 + 1 / liquid.flow_index) + slip_length) * rate;
}

/// Cross-section [m^2] that flows from a film to that of another strand in a step, where a bridge joins them;
/// negative: the other way. The suction of menisci drives it, σ/√A for a film of cross-section A: the thinner
/// film draws. It passes between the strands, whose axes are `distance` apart, over a width of √A of the
/// thinner one. It nears half of the difference as an exponential and never overshoots.
inline double flow_across(const FilmLiquid& liquid, double radius, double distance, double slip_length,
                          double first, double second, double step) {
    const double half = 0.5 * (first - second);
    if (half == 0 || !(liquid.surface_tension > 0)) return 0;
    if (!(liquid.consistency > 0)) return half;
    // NOTE: a dry strand would draw without end; no meniscus is smaller than this.
    const double least = 1e-3 * radius * radius;
    const double thin = std::sqrt(std::max(std::min(first, second), least));
    const double thick = std::sqrt(std::max(std::max(first, second), least));
    const double suction = liquid.surface_tension * (1 / thin - 1 / thick);
    const double speed = capillary_speed(liquid, radius, slip_length, 0.5 * radius * suction / distance);
    return half * -std::expm1(-step * speed * thin / std::abs(half));
}

}  // namespace rivulet::film
