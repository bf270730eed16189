#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <rivulet/output/frame.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

/// The bulk liquid of a frame.
struct LiquidPoints {
    std::vector<Vec3f> position;
    std::vector<float> radius;
    std::vector<std::uint8_t> material;
};
LiquidPoints liquid_points(const output::Frame& frame);

/// The liquid material with most particles.
std::size_t commonest_liquid(const LiquidPoints& liquid);

/// The surface of several liquids as one mesh for each, by the particle nearest to each triangle; triangles
/// far from particles go to the commonest. In order of the liquids' indices.
std::vector<std::pair<std::size_t, Mesh>> split_by_liquid(Mesh surface, const LiquidPoints& liquid);

}  // namespace rivulet::render
