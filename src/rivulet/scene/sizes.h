#pragma once

#include <rivulet/geometry/shape.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {

/// Particles a fill will make, from the share of its bounding box that the shape takes.
double expected_particles(const geometry::Shape& shape, double cell, int particles_per_cell);

/// Refuses more memory than `grid.memory_limit`, or than the machine has when that is 0.
void require_memory(const Scene& scene, double particles, double vertices = 0);

/// Refuses strands with more vertices than `output.max_vertices` or than fit into memory, and single ones of
/// more segments than a strand can have. Returns the vertices they will have. `count` need not be whole: it
/// may be far beyond what can be counted.
double require_strand_size(const Scene& scene, const Strands& entity, double count);

/// Everything whose size follows from the scene alone, before anything is made of it. Strands by density and
/// unions with meshes are looked at when their surface is known.
void require_sizes(const Scene& scene);

}  // namespace rivulet::scene
