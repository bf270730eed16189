#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/io/curve_arrays.h>

namespace rivulet::io {

enum class CurveBasis { linear, bezier, bspline, catmull_rom };
enum class CurveWrap { nonperiodic, pinned };

/// Weights of the four control points of one cubic segment at u in [0, 1].
struct CubicWeights {
    double w[4];
};
CubicWeights cubic_weights(CurveBasis basis, double u);

/// A batch of basis curves as a file gives them.
struct BasisCurves {
    CurveBasis basis = CurveBasis::linear;
    CurveWrap wrap = CurveWrap::nonperiodic;
    std::vector<Vec3d> point;
    std::vector<std::int64_t> vertex_count;  // control points per curve
    std::vector<double> width;               // diameters: none, 1, per curve, per segment end, or per point
    std::string width_interpolation;         // constant, uniform, varying, vertex; empty: by the count
};

/// What is wrong with the counts, or an empty text.
std::string complaint_about(const BasisCurves& curves);

/// Appends the polylines of `curves`. Radii are appended when there are widths.
void append_polylines(const BasisCurves& curves, int samples_per_segment, CurveArrays& out);

}  // namespace rivulet::io
