#include <rivulet/strand/groom.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/strand/resample.h>
#include <rivulet/strand/root_sampling.h>

namespace rivulet::strand {
namespace {

enum Stream : std::uint64_t { kLength = 0x6001, kTilt, kPhase, kNoise };
constexpr double kTwoPi = 2 * std::numbers::pi;

double strand_length(const GroomStyle& style, std::size_t strand) {
    const double u = Random(style.seed, kLength).uniform(strand, -1, 1);
    return style.length * (1 + style.length_spread * u);
}

Vec3d root_direction(const GroomStyle& style, const Vec3d& normal, std::size_t strand) {
    const Vec3d toward = style.lean_direction - normal * dot(style.lean_direction, normal);
    const Vec3d side = normalized_or(toward, any_perpendicular(normal));
    Vec3d d = normal * std::cos(style.lean) + side * std::sin(style.lean);
    if (style.lean_spread > 0) {
        const Random random(style.seed, kTilt);
        const Vec3d u = any_perpendicular(d), v = cross(d, u);
        d += u * (style.lean_spread * random.normal(2 * strand)) +
             v * (style.lean_spread * random.normal(2 * strand + 1));
    }
    return normalized_or(d, normal);
}

/// Direction of the line at distance s from the root: turns from `start` into the fall direction.
Vec3d line_direction(const GroomStyle& style, const Vec3d& start, double s) {
    if (!(style.fall_length > 0)) return start;
    const double f = 1 - std::exp(-s / style.fall_length);
    return normalized_or(start * (1 - f) + normalized_or(style.fall_direction, start) * f, start);
}

/// 0 at the root with zero slope, 1 a few `over` away: offsets leave root position and direction alone.
double ramp(double s, double over) {
    const double x = s / over;
    return 1 - std::exp(-x * x);
}

Vec3d curl_offset(const GroomStyle& style, std::size_t strand, double s, const Vec3d& u, const Vec3d& v) {
    if (!(style.curl_radius > 0)) return {};
    const double phase = style.curl_in_phase ? 0 : Random(style.seed, kPhase).uniform(strand, 0, kTwoPi);
    const double angle = kTwoPi * s / style.curl_pitch + phase;
    return (u * std::cos(angle) + v * std::sin(angle)) *
           (style.curl_radius * ramp(s, 0.5 * style.curl_pitch));
}

/// Three waves of incommensurate lengths with random phases in each of two directions.
Vec3d noise_offset(const GroomStyle& style, std::size_t strand, double s, const Vec3d& u, const Vec3d& v) {
    if (!(style.noise_amplitude > 0)) return {};
    constexpr double kLengths[] = {1, 0.618, 0.382}, kShares[] = {0.6, 0.27, 0.13};
    const Random random(style.seed, kNoise);
    double a = 0, b = 0;
    for (std::uint64_t k = 0; k < 3; ++k) {
        const Vec3d phase = random.uniform3(3 * strand + k) * kTwoPi;
        const double angle = kTwoPi * s / (style.noise_length * kLengths[k]);
        a += kShares[k] * std::sin(angle + phase.x);
        b += kShares[k] * std::sin(angle + phase.y);
    }
    return (u * a + v * b) * (style.noise_amplitude * ramp(s, style.noise_length));
}

double drawing_step(const GroomStyle& style, double length) {
    double h = std::min(style.segment, length) / 4;
    if (style.curl_radius > 0) h = std::min(h, style.curl_pitch / 64);
    if (style.noise_amplitude > 0) h = std::min(h, style.noise_length / 24);
    if (style.fall_length > 0) h = std::min(h, style.fall_length / 16);
    return std::max(h, length / 16384);
}

/// Draws one strand finely until its own length is reached.
void draw(const GroomStyle& style, const Vec3d& root, const Vec3d& normal, std::size_t strand,
          const ClearanceAt& clearance, std::vector<Vec3d>& points) {
    const double wanted = strand_length(style, strand), h = drawing_step(style, wanted);
    const double margin = std::max(style.radius_root, style.radius_tip) + style.curl_radius;
    const Vec3d start = root_direction(style, normal, strand);
    Vec3d line = root, tangent = start, u = any_perpendicular(start);
    points.assign(1, root);
    double drawn = 0;
    // A point at most every h/64 keeps the loop finite whatever the shape.
    for (std::size_t i = 1; i < 64 * 16384; ++i) {
        const double s = h * static_cast<double>(i);
        Vec3d next = line + line_direction(style, start, s - 0.5 * h) * h;
        if (clearance) {
            const Clearance c = clearance(next);
            const double keep = std::min(margin, s);
            if (c.distance < keep) next += c.normal * (keep - c.distance);
        }
        const Vec3d new_tangent = normalized_or(next - line, tangent);
        u = normalized_or(u - new_tangent * dot(u, new_tangent), any_perpendicular(new_tangent));
        tangent = new_tangent;
        line = next;
        const Vec3d v = cross(tangent, u);
        const Vec3d p = line + curl_offset(style, strand, s, u, v) + noise_offset(style, strand, s, u, v);
        const double step = length(p - points.back());
        if (drawn + step >= wanted) {
            points.push_back(points.back() + (p - points.back()) * ((wanted - drawn) / step));
            return;
        }
        drawn += step;
        points.push_back(p);
    }
}

/// Which strand leads each strand: `count` leaders, each the farthest root from those before it.
std::vector<std::uint32_t> nearest_leaders(const std::vector<Vec3d>& roots, std::size_t count) {
    std::vector<std::uint32_t> leader(roots.size(), 0);
    std::vector<double> distance(roots.size(), std::numeric_limits<double>::infinity());
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < std::min(count, roots.size()); ++k) {
        double farthest = -1;
        std::uint32_t far_root = 0;
        for (std::uint32_t i = 0; i < roots.size(); ++i) {
            const double d = squared_length(roots[i] - roots[next]);
            if (d < distance[i]) {
                distance[i] = d;
                leader[i] = next;
            }
            if (distance[i] > farthest) {
                farthest = distance[i];
                far_root = i;
            }
        }
        next = far_root;
    }
    return leader;
}

Vec3d point_at_fraction(std::span<const Vec3d> points, double fraction) {
    const double x = fraction * static_cast<double>(points.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(x), points.size() - 2);
    return points[i] + (points[i + 1] - points[i]) * (x - static_cast<double>(i));
}

void clump(const GroomStyle& style, Curves& curves) {
    const std::size_t count = curves.strand_count();
    std::vector<Vec3d> roots(count);
    for (std::size_t s = 0; s < count; ++s) roots[s] = curves.position[curves.first_vertex(s)];
    const std::vector<std::uint32_t> leader = nearest_leaders(roots, style.clump_count);
    const std::vector<Vec3d> before = curves.position;
    parallel_chunks(count, 256, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::vector<Vec3d> pulled, even;
        std::vector<double> none;
        for (std::size_t s = begin; s < end; ++s) {
            if (leader[s] == s) continue;
            const std::span<const Vec3d> lead{before.data() + curves.start[leader[s]],
                                              curves.vertex_count(leader[s])};
            const std::size_t n = curves.vertex_count(s);
            pulled.assign(before.begin() + curves.start[s], before.begin() + curves.start[s + 1]);
            for (std::size_t i = 1; i < n; ++i) {
                const double f = static_cast<double>(i) / static_cast<double>(n - 1);
                const double pull = style.clump_strength * std::pow(f, style.clump_shape);
                pulled[i] += (point_at_fraction(lead, f) - pulled[i]) * pull;
            }
            resample_polyline(pulled, {}, n - 1, even, none);
            std::copy(even.begin(), even.end(), curves.position.begin() + curves.start[s]);
        }
    });
}

}  // namespace

