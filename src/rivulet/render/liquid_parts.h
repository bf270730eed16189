#pragma once

#include <utility>
#include <vector>

#include <rivulet/output/frame.h>
#include <rivulet/render/scene.h>

namespace rivulet::render {

/// The liquid that most particles of a frame are of.
std::size_t commonest_liquid(const output::Frame& frame);

/// The mesh of a surface of liquids as one for each, in order of their indices. Triangles are of the liquid
/// that `surface` says; where it has shares, they are cut where two liquids have the same. All of it is
/// `otherwise` when nothing is said.
std::vector<std::pair<std::size_t, Mesh>> split_by_liquid(Mesh whole, const output::FrameGroup& surface,
                                                          std::size_t otherwise);

}  // namespace rivulet::render
