#pragma once

#include <rivulet/output/frame.h>
#include <rivulet/render/camera.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

/// Everything the frame has, with materials, lights and an automatic camera for this width / height. Of the
/// shape of a group depends how it is drawn: points are balls, lines curves with a radius, meshes triangles;
/// points that are liquid make way for the liquid's surface where there is one.
Scene scene_of_frame(const output::Frame& frame, float aspect);

/// The box that the automatic camera frames: what moves, without strays, and obstacles of a like size.
Box box_of_frame(const output::Frame& frame);

/// Where a floor may lie without covering an obstacle that is drawn, be it too large for the box; at most one
/// size of the box below it: what reaches deeper stands in the floor.
float floor_of_frame(const output::Frame& frame);

}  // namespace rivulet::render
