#pragma once

#include <string>
#include <string_view>

#include <rivulet/io/curve_arrays.h>

namespace rivulet::io {

/// Every BasisCurves prim of a .usda text, in file order. Linear curves are taken as they are; cubic ones
/// (bezier, bspline, catmullRom; nonperiodic or pinned) are evaluated at `samples_per_segment` points per
/// segment. Widths are diameters. A file with z up is turned to y up. Refused: periodic curves, prims that
/// are moved by xformOps, time samples without a default value.
CurveArrays parse_usda_curves(std::string_view text, const std::string& name, int samples_per_segment = 8);

}  // namespace rivulet::io
