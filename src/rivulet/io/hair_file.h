#pragma once

#include <string>
#include <string_view>

#include <rivulet/io/curve_arrays.h>

namespace rivulet::io {

/// Cem Yuksel's binary .hair format: a header of 128 bytes, then segments (uint16), points (3 floats),
/// thickness, transparency and colour arrays as the header's bits say; little endian. Thickness is a
/// diameter; a default thickness of 0 counts as unknown.
CurveArrays parse_hair(std::string_view bytes, const std::string& name);

}  // namespace rivulet::io
