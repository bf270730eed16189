#pragma once

#include <utility>
#include <vector>

#include <rivulet/output/frame.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

/// The liquid that most particles of a frame are of.
std::size_t commonest_liquid(const output::Frame& frame);

/// A mesh as one for each liquid its triangles are of, in order of the liquids' indices; all of it
/// `otherwise` when the triangles do not say.
std::vector<std::pair<std::size_t, Mesh>> split_by_liquid(Mesh whole,
                                                          const std::vector<std::uint8_t>& material,
                                                          std::size_t otherwise);

}  // namespace rivulet::render
