#pragma once

#include <rivulet/render/camera.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

/// A floor at the height `floor`, soft sky, a key light from the upper front, a soft light from behind: a
/// photo studio sized to what it shows.
void light_studio(Scene& scene, const Box& box, float floor);

}  // namespace rivulet::render
