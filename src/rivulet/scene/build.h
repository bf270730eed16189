#pragma once

#include <string>
#include <vector>

#include <rivulet/scene/scene.h>
#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::scene {

/// A scene made into what the stepper works on.
struct Built {
    world::Model model;
    world::World world;  // at time 0
    std::vector<std::string> warnings;
    std::vector<std::string> notes;  // worth a line in the log, e.g. volume cut away from a fill
};

/// Throws InputError for what only shows when things are built: open meshes, fills without room, too much
/// memory.
Built build(const Scene& scene);

}  // namespace rivulet::scene
