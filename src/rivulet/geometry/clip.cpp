#include <algorithm>
#include <cmath>
#include <utility>

#include <rivulet/geometry/clip.h>

namespace rivulet::geometry {

double edge_fraction(double a, double b) {
    const bool in_a = a < 0, in_b = b < 0;
    if (in_a == in_b) return in_a ? 1 : 0;
    return in_a ? a / (a - b) : b / (b - a);
}

double square_fraction(const std::array<double, 4>& d) {
    const bool in[4] = {d[0] < 0, d[1] < 0, d[2] < 0, d[3] < 0};
    const int inside = in[0] + in[1] + in[2] + in[3];
    if (inside == 0) return 0;
    if (inside == 4) return 1;
    // Corners in turning order, so that i-1, i, i+1 are neighbours.
    static constexpr std::array<std::size_t, 4> kTurn{0, 1, 3, 2};
    const auto at = [&](std::size_t i) { return d[kTurn[i % 4]]; };
    const auto is_in = [&](std::size_t i) { return in[kTurn[i % 4]]; };
    // Triangle cut off around corner i, on the side of its sign.
    const auto corner_area = [&](std::size_t i) {
        const double here = at(i), next = at(i + 1), before = at(i + 3);
        return 0.5 * (here / (here - next)) * (here / (here - before));
    };
    if (inside == 1 || inside == 3)
        for (std::size_t i = 0; i < 4; ++i)
            if (is_in(i) == (inside == 1)) return inside == 1 ? corner_area(i) : 1 - corner_area(i);
    for (std::size_t i = 0; i < 4; ++i)
        if (is_in(i) && is_in(i + 1))
            return 0.5 * (edge_fraction(at(i), at(i + 3)) + edge_fraction(at(i + 1), at(i + 2)));
    const double mean = (d[0] + d[3]) + (d[1] + d[2]);
    const std::size_t first = is_in(0) ? 0 : 1;
    const double joined = 1 - corner_area(first + 1) - corner_area(first + 3);
    const double apart = corner_area(first) + corner_area(first + 2);
    return mean < 0 ? joined : mean > 0 ? apart : 0.5 * (joined + apart);
}

double uncovered_square_fraction(std::span<const std::array<double, 4>> solids) {
    if (solids.empty()) return 1;
    if (solids.size() == 1) return 1 - square_fraction(solids[0]);
    // A straight cut adds one corner at most, the bilinear first one two.
    constexpr std::size_t kMostCuts = 24, kMostCorners = 32;
    struct Point {
        double x, y;
    };
    std::array<Point, kMostCorners> polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}, kept;
    std::size_t corners = 4;
    for (const auto& d : solids.first(std::min(kMostCuts, solids.size()))) {
        const auto distance = [&](const Point& p) {
            return (d[0] * (1 - p.x) + d[1] * p.x) * (1 - p.y) + (d[2] * (1 - p.x) + d[3] * p.x) * p.y;
        };
        std::size_t count = 0;
        const auto keep = [&](const Point& p) {
            if (count < kMostCorners) kept[count++] = p;
        };
        for (std::size_t i = 0; i < corners; ++i) {
            const Point &from = polygon[i], &to = polygon[(i + 1) % corners];
            const double a = distance(from), b = distance(to);
            if (a >= 0) keep(from);
            if ((a < 0) == (b < 0)) continue;
            const double t = a / (a - b);
            keep({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
        }
        std::swap(polygon, kept);
        corners = count;
    }
    double twice = 0;
    for (std::size_t i = 0; i < corners; ++i) {
        const Point &from = polygon[i], &to = polygon[(i + 1) % corners];
        twice += from.x * to.y - to.x * from.y;
    }
    return std::clamp(0.5 * twice, 0.0, 1.0);
}

double triangle_fraction(double a, double b, double c) {
    const int inside = (a < 0) + (b < 0) + (c < 0);
    if (inside == 0) return 0;
    if (inside == 3) return 1;
    // `lone` is the corner whose sign differs from the other two.
    const bool lone_inside = inside == 1;
    if ((b < 0) == lone_inside)
        std::swap(a, b);
    else if ((c < 0) == lone_inside)
        std::swap(a, c);
    const double cut = a / (a - b) * (a / (a - c));
    return lone_inside ? cut : 1 - cut;
}

double tetrahedron_fraction(const std::array<double, 4>& corner) {
    std::array<double, 4> d = corner;
    std::sort(d.begin(), d.end());
    if (!(d[0] < 0)) return 0;
    if (d[3] < 0) return 1;
    if (!(d[1] < 0)) return d[0] / (d[0] - d[1]) * (d[0] / (d[0] - d[2])) * (d[0] / (d[0] - d[3]));
    if (d[2] < 0) return 1 - d[3] / (d[3] - d[0]) * (d[3] / (d[3] - d[1])) * (d[3] / (d[3] - d[2]));
    // Two corners each side: the covered wedge, cut into three tetrahedra, with the crossings on the four
    // edges as fractions of them.
    const double a2 = d[0] / (d[0] - d[2]), a3 = d[0] / (d[0] - d[3]);
    const double b2 = d[1] / (d[1] - d[2]), b3 = d[1] / (d[1] - d[3]);
    return a2 * a3 + a2 * b3 * (1 - a3) + b2 * b3 * (1 - a2);
}

double cell_fraction(const std::array<double, 8>& d) {
    int inside = 0;
    double mean = 0;
    for (double v : d) inside += v < 0;
    if (inside == 0) return 0;
    if (inside == 8) return 1;
    for (std::size_t i = 0; i < 4; ++i) mean += d[i] + d[7 - i];
    mean /= 8;
    // Faces as corner cycles.
    static constexpr std::size_t kFace[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    double total = 0;
    for (const auto& face : kFace) {
        const double centre = ((d[face[0]] + d[face[2]]) + (d[face[1]] + d[face[3]])) / 4;
        double sum = 0;
        for (std::size_t e = 0; e < 4; ++e)
            sum += tetrahedron_fraction({mean, centre, d[face[e]], d[face[(e + 1) % 4]]});
        total += sum;
    }
    return std::clamp(total / 24, 0.0, 1.0);
}

double box_fraction_below_plane(const Bounds& box, const Vec3d& normal, double offset) {
    const Vec3d size = box.size();
    // In unit-cube coordinates m.x <= alpha with all components of m >= 0.
    double alpha = offset - dot(normal, box.min);
    std::array<double, 3> m;
    for (int i = 0; i < 3; ++i) {
        const double c = normal[i] * size[i];
        if (c < 0) alpha -= c;
        m[static_cast<std::size_t>(i)] = std::abs(c);
    }
    const double sum = m[0] + m[1] + m[2];
    if (!(sum > 0)) return offset > 0 ? 1 : 0;
    alpha /= sum;
    for (double& v : m) v /= sum;
    if (alpha <= 0) return 0;
    if (alpha >= 1) return 1;
    const bool upper = alpha > 0.5;
    if (upper) alpha = 1 - alpha;
    std::sort(m.begin(), m.end());
    const double m1 = m[0], m2 = m[1], m3 = m[2], m12 = m1 + m2;
    const auto cube = [](double v) { return v > 0 ? v * v * v : 0.0; };
    double volume;
    if (alpha < m1)
        volume = cube(alpha) / (6 * m1 * m2 * m3);
    else if (alpha < m2)
        volume = (alpha * (alpha - m1) + m1 * m1 / 3) / (2 * m2 * m3);
    else if (alpha < std::min(m12, m3))
        volume =
            (alpha * alpha * (3 * m12 - alpha) + m1 * m1 * (m1 - 3 * alpha) + m2 * m2 * (m2 - 3 * alpha)) /
            (6 * m1 * m2 * m3);
    else if (m3 < m12)
        volume = (alpha * alpha * (3 - 2 * alpha) + m1 * m1 * (m1 - 3 * alpha) + m2 * m2 * (m2 - 3 * alpha) +
                  m3 * m3 * (m3 - 3 * alpha)) /
                 (6 * m1 * m2 * m3);
    else
        volume = (2 * alpha - m12) / (2 * m3);
    return upper ? 1 - volume : volume;
}

PlanePolygon cut_box(const Bounds& box, const Vec3d& normal, double offset) {
    PlanePolygon out;
    const Vec3d unit = normalized_or(normal, {});
    if (unit == Vec3d{} || !(squared_length(normal) > 0)) return out;
    const auto corner = [&](int c) {
        return Vec3d{c & 1 ? box.max.x : box.min.x, c & 2 ? box.max.y : box.min.y,
                     c & 4 ? box.max.z : box.min.z};
    };
    double d[8];
    for (int c = 0; c < 8; ++c) d[c] = dot(normal, corner(c)) - offset;
    std::array<Vec3d, 12> cut;
    std::size_t count = 0;
    for (int c = 0; c < 8; ++c)
        for (int bit = 1; bit < 8; bit *= 2) {
            if (c & bit || (d[c] < 0) == (d[c | bit] < 0)) continue;
            cut[count++] = corner(c) + (corner(c | bit) - corner(c)) * (d[c] / (d[c] - d[c | bit]));
        }
    if (count < 3) return out;
    Vec3d middle;
    for (std::size_t i = 0; i < count; ++i) middle += cut[i] / static_cast<double>(count);
    const Vec3d u = any_perpendicular(unit), v = cross(unit, u);
    std::array<std::pair<double, std::size_t>, 12> turn;
    for (std::size_t i = 0; i < count; ++i)
        turn[i] = {std::atan2(dot(cut[i] - middle, v), dot(cut[i] - middle, u)), i};
    std::sort(turn.begin(), turn.begin() + static_cast<std::ptrdiff_t>(count));
    // A plane separates the corners of a box along at most 6 edges.
    out.count = static_cast<int>(std::min<std::size_t>(count, 6));
    for (std::size_t i = 0; i < static_cast<std::size_t>(out.count); ++i) out.point[i] = cut[turn[i].second];
    return out;
}

double PlanePolygon::area() const {
    Vec3d sum;
    for (int i = 1; i + 1 < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        sum += cross(point[k] - point[0], point[k + 1] - point[0]);
    }
    return 0.5 * length(sum);
}

}  // namespace rivulet::geometry
