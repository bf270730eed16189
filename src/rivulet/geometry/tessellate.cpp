#include <algorithm>
#include <cstdint>
#include <map>
#include <numbers>

#include <rivulet/geometry/revolved_mesh.h>
#include <rivulet/geometry/tessellate.h>

namespace rivulet::geometry {
namespace {

/// Lines of the surface lattice along one axis, centred: the flat middle, then steps of equal angle round the
/// edge up to 45 degrees (a point d beyond the flat part turns by atan(d / radius)).
std::vector<double> lattice_lines(double half, double radius, int steps) {
    const double flat = half - radius;
    std::vector<double> lines{flat > 0 ? flat : 0.0};
    if (radius > 0)
        for (int i = 1; i <= steps; ++i)
            lines.push_back(flat + radius * std::tan(0.25 * std::numbers::pi * i / steps));
    std::vector<double> all;
    for (auto l = lines.rbegin(); l != lines.rend(); ++l)
        if (*l > 0) all.push_back(-*l);
    for (double l : lines) all.push_back(l);
    return all;
}

/// The surface of a lattice box whose points are drawn onto the rounded box. Shared edges share vertices.
class BoxMesher {
 public:
    BoxMesher(const RoundedBox& box, int steps) : box_(box) {
        for (int a = 0; a < 3; ++a)
            lines_[static_cast<std::size_t>(a)] = lattice_lines(box.half[a], box.radius, steps);
    }
    TriangleMesh build() {
        for (int axis = 0; axis < 3; ++axis)
            for (int end = 0; end < 2; ++end) add_side(axis, end);
        return std::move(mesh_);
    }

 private:
    int count(int axis) const { return static_cast<int>(lines_[static_cast<std::size_t>(axis)].size()); }
    void add_side(int axis, int end) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const auto at = [&](int i, int j) {
            Vec3i p;
            p[axis] = end ? count(axis) - 1 : 0, p[u] = i, p[v] = j;
            return vertex(p);
        };
        for (int i = 0; i + 1 < count(u); ++i)
            for (int j = 0; j + 1 < count(v); ++j) {
                Vec3i a{at(i, j), at(i + 1, j), at(i + 1, j + 1)},
                    b{at(i, j), at(i + 1, j + 1), at(i, j + 1)};
                if (!end) std::swap(a.y, a.z), std::swap(b.y, b.z);
                mesh_.triangles.push_back(a);
                mesh_.triangles.push_back(b);
            }
    }
    int vertex(const Vec3i& p) {
        const auto key = (std::int64_t{p.x} << 40) | (std::int64_t{p.y} << 20) | p.z;
        const auto [where, is_new] = known_.try_emplace(key, static_cast<int>(mesh_.positions.size()));
        if (is_new) mesh_.positions.push_back(position(p));
        return where->second;
    }
    Vec3d position(const Vec3i& p) const {
        Vec3d on_box, inner;
        for (int a = 0; a < 3; ++a) {
            on_box[a] = lines_[static_cast<std::size_t>(a)][static_cast<std::size_t>(p[a])];
            const double flat = box_.half[a] - box_.radius;
            inner[a] = std::clamp(on_box[a], -flat, flat);
        }
        if (box_.radius == 0) return box_.centre + on_box;
        return box_.centre + inner + normalized(on_box - inner) * box_.radius;
    }

    RoundedBox box_;
    std::array<std::vector<double>, 3> lines_;
    std::map<std::int64_t, int> known_;
    TriangleMesh mesh_;
};

struct Tessellator {
    double extent;
    int segments;

    TriangleMesh operator()(const RoundedBox& b) const { return BoxMesher(b, segments / 8).build(); }
    TriangleMesh operator()(const Sphere& s) const {
        return (*this)(RoundedBox{s.centre, {s.radius, s.radius, s.radius}, s.radius});
    }
    TriangleMesh operator()(const Capsule& c) const {
        const double half = 0.5 * length(c.b - c.a);
        std::vector<ProfilePoint> profile;
        const int quarter = segments / 4;
        for (int end = -1; end <= 1; end += 2)
            for (int i = 0; i <= quarter; ++i) {
                const double a = 0.5 * std::numbers::pi * (end < 0 ? i - quarter : i) / quarter;
                profile.push_back({c.radius * std::cos(a), end * half + c.radius * std::sin(a)});
            }
        profile.front().radius = profile.back().radius = 0;
        return revolved_mesh((c.a + c.b) * 0.5, normalized(c.b - c.a), {std::move(profile), false}, segments);
    }
    TriangleMesh operator()(const Cylinder& c) const {
        const double h = c.half_length;
        return revolved_mesh(c.centre, c.axis, {{{0, -h}, {c.radius, -h}, {c.radius, h}, {0, h}}, false},
                             segments);
    }
    TriangleMesh operator()(const HalfSpace& h) const {
        const Vec3d u = any_perpendicular(h.normal) * extent, v = cross(h.normal, u);
        return {{h.point - u - v, h.point + u - v, h.point + u + v, h.point - u + v}, {{0, 1, 2}, {0, 2, 3}}};
    }
    TriangleMesh operator()(const std::shared_ptr<const DistanceField>& field) const {
        return field->surface({extent, segments});
    }
};

}  // namespace

TriangleMesh tessellate(const Shape& shape, double plane_extent, int segments) {
    const Tessellator tessellator{plane_extent, std::clamp((segments + 7) / 8, 1, 512) * 8};
    TriangleMesh all;
    for (const Shape::Part& part : shape.parts()) append(all, std::visit(tessellator, part));
    return all;
}

TriangleMesh tessellate(const ShapeDescription& description, double plane_extent, int segments,
                        const MeshLoader& load_mesh) {
    return tessellate(Shape(description, {}, load_mesh), plane_extent, segments);
}

}  // namespace rivulet::geometry
