#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <rivulet/base/parallel.h>
#include <rivulet/geometry/sampling.h>

namespace rivulet::geometry {
namespace {

Bounds sampled_box(const Shape& shape, const Bounds& domain) {
    const Bounds box{component_max(shape.bounds().min, domain.min),
                     component_min(shape.bounds().max, domain.max)};
    if (!box.is_empty() && !box.is_finite())
        throw std::invalid_argument("sampling: an unbounded shape needs a finite domain");
    return box;
}

struct LatticeRange {
    std::int64_t begin[3], count[3];
};

LatticeRange lattice_range(const Bounds& box, double spacing) {
    LatticeRange r{};
    for (int a = 0; a < 3; ++a) {
        r.begin[a] = static_cast<std::int64_t>(std::floor(box.min[a] / spacing));
        r.count[a] = static_cast<std::int64_t>(std::ceil(box.max[a] / spacing)) - r.begin[a];
    }
    return r;
}

}  // namespace

std::vector<SurfacePoint> sample_surface(const TriangleMesh& mesh, std::size_t count, const Random& random) {
    std::vector<double> area_up_to(mesh.triangles.size());
    double total = 0;
    const auto corner = [&](std::size_t t, int k) {
        return mesh.positions[static_cast<std::size_t>(mesh.triangles[t][k])];
    };
    for (std::size_t t = 0; t < area_up_to.size(); ++t) {
        total += 0.5 * length(triangle_cross(corner(t, 0), corner(t, 1), corner(t, 2)));
        area_up_to[t] = total;
    }
    if (!(total > 0)) return {};
    std::vector<SurfacePoint> points(count);
    parallel_for(count, [&](std::size_t i) {
        const double wanted = random.uniform(2 * i) * total;
        const auto where = std::upper_bound(area_up_to.begin(), area_up_to.end(), wanted);
        const std::size_t t =
            std::min(static_cast<std::size_t>(where - area_up_to.begin()), area_up_to.size() - 1);
        // Uniform in the triangle: the square root undoes the narrowing towards a corner.
        const Vec3d u = random.uniform3(2 * i + 1);
        const double root = std::sqrt(u.x);
        const Vec3d w{1 - root, root * (1 - u.y), root * u.y};
        points[i] = {corner(t, 0) * w.x + corner(t, 1) * w.y + corner(t, 2) * w.z,
                     normalized_or(triangle_cross(corner(t, 0), corner(t, 1), corner(t, 2)), {0, 1, 0}),
                     static_cast<int>(t), w};
    });
    return points;
}

double lattice_size(const Shape& shape, double spacing, const Bounds& domain) {
    const Bounds box = sampled_box(shape, domain);
    if (box.is_empty()) return 0;
    const Vec3d n = box.size() / spacing;
    return (n.x + 1) * (n.y + 1) * (n.z + 1);
}

std::vector<Vec3d> fill_lattice(const Shape& shape, double spacing, double jitter, const Random& random,
                                const Bounds& domain) {
    if (!(spacing > 0)) throw std::invalid_argument("fill_lattice: the spacing must be > 0");
    const Bounds box = sampled_box(shape, domain);
    if (box.is_empty()) return {};
    if (!(lattice_size(shape, spacing, domain) < 1e12))
        throw std::invalid_argument("fill_lattice: the spacing is too small");
    const LatticeRange r = lattice_range(box, spacing);
    const auto rows = static_cast<std::size_t>(r.count[1] * r.count[2]);
    const auto for_row = [&](std::size_t row, auto&& take) {
        const std::int64_t j = r.begin[1] + static_cast<std::int64_t>(row) % r.count[1];
        const std::int64_t k = r.begin[2] + static_cast<std::int64_t>(row) / r.count[1];
        for (std::int64_t i = 0; i < r.count[0]; ++i) {
            Vec3d p = Vec3d{double(r.begin[0] + i) + 0.5, double(j) + 0.5, double(k) + 0.5};
            if (jitter > 0) {
                const auto number =
                    row * static_cast<std::uint64_t>(r.count[0]) + static_cast<std::uint64_t>(i);
                p += (random.uniform3(number) - Vec3d{0.5, 0.5, 0.5}) * jitter;
            }
            p *= spacing;
            if (box.contains(p) && shape.distance(p) < 0) take(p);
        }
    };
    std::vector<std::size_t> first(rows + 1, 0);
    parallel_for(rows, [&](std::size_t row) { for_row(row, [&](const Vec3d&) { ++first[row + 1]; }); });
    for (std::size_t row = 0; row < rows; ++row) first[row + 1] += first[row];
    std::vector<Vec3d> points(first[rows]);
    parallel_for(rows, [&](std::size_t row) {
        std::size_t at = first[row];
        for_row(row, [&](const Vec3d& p) { points[at++] = p; });
    });
    return points;
}

}  // namespace rivulet::geometry
