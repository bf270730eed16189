#pragma once

#include <rivulet/scene/scene.h>

namespace rivulet::scene {

/// Refuses strands with more vertices than `output.max_vertices` or than fit into memory, and single ones of
/// more segments than a strand can have. Returns the vertices they will have. `count` need not be whole: it
/// may be far beyond what can be counted.
double require_strand_size(const Scene& scene, const Strands& entity, double count);

/// Vertices of all strands, as far as the scene alone says it: of strands by density it does not. Refuses as
/// above.
double known_vertices(const Scene& scene);

}  // namespace rivulet::scene
