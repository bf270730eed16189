#include <rivulet/strand/resample.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>

namespace rivulet::strand {

double polyline_length(std::span<const Vec3d> points) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) sum += length(points[i + 1] - points[i]);
    return sum;
}

void resample_polyline(std::span<const Vec3d> points, std::span<const double> values, std::size_t segments,
                       std::vector<Vec3d>& out, std::vector<double>& out_values) {
    out.assign(segments + 1, points.front());
    out_values.assign(values.empty() ? 0 : segments + 1, values.empty() ? 0 : values.front());
    const double step = polyline_length(points) / static_cast<double>(segments);
    std::size_t from = 0;
    double passed = 0;  // length up to `from`
    for (std::size_t i = 1; i < segments; ++i) {
        const double wanted = step * static_cast<double>(i);
        double here = length(points[from + 1] - points[from]);
        while (passed + here < wanted && from + 2 < points.size()) {
            passed += here;
            ++from;
            here = length(points[from + 1] - points[from]);
        }
        const double u = here > 0 ? std::clamp((wanted - passed) / here, 0.0, 1.0) : 0;
        out[i] = points[from] + (points[from + 1] - points[from]) * u;
        if (!values.empty()) out_values[i] = values[from] + (values[from + 1] - values[from]) * u;
    }
    out.back() = points.back();
    if (!values.empty()) out_values.back() = values.back();
}

std::size_t segments_for(double length, double segment, std::size_t fewest) {
    const double n = std::clamp(std::round(length / segment), static_cast<double>(fewest),
                                static_cast<double>(kMostSegments));
    return static_cast<std::size_t>(n);
}

Curves resample(const Curves& curves, double segment, std::size_t fewest_segments) {
    const std::size_t count = curves.strand_count();
    Curves out;
    out.root_uv = curves.root_uv;
    out.root_normal = curves.root_normal;
    out.start.resize(count + 1);
    for (std::size_t s = 0; s < count; ++s)
        out.start[s + 1] = out.start[s] +
                           static_cast<std::int64_t>(
                               segments_for(polyline_length(curves.positions(s)), segment, fewest_segments)) +
                           1;
    out.position.resize(static_cast<std::size_t>(out.start.back()));
    out.radius.resize(out.position.size());
    parallel_chunks(count, 256, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::vector<Vec3d> points;
        std::vector<double> radii;
        for (std::size_t s = begin; s < end; ++s) {
            resample_polyline(curves.positions(s), curves.radii(s), out.vertex_count(s) - 1, points, radii);
            std::copy(points.begin(), points.end(), out.position.begin() + out.start[s]);
            std::copy(radii.begin(), radii.end(), out.radius.begin() + out.start[s]);
        }
    });
    return out;
}

}  // namespace rivulet::strand
