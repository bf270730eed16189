#pragma once

#include <string>
#include <vector>

#include <rivulet/base/error.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {

/// How a scene differs from the one that a run began with.
struct Changes {
    std::vector<std::string> keys;  // "liquid.pool.velocity", "inflow.tap" for one that joined
    std::vector<Problem> refused;   // those the run cannot go on with, each with its reason
};

/// A scene and every file that it was read with (ReadReport::files).
struct SceneWithFiles {
    const Scene& scene;
    const std::vector<std::string>& files;
};

/// What may change is said by the field tables (Field::fixed, EntityType::fixed and closed). Things keep
/// their places: new ones may stand behind those that were there, none may go. A file is what it holds,
/// wherever it lies and whatever it is called.
Changes changes_between(const SceneWithFiles& before, const SceneWithFiles& after);

}  // namespace rivulet::scene
