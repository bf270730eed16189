#include <rivulet/geometry/profile.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <rivulet/geometry/wall_outline.h>

namespace rivulet::geometry {
namespace {

constexpr int kCurvePieces = 8;  // between two points of a smooth profile
constexpr std::size_t kMostPoints = 1000;

ProfilePoint mix(const ProfilePoint& a, const ProfilePoint& b, double t) {
    return {a.radius + (b.radius - a.radius) * t, a.height + (b.height - a.height) * t};
}

/// The point at `t` in [0, 1] between b and c of the centripetal Catmull-Rom curve (Barry and Goldman 1988):
/// it neither loops nor overshoots between close points.
ProfilePoint curve_point(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c,
                         const ProfilePoint& d, double t) {
    const auto knot = [](const ProfilePoint& p, const ProfilePoint& q) {
        return std::sqrt(std::hypot(q.radius - p.radius, q.height - p.height));
    };
    const double t1 = knot(a, b), t2 = t1 + knot(b, c), t3 = t2 + knot(c, d), at = t1 + (t2 - t1) * t;
    const ProfilePoint ab = mix(a, b, at / t1), bc = mix(b, c, (at - t1) / (t2 - t1)),
                       cd = mix(c, d, (at - t2) / (t3 - t2));
    return mix(mix(ab, bc, at / t2), mix(bc, cd, (at - t1) / (t3 - t1)), (at - t1) / (t2 - t1));
}

/// Beyond an end on the axis the curve goes on as its mirror image, elsewhere straight.
ProfilePoint beyond_end(const ProfilePoint& end, const ProfilePoint& before) {
    if (end.radius == 0) return {-before.radius, before.height};
    return {2 * end.radius - before.radius, 2 * end.height - before.height};
}

ProfileLine smoothed(const ProfileLine& line) {
    const std::vector<ProfilePoint>& p = line.points;
    const std::size_t n = p.size(), spans = line.closed ? n : n - 1;
    const auto before = [&](std::size_t i) {
        return i > 0 ? p[i - 1] : line.closed ? p[n - 1] : beyond_end(p[0], p[1]);
    };
    const auto after = [&](std::size_t i) {
        return i + 1 < n ? p[i + 1] : line.closed ? p[(i + 1) % n] : beyond_end(p[n - 1], p[n - 2]);
    };
    ProfileLine out{{}, line.closed};
    for (std::size_t i = 0; i < spans; ++i) {
        const std::size_t next = (i + 1) % n;
        for (int k = 0; k < kCurvePieces; ++k)
            out.points.push_back(k == 0 ? p[i]
                                        : curve_point(before(i), p[i], p[next], after(next),
                                                      static_cast<double>(k) / kCurvePieces));
    }
    if (!line.closed) out.points.push_back(p.back());
    return out;
}

/// A closed line with an edge on the axis is an open one from axis to axis.
void open_at_axis(ProfileLine& line) {
    const std::size_t n = line.points.size();
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t next = (i + 1) % n;
        if (line.points[i].radius != 0 || line.points[next].radius != 0) continue;
        std::rotate(line.points.begin(), line.points.begin() + static_cast<std::ptrdiff_t>(next),
                    line.points.end());
        line.closed = false;
        return;
    }
}

ProfileLine line_of(std::vector<ProfilePoint> points, bool smooth, double thickness) {
    ProfileLine line{std::move(points), false};
    if (line.points.size() > 2 && line.points.front() == line.points.back()) {
        line.closed = true;
        line.points.pop_back();
        open_at_axis(line);
    }
    if (smooth) line = smoothed(line);
    if (line.closed || thickness > 0) return line;
    const ProfilePoint first = line.points.front(), last = line.points.back();
    if (first.radius > 0) line.points.insert(line.points.begin(), {0, first.height});
    if (last.radius > 0) line.points.push_back({0, last.height});
    return line;
}

double enclosed_area(const std::vector<ProfilePoint>& p) {
    double twice = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const ProfilePoint &a = p[i], &b = p[(i + 1) % p.size()];
        twice += a.radius * b.height - b.radius * a.height;
    }
    return 0.5 * twice;
}

double side_of(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& p) {
    return (b.radius - a.radius) * (p.height - a.height) - (b.height - a.height) * (p.radius - a.radius);
}

bool between(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& p) {
    return std::min(a.radius, b.radius) <= p.radius && p.radius <= std::max(a.radius, b.radius) &&
           std::min(a.height, b.height) <= p.height && p.height <= std::max(a.height, b.height);
}

bool meet(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c, const ProfilePoint& d) {
    const double ca = side_of(c, d, a), cb = side_of(c, d, b), ac = side_of(a, b, c), ad = side_of(a, b, d);
    if (ca * cb < 0 && ac * ad < 0) return true;
    return (ca == 0 && between(c, d, a)) || (cb == 0 && between(c, d, b)) || (ac == 0 && between(a, b, c)) ||
           (ad == 0 && between(a, b, d));
}

/// Neighbours may only share their point, not run back over each other.
bool folds_back(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c) {
    const double along =
        (b.radius - a.radius) * (c.radius - b.radius) + (b.height - a.height) * (c.height - b.height);
    return side_of(a, b, c) == 0 && along < 0;
}

}  // namespace

