#pragma once

#include <string>
#include <string_view>

#include <rivulet/io/curve_arrays.h>

namespace rivulet::io {

/// Strands of a PLY file (ascii or binary, either byte order): elements `vertex` (x, y, z, optionally radius)
/// and `edge` (vertex1, vertex2). Edges that share a vertex are joined; other elements are passed over.
CurveArrays parse_ply_curves(std::string_view bytes, const std::string& name);

}  // namespace rivulet::io
