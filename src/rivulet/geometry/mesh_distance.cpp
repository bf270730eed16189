#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/sampling.h>

namespace rivulet::geometry {
namespace {

template <class At>
std::array<Vec3d, 3> corners(const Vec3i& t, At&& at) {
    return {at(t.x), at(t.y), at(t.z)};
}

template <class At>
Vec3d face_normal(const Vec3i& t, At&& at) {
    const auto [a, b, c] = corners(t, at);
    return normalized_or(triangle_cross(a, b, c), {});
}

double corner_angle(const Vec3d& from, const Vec3d& one, const Vec3d& other) {
    const Vec3d u = one - from, v = other - from;
    return std::atan2(length(cross(u, v)), dot(u, v));
}

/// Normal whose side decides inside from outside: of the face; the sum of two at an edge; weighted with the
/// angle of each triangle at a corner.
template <class At>
Vec3d pseudonormal(const MeshTopology& topology, std::size_t triangle, TriangleFeature feature, At&& at) {
    const std::vector<Vec3i>& triangles = topology.triangles();
    const int k = static_cast<int>(feature);
    const Vec3d own = face_normal(triangles[triangle], at);
    if (k == 0) return own;
    if (k <= 3) {
        const int other = topology.neighbour(triangle, k - 1);
        return other < 0 ? own : own + face_normal(triangles[static_cast<std::size_t>(other)], at);
    }
    const int vertex = triangles[triangle][k - 4];
    Vec3d sum;
    topology.around(vertex, [&](std::uint32_t t) {
        const Vec3i& v = triangles[t];
        const int i = v.x == vertex ? 0 : v.y == vertex ? 1 : 2;
        sum += face_normal(v, at) * corner_angle(at(vertex), at(v[(i + 1) % 3]), at(v[(i + 2) % 3]));
    });
    return sum;
}

/// `search(visit)` shows it triangles; visit returns the least squared distance so far.
template <class Search, class At>
NearestOnMesh nearest_among(const MeshTopology& topology, const Vec3d& p, Search&& search, At&& at) {
    NearestOnMesh out;
    NearestOnTriangle best;
    double least = Bounds::kInfinity;
    search([&](std::uint32_t t) {
        const auto [a, b, c] = corners(topology.triangles()[t], at);
        const NearestOnTriangle candidate = nearest_on_triangle(p, a, b, c);
        const double d2 = squared_length(p - candidate.point);
        if (d2 < least) least = d2, best = candidate, out.triangle = static_cast<int>(t);
        return least;
    });
    if (out.triangle < 0) return out;
    const auto triangle = static_cast<std::size_t>(out.triangle);
    const Vec3d offset = p - best.point;
    const double distance = std::sqrt(least);
    const Vec3d pseudo = pseudonormal(topology, triangle, best.feature, at);
    const double sign = dot(offset, pseudo) < 0 ? -1 : 1;
    out.distance = sign * distance;
    out.point = best.point;
    out.weights = best.weights;
    // NOTE: within 1e-9 of the size of the coordinates the offset is rounding noise; the pseudonormal is not.
    const double noise = 1e-9 * (std::abs(p.x) + std::abs(p.y) + std::abs(p.z));
    out.normal = distance > noise ? offset * (sign / distance) : normalized_or(pseudo, {0, 1, 0});
    return out;
}

template <class At>
NearestOnMesh nearest_signed(const MeshTopology& topology, const Bvh& bvh, const Vec3d& p, double most,
                             At&& at) {
    // NOTE: the bound is widened a little, so that rounding in the caller's bound cannot hide the nearest
    // triangle.
    const NearestOnMesh out = nearest_among(
        topology, p, [&](auto&& visit) { bvh.nearest(p, most * most * (1 + 1e-9), visit); }, at);
    if (out.triangle < 0 && most < Bounds::kInfinity)
        return nearest_signed(topology, bvh, p, Bounds::kInfinity, at);
    return out;
}

bool ray_meets(const Bounds& b, const Vec3d& origin, const Vec3d& inverse_direction, double farthest) {
    double enter = 0, leave = farthest;
    for (int i = 0; i < 3; ++i) {
        double t0 = (b.min[i] - origin[i]) * inverse_direction[i],
               t1 = (b.max[i] - origin[i]) * inverse_direction[i];
        if (t0 > t1) std::swap(t0, t1);
        // A ray inside a slab parallel to it gives 0 * infinity = NaN, which these comparisons ignore.
        if (t0 > enter) enter = t0;
        if (t1 < leave) leave = t1;
    }
    return enter <= leave * (1 + 1e-12);
}

/// Where a ray meets a triangle, either side, in lengths of its direction; infinite where it does not
/// (Moeller and Trumbore 1997).
double ray_triangle(const Vec3d& origin, const Vec3d& direction, const std::array<Vec3d, 3>& v) {
    const Vec3d e1 = v[1] - v[0], e2 = v[2] - v[0], h = cross(direction, e2);
    const double det = dot(e1, h);
    if (det == 0) return Bounds::kInfinity;
    const Vec3d s = origin - v[0], q = cross(s, e1);
    const double u = dot(s, h) / det, w = dot(direction, q) / det, t = dot(e2, q) / det;
    return u >= 0 && w >= 0 && u + w <= 1 && t >= 0 ? t : Bounds::kInfinity;
}

}  // namespace

MeshTopology::MeshTopology(const TriangleMesh& closed_mesh) : triangles_(closed_mesh.triangles) {
    struct Edge {
        int low, high, triangle, corner;
    };
    std::vector<Edge> edges;
    edges.reserve(triangles_.size() * 3);
    neighbours_.assign(triangles_.size(), {-1, -1, -1});
    first_.assign(closed_mesh.positions.size() + 1, 0);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), k});
            ++first_[static_cast<std::size_t>(a) + 1];
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& p, const Edge& q) {
        return std::tie(p.low, p.high, p.triangle, p.corner) < std::tie(q.low, q.high, q.triangle, q.corner);
    });
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const Edge &p = edges[i], &q = edges[i + 1];
        if (p.low != q.low || p.high != q.high) continue;
        neighbours_[static_cast<std::size_t>(p.triangle)][p.corner] = q.triangle;
        neighbours_[static_cast<std::size_t>(q.triangle)][q.corner] = p.triangle;
    }
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    around_.resize(edges.size());
    std::vector<std::uint32_t> fill(first_.begin(), first_.end() - 1);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (int k = 0; k < 3; ++k)
            around_[fill[static_cast<std::size_t>(triangles_[t][k])]++] = static_cast<std::uint32_t>(t);
}

