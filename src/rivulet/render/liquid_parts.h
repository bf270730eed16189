#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <rivulet/render/frame_arrays.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

/// The liquid material with most particles.
std::size_t commonest_liquid(const FrameArrays::Liquid& liquid);

/// The surface of several liquids as one mesh for each, by the particle nearest to each triangle; triangles
/// far from particles go to the commonest. In order of the liquids' indices.
std::vector<std::pair<std::size_t, Mesh>> split_by_liquid(Mesh surface, const FrameArrays::Liquid& liquid);

}  // namespace rivulet::render
