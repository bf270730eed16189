#pragma once

#include <string>
#include <string_view>

#include <rivulet/io/curve_arrays.h>

namespace rivulet::io {

/// The `l` elements of an OBJ file. Elements that share end points are joined, as exporters write one segment
/// per line; vertices, faces and everything else are passed over.
CurveArrays parse_obj_curves(std::string_view text, const std::string& name);

}  // namespace rivulet::io