std::vector<Bounds> triangle_bounds(const std::vector<Vec3d>& positions,
                                    const std::vector<Vec3i>& triangles) {
    std::vector<Bounds> boxes(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) boxes[t].include(positions[static_cast<std::size_t>(triangles[t][k])]);
    return boxes;
}

MeshDistance::MeshDistance(TriangleMesh closed_mesh)
    : mesh_(std::move(closed_mesh)),
      topology_(mesh_),
      bvh_(triangle_bounds(mesh_.positions, mesh_.triangles)) {}

NearestOnMesh MeshDistance::nearest(const Vec3d& p, double most) const {
    return nearest_signed(topology_, bvh_, p, most, [&](int v) -> const Vec3d& {
        return mesh_.positions[static_cast<std::size_t>(v)];
    });
}

MeshDistance::Neighbourhood MeshDistance::near(const Bounds& box, double most) const {
    // A triangle is nearest to some point of a ball only when no farther from its centre than the nearest
    // one and a diameter.
    const Vec3d centre = box.centre();
    const double radius = 0.5 * length(box.size());
    const double reach = (std::abs(nearest(centre, most + radius).distance) + 2 * radius) * (1 + 1e-9);
    Neighbourhood out;
    out.known = true;
    bvh_.traverse([&](const Bounds& b) { return out.known && b.squared_distance(centre) <= reach * reach; },
                  [&](std::uint32_t t) {
                      const auto at = [&](int v) { return mesh_.positions[static_cast<std::size_t>(v)]; };
                      const auto [a, b, c] = corners(mesh_.triangles[t], at);
                      if (squared_length(centre - nearest_on_triangle(centre, a, b, c).point) > reach * reach)
                          return;
                      if (out.count == Neighbourhood::kMost)
                          out.known = false;
                      else
                          out.triangle[out.count++] = t;
                  });
    return out;
}

