#pragma once

#include <cmath>
#include <numbers>

namespace rivulet::film {

/// Cross-section [m²] of a film of even thickness t [m] on a strand of semi-axes a and b [m], both of which
/// it makes longer by t: π((a + t)(b + t) − ab); on a round strand π(2at + t²).
inline double coat_area(double a, double b, double thickness) {
    return std::numbers::pi * thickness * (a + b + thickness);
}

/// The thickness [m] that such a film has: π t (a + b + t) = area.
inline double coat_thickness(double a, double b, double area) {
    const double sum = a + b, c = area / std::numbers::pi;
    // NOTE: the usual form of the root would cancel for thin films.
    return 2 * c / (sum + std::sqrt(sum * sum + 4 * c));
}

}  // namespace rivulet::film
