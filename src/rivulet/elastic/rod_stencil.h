#pragma once

#include <rivulet/elastic/rod.h>

namespace rivulet::elastic {

/// A joint's energy by the unknowns of its stencil, vertices and angles interleaved:
/// x₀ (3), θ_a, x₁ (3), θ_b, x₂ (3).
inline constexpr int kStencilUnknowns = 11;

/// Calls add(row, column, value) for every entry of the lower triangle, row >= column; the edges are
/// e = x₁ − x₀ and e′ = x₂ − x₁.
template <class T, class Add>
void scatter_hessian(const JointEnergy<T>& j, Add&& add) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            add(4 + r, c, j.ef(c, r) - j.ee(r, c));
            add(8 + r, c, -j.ef(c, r));
            add(8 + r, 4 + c, j.ef(c, r) - j.ff(r, c));
        }
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c <= r; ++c) {
            add(r, c, j.ee(r, c));
            add(4 + r, 4 + c, (j.ee(r, c) + j.ff(r, c)) - (j.ef(r, c) + j.ef(c, r)));
            add(8 + r, 8 + c, j.ff(r, c));
        }
    for (int c = 0; c < 3; ++c) {
        add(3, c, -j.e_angle_e[c]);
        add(4 + c, 3, j.e_angle_e[c] - j.f_angle_e[c]);
        add(8 + c, 3, j.f_angle_e[c]);
        add(7, c, -j.e_angle_f[c]);
        add(7, 4 + c, j.e_angle_f[c] - j.f_angle_f[c]);
        add(8 + c, 7, j.f_angle_f[c]);
    }
    add(3, 3, j.angle_ee);
    add(7, 3, j.angle_ef);
    add(7, 7, j.angle_ff);
}

/// Calls add(row, value) for every entry of the gradient.
template <class T, class Add>
void scatter_gradient(const JointEnergy<T>& j, Add&& add) {
    for (int c = 0; c < 3; ++c) {
        add(c, -j.e[c]);
        add(4 + c, j.e[c] - j.f[c]);
        add(8 + c, j.f[c]);
    }
    add(3, j.angle_e);
    add(7, j.angle_f);
}

}  // namespace rivulet::elastic