NearestOnMesh MeshDistance::nearest(const Vec3d& p, const Neighbourhood& near, double most) const {
    if (!near.known) return nearest(p, most);
    const auto all = [&](auto&& visit) {
        for (std::size_t i = 0; i < near.count; ++i) visit(near.triangle[i]);
    };
    return nearest_among(topology_, p, all,
                         [&](int v) -> const Vec3d& { return mesh_.positions[static_cast<std::size_t>(v)]; });
}

double MeshDistance::way_to_surface(const Vec3d& origin, const Vec3d& direction) const {
    const Vec3d inverse_direction{1 / direction.x, 1 / direction.y, 1 / direction.z};
    double least = Bounds::kInfinity;
    bvh_.traverse([&](const Bounds& b) { return ray_meets(b, origin, inverse_direction, least); },
                  [&](std::uint32_t t) {
                      const auto at = [&](int v) { return mesh_.positions[static_cast<std::size_t>(v)]; };
                      least =
                          std::min(least, ray_triangle(origin, direction, corners(mesh_.triangles[t], at)));
                  });
    return least;
}

double MeshDistance::thinnest() const {
    constexpr std::size_t kRays = 2000;
    // NOTE: begins this part of the mesh's size below the surface, where rounding cannot meet it again.
    const double skin = 1e-9 * length(bounds().size());
    std::vector<double> behind;
    for (const SurfacePoint& s : sample_surface(mesh_, kRays, Random(0, 0)))
        behind.push_back(skin + way_to_surface(s.position - s.normal * skin, -s.normal));
    if (behind.empty()) return Bounds::kInfinity;
    const auto place = behind.begin() + static_cast<std::ptrdiff_t>(behind.size() / 20);
    std::nth_element(behind.begin(), place, behind.end());
    return *place;
}

DistanceSample MeshDistance::sample(const Vec3d& p) const {
    const NearestOnMesh n = nearest(p);
    return {n.distance, n.normal};
}

DeformingMeshDistance::DeformingMeshDistance(std::shared_ptr<const MeshTopology> topology, const Bvh& tree,
                                             std::vector<Vec3d> start, std::vector<Vec3d> end)
    : topology_(std::move(topology)), start_(std::move(start)), end_(std::move(end)), bvh_(tree) {
    std::vector<Bounds> boxes = triangle_bounds(start_, topology_->triangles());
    const std::vector<Bounds> later = triangle_bounds(end_, topology_->triangles());
    for (std::size_t t = 0; t < boxes.size(); ++t) boxes[t].include(later[t]);
    bvh_.refit(boxes);
    double most = 0;
    for (std::size_t v = 0; v < start_.size(); ++v)
        most = std::max(most, squared_length(end_[v] - start_[v]));
    largest_displacement_ = std::sqrt(most);
}

NearestOnMesh DeformingMeshDistance::nearest(const Vec3d& p, double s, double most) const {
    return nearest_signed(*topology_, bvh_, p, most, [&](int v) {
        const auto i = static_cast<std::size_t>(v);
        return start_[i] + (end_[i] - start_[i]) * s;
    });
}

void DeformingMeshDistance::distance_row(const Vec3d& first, const Vec3d& step, std::size_t count, double s,
                                         double* out) const {
    // The distance one step before bounds the next.
    const double stride = length(step);
    double bound = Bounds::kInfinity;
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = nearest(first + step * static_cast<double>(i), s, bound).distance;
        bound = std::abs(out[i]) + stride;
    }
}

DeformingSample DeformingMeshDistance::sample(const Vec3d& p, double s) const {
    const NearestOnMesh n = nearest(p, s);
    DeformingSample out{n.distance, n.normal, {}};
    const Vec3i& t = topology_->triangles()[static_cast<std::size_t>(n.triangle)];
    for (int k = 0; k < 3; ++k) {
        const auto v = static_cast<std::size_t>(t[k]);
        out.displacement += (end_[v] - start_[v]) * n.weights[k];
    }
    return out;
}

}  // namespace rivulet::geometry
