#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/strand/curves.h>

namespace rivulet::strand {

double polyline_length(std::span<const Vec3d> points);

/// The polyline at `segments + 1` places evenly spaced along it; both ends are kept exactly. A line without
/// length gives copies of its first point. `values`, if not empty, belong to the points and are interpolated
/// alike into `out_values`.
void resample_polyline(std::span<const Vec3d> points, std::span<const double> values, std::size_t segments,
                       std::vector<Vec3d>& out, std::vector<double>& out_values);

/// Number of segments that come closest to `segment` in length, at least `fewest`.
inline constexpr std::size_t kMostSegments = 65535;  // of one strand
std::size_t segments_for(double length, double segment, std::size_t fewest = 2);

/// Every strand cut anew into segments of about `segment` [m], even along the strand. Root data are kept.
Curves resample(const Curves& curves, double segment, std::size_t fewest_segments = 2);

}  // namespace rivulet::strand
