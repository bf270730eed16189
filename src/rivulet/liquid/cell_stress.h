#pragma once

#include <rivulet/grid/field.h>
#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/shear_operator.h>

namespace rivulet::liquid {

/// Mean Cauchy stress, deviatoric, of a cell's particles [Pa].
inline Strain cell_stress(const ShearParticles& p, std::size_t c) {
    Strain sum;
    double volume = 0;
    for (std::size_t i = p.order.cell_begin(c); i < p.order.cell_end(c); ++i) {
        const double modulus = p.law(i).shear_modulus, v = p.state.volume[i];
        if (modulus > 0)
            sum = mean(1, sum, v / p.state.volume_ratio[i], shear_stress(modulus, strain_of(p.state, i)));
        volume += v;
    }
    return volume > 0 ? scaled(1 / volume, sum) : Strain{};
}

/// Gradient of a field of cells at cell `cell` of a block, times two cells; 0 along axes where one ends.
inline Vec3d slope_at(const CellNeighbours& near, int cell, const grid::Field& field) {
    Vec3d slope;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::ptrdiff_t low = near.lower(cell, axis), up = near.upper(cell, axis);
        if (low >= 0 && up >= 0) slope[int(axis)] = field[std::size_t(up)] - field[std::size_t(low)];
    }
    return slope;
}

}  // namespace rivulet::liquid
