#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/geometry/shape.h>
#include <rivulet/scene/scene.h>
#include <rivulet/world/model.h>

namespace rivulet::scene {

/// Memory of the bulk liquid at full size, roll-back copy and grid included.
inline constexpr double kBytesPerParticle = 600;

/// Particles a fill will make, from the share of its bounding box that the shape takes.
double expected_particles(const geometry::Shape& shape, double cell, int particles_per_cell);

/// Refuses more memory than `grid.memory_limit`, or than the machine has when that is 0.
void require_memory(const Scene& scene, double particles);

/// Refuses inflows whose every place lies in obstacles whenever they run.
void require_open_inflows(const world::Model& model);

/// Refuses liquids with a flow law but no shear modulus, and those so stiff in shear that the step would have
/// to be below `step.min`; a warning for each that makes steps shorter than a frame.
std::vector<std::string> check_thick_liquids(const Scene& scene);

}  // namespace rivulet::scene
