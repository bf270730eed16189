#include <rivulet/io/basis_curves.h>

#include <fmt/format.h>

#include <algorithm>

namespace rivulet::io {
namespace {

/// Number of segments of a curve with n control points, or -1 when n does not fit.
std::int64_t segment_count(const BasisCurves& c, std::int64_t n) {
    switch (c.basis) {
        case CurveBasis::linear:
            return n >= 1 ? n - 1 : -1;
        case CurveBasis::bezier:
            return n >= 4 && (n - 4) % 3 == 0 ? (n - 4) / 3 + 1 : -1;
        case CurveBasis::bspline:
        case CurveBasis::catmull_rom:
            if (c.wrap == CurveWrap::pinned) return n >= 2 ? n - 1 : -1;
            return n >= 4 ? n - 3 : -1;
    }
    return -1;
}

enum class WidthPlace { none, constant, uniform, varying, vertex, wrong };

WidthPlace width_place(const BasisCurves& c, std::int64_t points, std::int64_t segment_ends) {
    if (c.width.empty()) return WidthPlace::none;
    const auto n = static_cast<std::int64_t>(c.width.size());
    const auto curves = static_cast<std::int64_t>(c.vertex_count.size());
    const auto fits = [&](std::string_view name, std::int64_t count) {
        return n == count && (c.width_interpolation.empty() || c.width_interpolation == name);
    };
    if (fits("vertex", points)) return WidthPlace::vertex;
    if (fits("varying", segment_ends)) return WidthPlace::varying;
    if (fits("constant", 1)) return WidthPlace::constant;
    if (fits("uniform", curves)) return WidthPlace::uniform;
    return WidthPlace::wrong;
}

std::int64_t total_segment_ends(const BasisCurves& c) {
    std::int64_t ends = 0;
    for (const std::int64_t n : c.vertex_count) ends += segment_count(c, n) + 1;
    return ends;
}

/// Control values of one curve, with the phantom ends of a pinned curve.
template <class T>
T control(const std::vector<T>& values, std::int64_t first, std::int64_t n, std::int64_t i) {
    const auto at = [&](std::int64_t k) { return values[static_cast<std::size_t>(first + k)]; };
    if (i < 0) return at(0) + at(0) - at(1);
    if (i >= n) return at(n - 1) + at(n - 1) - at(n - 2);
    return at(i);
}

struct CurveWindow {
    std::int64_t first_point, points, segments, first_end;  // first_end: into per-segment-end widths
};

/// Value of control data on a segment. Linear segments are visited at their ends only.
template <class T>
T evaluate(const BasisCurves& c, const std::vector<T>& values, const CurveWindow& w, std::int64_t segment,
           double u) {
    if (c.basis == CurveBasis::linear) return values[static_cast<std::size_t>(w.first_point + segment)];
    const std::int64_t step = c.basis == CurveBasis::bezier ? 3 : 1;
    const bool phantom = c.wrap == CurveWrap::pinned && c.basis != CurveBasis::bezier;
    const std::int64_t from = segment * step - (phantom ? 1 : 0);
    const CubicWeights k = cubic_weights(c.basis, u);
    T sum = control(values, w.first_point, w.points, from) * k.w[0];
    for (int i = 1; i < 4; ++i) sum = sum + control(values, w.first_point, w.points, from + i) * k.w[i];
    return sum;
}

double width_at(const BasisCurves& c, WidthPlace place, std::size_t curve, const CurveWindow& w,
                std::int64_t segment, double u) {
    switch (place) {
        case WidthPlace::constant:
            return c.width[0];
        case WidthPlace::uniform:
            return c.width[curve];
        case WidthPlace::vertex:
            return evaluate(c, c.width, w, segment, u);
        case WidthPlace::varying: {
            const double a = c.width[static_cast<std::size_t>(w.first_end + segment)];
            if (u == 0) return a;
            return a + u * (c.width[static_cast<std::size_t>(w.first_end + segment + 1)] - a);
        }
        default:
            return 0;
    }
}

}  // namespace

CubicWeights cubic_weights(CurveBasis basis, double u) {
    const double v = 1 - u;
    switch (basis) {
        case CurveBasis::bezier:
            return {{v * v * v, 3 * u * v * v, 3 * u * u * v, u * u * u}};
        case CurveBasis::bspline:
            return {{v * v * v / 6, (3 * u * u * u - 6 * u * u + 4) / 6,
                     (-3 * u * u * u + 3 * u * u + 3 * u + 1) / 6, u * u * u / 6}};
        case CurveBasis::catmull_rom:
            return {{(-u * u * u + 2 * u * u - u) / 2, (3 * u * u * u - 5 * u * u + 2) / 2,
                     (-3 * u * u * u + 4 * u * u + u) / 2, (u * u * u - u * u) / 2}};
        case CurveBasis::linear:
            break;
    }
    return {{0, v, u, 0}};
}

std::string complaint_about(const BasisCurves& c) {
    std::int64_t points = 0;
    const auto given = static_cast<std::int64_t>(c.point.size());
    for (std::size_t i = 0; i < c.vertex_count.size(); ++i) {
        const std::int64_t n = c.vertex_count[i];
        if (n < 0 || n > given - points)
            return fmt::format("the vertex counts need more than the {} points given (curve {})", given, i);
        if (segment_count(c, n) < 0)
            return fmt::format("curve {} has {} control points, which does not fit its basis", i, n);
        points += n;
    }
    if (points != given) return fmt::format("{} points, the vertex counts need {}", given, points);
    if (width_place(c, points, total_segment_ends(c)) == WidthPlace::wrong)
        return fmt::format("{} widths fit neither the curves, nor their points or segments", c.width.size());
    return {};
}

void append_polylines(const BasisCurves& c, int samples_per_segment, CurveArrays& out) {
    const std::int64_t samples = c.basis == CurveBasis::linear ? 1 : std::clamp(samples_per_segment, 1, 64);
    const WidthPlace place = width_place(c, static_cast<std::int64_t>(c.point.size()), total_segment_ends(c));
    CurveWindow w{0, 0, 0, 0};
    const auto append = [&](std::size_t curve, std::int64_t segment, double u) {
        out.position.push_back(evaluate(c, c.point, w, segment, u));
        if (place != WidthPlace::none) out.radius.push_back(0.5 * width_at(c, place, curve, w, segment, u));
    };
    for (std::size_t curve = 0; curve < c.vertex_count.size(); ++curve) {
        w.points = c.vertex_count[curve];
        w.segments = segment_count(c, w.points);
        for (std::int64_t s = 0; s < w.segments; ++s)
            for (std::int64_t i = 0; i < samples; ++i)
                append(curve, s, static_cast<double>(i) / static_cast<double>(samples));
        if (c.basis == CurveBasis::linear)
            append(curve, w.segments, 0);
        else
            append(curve, w.segments - 1, 1);
        out.start.push_back(static_cast<std::int64_t>(out.position.size()));
        w.first_point += w.points;
        w.first_end += w.segments + 1;
    }
}

}  // namespace rivulet::io
