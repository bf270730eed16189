#pragma once

#include <rivulet/grid/field.h>
#include <rivulet/liquid/pressure_system.h>
#include <rivulet/liquid/shear_operator.h>

namespace rivulet::liquid {

/// Where thick liquid ends its stress has no component along the normal n: p = n·s·n, s its deviatoric
/// stress. The pressure of the projection is 0 there and rises to n·s·n within the cell or two over which
/// particles spread the force −s·n: meanwhile it carries too little (a tenth of the load of a column 4 cells
/// in radius), and faces of little mass see large forces that all but cancel.
///
/// And at slip walls that lean in the grid the particles' share of what the wall carries does not point along
/// its normal: liquid slides too fast.
///
/// So pressure is split, p = p′ + q, q = n·s·n near the surface and slip walls and 0 inside. Particles carry
/// s − q I, which ends without a force; the projection finds p′, which is 0 at the surface and what presses
/// on the wall. Stress as before the step: at rest, and in steady flow, the same as after it.
///
/// q at cells [Pa], 0 where there is none. `solid_distance` at cell centres [m]; null: no walls.
void find_skin_pressure(const ShearParticles& particles, const PressureDomain& domain,
                        const grid::Field* solid_distance, grid::Field& skin);

}  // namespace rivulet::liquid
