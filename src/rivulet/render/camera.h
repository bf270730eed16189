#pragma once

#include <vector>

#include <rivulet/render/scene.h>

namespace rivulet::render {

struct Box {
    Vec3f low, high;
    bool valid = false;
    Vec3f centre() const { return (low + high) * 0.5f; }
    Vec3f size() const { return high - low; }
    void include(const Box& other);
};

/// The box of nearly all points: per axis the span between the percentiles `outside` and 1 - `outside`,
/// widened by what a uniform cloud loses there, so that a few stray particles do not shrink the picture.
/// Points that are not finite are left out.
Box box_of_most(const std::vector<Vec3f>& points, float outside = 0.01f);

/// A three-quarter view from slightly above that holds the box with some air around it.
Camera frame_box(const Box& box, float aspect);

}  // namespace rivulet::render
