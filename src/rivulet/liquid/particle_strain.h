#pragma once

#include <algorithm>
#include <cstddef>

#include <rivulet/liquid/elastic_strain.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Access to the elastic strain of particles, which a state holds only when a liquid remembers its shape.

inline bool has_strain(const LiquidState& state) {
    return !state.strain_diagonal.empty();
}
inline Strain strain_of(const LiquidState& state, std::size_t i) {
    const Vec3d &d = state.strain_diagonal[i], &o = state.strain_off_diagonal[i];
    return {d.x, o.x, o.y, d.y, o.z, d.z};
}
inline void set_strain(LiquidState& state, std::size_t i, const Strain& b) {
    state.strain_diagonal[i] = {b.xx, b.yy, b.zz};
    state.strain_off_diagonal[i] = {b.xy, b.xz, b.yz};
}
inline void clear_strain(LiquidState& state) {
    state.strain_diagonal.clear();
    state.strain_off_diagonal.clear();
}
/// Gives every particle of a state without strains the strain at rest.
inline void start_strain(LiquidState& state) {
    state.strain_diagonal.resize(state.size());
    state.strain_off_diagonal.resize(state.size());
    std::fill(state.strain_diagonal.begin(), state.strain_diagonal.end(), Vec3d{1, 1, 1});
    std::fill(state.strain_off_diagonal.begin(), state.strain_off_diagonal.end(), Vec3d{});
}

/// Strain of two particles become one: the mean of positive definite matrices is one, brought to det = 1.
inline Strain mean_strain(double weight_a, const Strain& a, double weight_b, const Strain& b) {
    const Strain m{weight_a * a.xx + weight_b * b.xx, weight_a * a.xy + weight_b * b.xy,
                   weight_a * a.xz + weight_b * b.xz, weight_a * a.yy + weight_b * b.yy,
                   weight_a * a.yz + weight_b * b.yz, weight_a * a.zz + weight_b * b.zz};
    return scaled(1 / std::cbrt(determinant(m)), m);
}

}  // namespace rivulet::liquid
