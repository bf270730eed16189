#include <rivulet/strand/root_sampling.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>

namespace rivulet::strand {
namespace {

constexpr double kGoldenAngle = std::numbers::pi * (3 - 2.2360679774997896964);  // rad
constexpr std::uint64_t kStreamTriangle = 0x5001, kStreamPlace = 0x5002;
constexpr std::size_t kCandidatesPerRoot = 4;

double twice_area(const RootSurface& s, const std::array<std::uint32_t, 3>& t) {
    return length(cross(s.vertex[t[1]] - s.vertex[t[0]], s.vertex[t[2]] - s.vertex[t[0]]));
}

/// Area-weighted candidates, evenly shared among the triangles.
Roots candidates(const RootSurface& surface, std::size_t count, const ScatterOptions& options) {
    std::vector<double> upto(surface.triangle.size());
    double total = 0;
    for (std::size_t t = 0; t < upto.size(); ++t) upto[t] = total += twice_area(surface, surface.triangle[t]);
    const Random which(options.seed, kStreamTriangle), where(options.seed, kStreamPlace);
    Roots roots;
    for (std::size_t i = 0; i < count; ++i) {
        const double u = (static_cast<double>(i) + which.uniform(i)) / static_cast<double>(count) * total;
        const auto it = std::upper_bound(upto.begin(), upto.end(), u);
        const std::size_t t =
            std::min<std::size_t>(static_cast<std::size_t>(it - upto.begin()), upto.size() - 1);
        const auto& corner = surface.triangle[t];
        const Vec3d random = where.uniform3(i);
        const double a = std::sqrt(random.x), w0 = 1 - a, w1 = a * (1 - random.y), w2 = a * random.y;
        Vec3d p =
            surface.vertex[corner[0]] * w0 + surface.vertex[corner[1]] * w1 + surface.vertex[corner[2]] * w2;
        const Vec3d face = cross(surface.vertex[corner[1]] - surface.vertex[corner[0]],
                                 surface.vertex[corner[2]] - surface.vertex[corner[0]]);
        Vec3d n = normalized_or(
            surface.normal[corner[0]] * w0 + surface.normal[corner[1]] * w1 + surface.normal[corner[2]] * w2,
            normalized_or(face, {0, 1, 0}));
        if (options.accept && !options.accept(p, n)) continue;
        roots.position.push_back(p);
        roots.normal.push_back(n);
        roots.uv.push_back({u / total, w1 + w2 > 0 ? w2 / (w1 + w2) : 0});
    }
    return roots;
}

Roots pick(const Roots& from, const std::vector<std::uint32_t>& which) {
    Roots to;
    for (const std::uint32_t i : which) {
        to.position.push_back(from.position[i]);
        to.normal.push_back(from.normal[i]);
        to.uv.push_back(from.uv[i]);
    }
    return to;
}

void add(Roots& roots, const Vec3d& position, const Vec3d& normal, double u, double v) {
    roots.position.push_back(position);
    roots.normal.push_back(normal);
    roots.uv.push_back({u, v});
}

double fraction(double x) {
    return x - std::floor(x);
}

}  // namespace

double RootSurface::area() const {
    double sum = 0;
    for (const auto& t : triangle) sum += twice_area(*this, t);
    return 0.5 * sum;
}

Roots scatter_roots(const RootSurface& surface, const ScatterOptions& options) {
    const double area = surface.area();
    if (!(area > 0)) return {};
    // The accepted share of the surface is found with a first, coarse set.
    constexpr std::size_t kProbe = 4096;
    double share = 1;
    if (options.accept)
        share = static_cast<double>(candidates(surface, kProbe, options).size()) / double(kProbe);
    if (share == 0) return {};
    const double accepted = area * share;
    const std::size_t wanted =
        options.count > 0 ? options.count
                          : static_cast<std::size_t>(std::llround(std::max(0.0, options.density * accepted)));
    if (wanted == 0) return {};
    std::size_t tries = static_cast<std::size_t>(std::ceil(double(kCandidatesPerRoot * wanted) / share));
    Roots all = candidates(surface, tries, options);
    while (all.size() < wanted && tries < 64 * (kCandidatesPerRoot * wanted + kProbe))
        all = candidates(surface, tries *= 2, options);
    return pick(all, eliminate_samples(all.position, wanted, accepted));
}

Roots rows_of_roots(const RowsGroom& g) {
    Roots roots;
    const Vec3d direction = normalized_or(g.direction, {0, -1, 0});
    for (int j = 0; j < g.rows; ++j)
        for (int i = 0; i < g.columns; ++i)
            add(roots, g.origin + g.column_step * double(i) + g.row_step * double(j), direction,
                (i + 0.5) / g.columns, (j + 0.5) / g.rows);
    return roots;
}

Roots brush_roots(const BrushGroom& g) {
    Roots roots;
    const Vec3d axis = normalized_or(g.direction, {0, -1, 0});
    const Vec3d first = normalized_or(g.side - axis * dot(g.side, axis), any_perpendicular(axis));
    const Vec3d second = cross(axis, first);
    const double half = 0.5 * std::max(g.size.x, g.round ? g.size.x : g.size.y);
    for (std::size_t i = 0; i < g.count; ++i) {
        const double k = static_cast<double>(i) + 0.5, n = static_cast<double>(g.count);
        Vec2d at;
        if (g.round) {
            // Vogel's spiral: equal areas, golden angle.
            const double r = 0.5 * g.size.x * std::sqrt(k / n), angle = kGoldenAngle * k;
            at = {r * std::cos(angle), r * std::sin(angle)};
        } else {
            // Additive recurrence on the plastic number (Roberts 2018): even in both directions.
            at = {(fraction(0.5 + 0.7548776662466927 * k) - 0.5) * g.size.x,
                  (fraction(0.5 + 0.5698402909980532 * k) - 0.5) * g.size.y};
        }
        const Vec3d offset = first * at.x + second * at.y;
        const double away = half > 0 ? length(offset) / half : 0;
        const double tilt = g.splay * away;
        const Vec3d normal = axis * std::cos(tilt) + normalized_or(offset, Vec3d{}) * std::sin(tilt);
        add(roots, g.center + offset, normalized_or(normal, axis), at.x / std::max(2 * half, 1e-300) + 0.5,
            at.y / std::max(2 * half, 1e-300) + 0.5);
    }
    return roots;
}

Roots roller_roots(const RollerGroom& g) {
    Roots roots;
    const Vec3d axis = normalized_or(g.to - g.from, {1, 0, 0});
    const Vec3d first = any_perpendicular(axis), second = cross(axis, first);
    for (std::size_t i = 0; i < g.count; ++i) {
        const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(g.count);
        const double angle = kGoldenAngle * static_cast<double>(i);
        const Vec3d out = first * std::cos(angle) + second * std::sin(angle);
        add(roots, g.from + (g.to - g.from) * u + out * g.radius, out, u,
            fraction(angle / (2 * std::numbers::pi)));
    }
    return roots;
}

Roots ball_roots(const BallGroom& g) {
    Roots roots;
    for (std::size_t i = 0; i < g.count; ++i) {
        // Fibonacci lattice on the sphere.
        const double y = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(g.count);
        const double r = std::sqrt(std::max(0.0, 1 - y * y)), angle = kGoldenAngle * static_cast<double>(i);
        const Vec3d out{r * std::cos(angle), y, r * std::sin(angle)};
        add(roots, g.center + out * g.radius, out, fraction(angle / (2 * std::numbers::pi)), 0.5 * (1 - y));
    }
    return roots;
}

}  // namespace rivulet::strand
