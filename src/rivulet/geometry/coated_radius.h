#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rivulet::geometry {

/// Radius [m] of a round strand with a coat around it whose cross-section is `coat_area` [m²]:
/// π R² = π r² + area. Negative areas count as none.
template <class T>
T coated_radius(T radius, T coat_area) {
    return std::sqrt(radius * radius + std::max(coat_area, T(0)) / std::numbers::pi_v<T>);
}

}  // namespace rivulet::geometry