bool crosses_itself(const ProfileLine& line) {
    const std::vector<ProfilePoint>& p = line.points;
    const std::size_t n = p.size(), pieces = line.closed ? n : n - 1;
    const auto at = [&](std::size_t i) { return p[i % n]; };
    for (std::size_t i = 0; i < pieces; ++i)
        for (std::size_t j = i + 1; j < pieces; ++j) {
            if (j == i + 1 && folds_back(at(i), at(j), at(j + 1))) return true;
            const bool neighbours = j == i + 1 || (line.closed && i == 0 && j == pieces - 1);
            if (!neighbours && meet(at(i), at(i + 1), at(j), at(j + 1))) return true;
        }
    return false;
}

std::string profile_problem(const std::vector<ProfilePoint>& points, bool smooth, double thickness) {
    if (points.size() < 2) return "a profile needs at least two points";
    if (points.size() > kMostPoints)
        return "a profile has at most " + std::to_string(kMostPoints) + " points";
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        if (points[i] == points[i + 1]) return "point " + std::to_string(i + 2) + " repeats the one before";
    for (const ProfilePoint& p : points)
        if (!(p.radius >= 0)) return "a radius must not be negative";
    const ProfileLine line = line_of(points, smooth, thickness);
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const bool end = !line.closed && (i == 0 || i + 1 == line.points.size());
        if (!end && !(line.points[i].radius > 0)) return "only its ends may lie on the axis";
    }
    if (crosses_itself(line)) return "the profile crosses or touches itself";
    if (thickness == 0 && !(std::abs(enclosed_area(line.points)) > 0)) return "the profile encloses nothing";
    return "";
}

Profile::Profile(std::vector<ProfilePoint> points, bool smooth, double thickness)
    : line_(line_of(std::move(points), smooth, thickness)), thickness_(thickness) {
    if (enclosed_area(line_.points) < 0) std::reverse(line_.points.begin(), line_.points.end());
    const std::vector<ProfilePoint>& p = line_.points;
    low_ = high_ = p[0];
    for (std::size_t i = 0; i < p.size(); ++i) {
        low_ = {std::min(low_.radius, p[i].radius), std::min(low_.height, p[i].height)};
        high_ = {std::max(high_.radius, p[i].radius), std::max(high_.height, p[i].height)};
        if (i + 1 == p.size() && !line_.closed) break;
        const ProfilePoint &a = p[i], &b = p[(i + 1) % p.size()];
        const ProfilePoint along{b.radius - a.radius, b.height - a.height};
        pieces_.push_back({a, along, 1 / (along.radius * along.radius + along.height * along.height)});
    }
    const double half = 0.5 * thickness;
    low_ = {std::max(0.0, low_.radius - half), low_.height - half};
    high_ = {high_.radius + half, high_.height + half};
}

std::size_t Profile::nearest_piece(const ProfilePoint& p, double& distance2) const {
    std::size_t nearest = 0;
    distance2 = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Piece& e = pieces_[i];
        const double r = p.radius - e.start.radius, h = p.height - e.start.height;
        const double t = std::clamp((r * e.along.radius + h * e.along.height) * e.inverse_length2, 0.0, 1.0);
        const double dr = r - e.along.radius * t, dh = h - e.along.height * t, d2 = dr * dr + dh * dh;
        if (d2 < distance2) distance2 = d2, nearest = i;
    }
    return nearest;
}

/// Even-odd along a ray away from the axis.
bool Profile::encloses(const ProfilePoint& p) const {
    bool inside = false;
    for (const Piece& e : pieces_) {
        const double from = e.start.height, to = e.start.height + e.along.height;
        if ((from > p.height) == (to > p.height)) continue;
        const double crossing = e.start.radius + e.along.radius * ((p.height - from) / e.along.height);
        inside ^= p.radius < crossing;
    }
    return inside;
}

double Profile::distance(const ProfilePoint& p) const {
    double d2 = 0;
    nearest_piece(p, d2);
    const double d = std::sqrt(d2);
    if (thickness_ > 0) return d - 0.5 * thickness_;
    return encloses(p) ? -d : d;
}

Profile::Sample Profile::sample(const ProfilePoint& p) const {
    double d2 = 0;
    const Piece& e = pieces_[nearest_piece(p, d2)];
    const double d = std::sqrt(d2), r = p.radius - e.start.radius, h = p.height - e.start.height;
    const double t = std::clamp((r * e.along.radius + h * e.along.height) * e.inverse_length2, 0.0, 1.0);
    const bool inside = thickness_ == 0 && encloses(p);
    const double out = inside ? -1 : 1, value = thickness_ > 0 ? d - 0.5 * thickness_ : out * d;
    const double inverse_length = std::sqrt(e.inverse_length2);
    // On the line itself its right side is outside.
    if (d * inverse_length < 1e-12)
        return {value, {e.along.height * inverse_length, -e.along.radius * inverse_length}};
    return {value, {out * (r - e.along.radius * t) / d, out * (h - e.along.height * t) / d}};
}

std::vector<ProfileLine> Profile::outlines(int steps) const {
    if (thickness_ == 0) return {line_};
    return wall_outlines(line_, 0.5 * thickness_, steps);
}

}  // namespace rivulet::geometry
