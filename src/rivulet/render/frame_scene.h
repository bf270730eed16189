#pragma once

#include <map>
#include <string>
#include <vector>

#include <rivulet/render/camera.h>
#include <rivulet/render/frame_arrays.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

/// What a frame's arrays do not say. Indices are those of liquid/material and strands/material; what is not
/// listed looks as by default.
struct Appearance {
    struct Liquid {
        Vec3f colour{0.35f, 0.6f, 0.9f};
        float absorption = 2;  // 1/m: colour is what is left of white light after 1 / absorption
        float opacity = 0;     // 0 clear .. 1 opaque
    };
    struct Strand {
        Vec3f colour{0.24f, 0.13f, 0.07f};
        bool hair = true;  // false: an opaque noodle or cord
    };
    enum class Side { unknown, outside, inside };
    struct Obstacle {
        Vec3f colour{0.6f, 0.6f, 0.6f};
        bool visible = true;
        Side side =
            Side::unknown;  // where the liquid is; inside: a container, drawn so that one sees into it
    };
    std::vector<Liquid> liquids;
    std::vector<Strand> strands;
    std::map<std::string, Obstacle> obstacles;
    Vec3f cloth_colour{0.62f, 0.20f, 0.17f}, body_colour{0.85f, 0.42f, 0.12f};
    float yarn_radius = 0.0004f;  // m
};

/// Everything the frame has, with materials, lights and an automatic camera for this width / height.
Scene scene_of_frame(const FrameArrays& arrays, const Appearance& appearance, float aspect);

/// The box that the automatic camera frames: what moves, without strays, and obstacles of a like size.
Box box_of_frame(const FrameArrays& arrays);

/// Where a floor may lie without covering an obstacle that is drawn, be it too large for the box; at most one
/// size of the box below it: what reaches deeper stands in the floor.
float floor_of_frame(const FrameArrays& arrays, const Appearance& appearance);

}  // namespace rivulet::render
