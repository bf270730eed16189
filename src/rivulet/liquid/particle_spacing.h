#pragma once

#include <cmath>

namespace rivulet::liquid {

/// Particles in a full cell where a scene asks for no other number.
inline constexpr int kUsualPerCell = 8;

/// Distance of particles [m] on a lattice with so many in a cell.
inline double particle_spacing(double cell, int per_cell) {
    return cell / std::cbrt(double(per_cell));
}

}  // namespace rivulet::liquid
