#pragma once

#include <rivulet/geometry/shape.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {

/// Particles a fill will make, from the share of its bounding box that the shape takes.
double expected_particles(const geometry::Shape& shape, double cell, int particles_per_cell);

/// Refuses more memory than `grid.memory_limit`, or than the machine has when that is 0.
void require_memory(const Scene& scene, double particles, double vertices = 0);

/// Particles at the start, before anything is made: meshes are read, not sampled.
double known_particles(const Scene& scene);

}  // namespace rivulet::scene
