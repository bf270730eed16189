#pragma once

#include <rivulet/grid/field.h>
#include <rivulet/liquid/shear_operator.h>

namespace rivulet::liquid {

/// What shear stress does across walls: liquid that remembers its shape presses on a wall with p − n·s·n, s
/// its deviatoric stress and n the wall's normal. A slab on a plate, free at its sides, has p = W/3 and n·s·n
/// = −2W/3 under its weight W per area: the pressure alone would give a third of the friction and of the
/// adhesion.
///
/// n·s·n less `skin` (skin_pressure.h) at cells within two of a solid, means over their particles by volume,
/// positive in tension [Pa]; 0 elsewhere. Strains as before the step; `solid_distance` at cell centres [m].
void find_wall_pull(const ShearParticles& particles, const grid::Field& solid_distance,
                    const grid::Field& skin, grid::Field& pull);

}  // namespace rivulet::liquid