Curves grow(const Roots& roots, const GroomStyle& style, const ClearanceAt& clearance) {
    const std::size_t count = roots.size();
    Curves curves;
    curves.root_uv = roots.uv;
    curves.root_normal = roots.normal;
    curves.start.resize(count + 1);
    for (std::size_t s = 0; s < count; ++s)
        curves.start[s + 1] = curves.start[s] + 1 +
                              static_cast<std::int64_t>(segments_for(strand_length(style, s), style.segment));
    curves.position.resize(static_cast<std::size_t>(curves.start.back()));
    curves.radius.resize(curves.position.size());
    parallel_chunks(count, 64, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::vector<Vec3d> fine, even;
        std::vector<double> none;
        for (std::size_t s = begin; s < end; ++s) {
            draw(style, roots.position[s], roots.normal[s], s, clearance, fine);
            const std::size_t segments = curves.vertex_count(s) - 1;
            resample_polyline(fine, {}, segments, even, none);
            for (std::size_t i = 0; i <= segments; ++i) {
                const double f = static_cast<double>(i) / static_cast<double>(segments);
                curves.position[curves.first_vertex(s) + i] = even[i];
                curves.radius[curves.first_vertex(s) + i] =
                    style.radius_root + f * (style.radius_tip - style.radius_root);
            }
        }
    });
    if (style.clump_count > 0 && count > 1) clump(style, curves);
    return curves;
}

}  // namespace rivulet::strand
