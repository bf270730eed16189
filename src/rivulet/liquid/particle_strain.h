#pragma once

#include <algorithm>
#include <cstddef>

#include <rivulet/liquid/elastic_strain.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Access to the elastic strain of particles, which a state holds only when a liquid remembers its shape.

inline Strain gather_strain(const Vec3d& diagonal, const Vec3d& off_diagonal) {
    return {diagonal.x, off_diagonal.x, off_diagonal.y, diagonal.y, off_diagonal.z, diagonal.z};
}
inline void scatter_strain(const Strain& b, Vec3d& diagonal, Vec3d& off_diagonal) {
    diagonal = {b.xx, b.yy, b.zz};
    off_diagonal = {b.xy, b.xz, b.yz};
}

inline bool has_strain(const LiquidState& state) {
    return !state.strain_diagonal.empty();
}
inline Strain strain_of(const LiquidState& state, std::size_t i) {
    return gather_strain(state.strain_diagonal[i], state.strain_off_diagonal[i]);
}
inline void set_strain(LiquidState& state, std::size_t i, const Strain& b) {
    scatter_strain(b, state.strain_diagonal[i], state.strain_off_diagonal[i]);
}
/// Gives every particle of a state without strains the strain at rest.
inline void start_strain(LiquidState& state) {
    state.strain_diagonal.resize(state.size());
    state.strain_off_diagonal.resize(state.size());
    std::fill(state.strain_diagonal.begin(), state.strain_diagonal.end(), Vec3d{1, 1, 1});
    std::fill(state.strain_off_diagonal.begin(), state.strain_off_diagonal.end(), Vec3d{});
}

/// The same for the stretch, which a state holds only when a liquid tears.
inline bool has_stretch(const LiquidState& state) {
    return !state.stretch_diagonal.empty();
}
inline Strain stretch_of(const LiquidState& state, std::size_t i) {
    return gather_strain(state.stretch_diagonal[i], state.stretch_off_diagonal[i]);
}
inline void set_stretch(LiquidState& state, std::size_t i, const Strain& b) {
    scatter_strain(b, state.stretch_diagonal[i], state.stretch_off_diagonal[i]);
}
/// Gives every particle of a state without stretches that of its strain: nothing has flowed yet.
inline void start_stretch(LiquidState& state) {
    state.stretch_diagonal = state.strain_diagonal;
    state.stretch_off_diagonal = state.strain_off_diagonal;
}

inline Strain mean(double weight_a, const Strain& a, double weight_b, const Strain& b) {
    return {weight_a * a.xx + weight_b * b.xx, weight_a * a.xy + weight_b * b.xy,
            weight_a * a.xz + weight_b * b.xz, weight_a * a.yy + weight_b * b.yy,
            weight_a * a.yz + weight_b * b.yz, weight_a * a.zz + weight_b * b.zz};
}
/// Strain of two particles become one: the mean of positive definite matrices is one, brought to det = 1.
inline Strain mean_strain(double weight_a, const Strain& a, double weight_b, const Strain& b) {
    const Strain m = mean(weight_a, a, weight_b, b);
    return scaled(1 / std::cbrt(determinant(m)), m);
}

}  // namespace rivulet::liquid
