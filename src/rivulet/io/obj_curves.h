#pragma once

#include <string>
#include <string_view>

#include <rivulet/io/curve_arrays.h>

namespace rivulet::io {

/// The `l` elements of an OBJ file. Elements that share end points are joined, as exporters write one segment
/// per line; vertices, faces and everything else are passed over.
CurveArrays parse_obj_curves(std::string_view text, const std::string& name);

/// The same curves as OBJ text, one `l` per curve, shortest decimals that read back exactly.
std::string format_obj_curves(const CurveArrays& curves);

}  // namespace rivulet::io
