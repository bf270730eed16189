#pragma once

#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// Brings a state that was computed with another model in line with this one: forgets what no liquid of it
/// remembers (strain, stretch, compression), and gives films room for liquids that join.
void adapt(const Model& model, World& world);

}  // namespace rivulet::world
