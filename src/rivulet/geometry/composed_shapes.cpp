#include <rivulet/geometry/composed_shapes.h>

#include <algorithm>

#include <rivulet/geometry/polygonise.h>
#include <rivulet/geometry/tessellate.h>

namespace rivulet::geometry {

double Intersection::distance(const Vec3d& p) const {
    double most = -Bounds::kInfinity;
    for (const Shape& shape : inside_) most = std::max(most, shape.distance(p));
    for (const Shape& shape : outside_) most = std::max(most, -shape.distance(p));
    return most;
}

DistanceSample Intersection::sample(const Vec3d& p) const {
    const Shape* nearest = nullptr;
    double most = -Bounds::kInfinity, side = 1;
    for (const Shape& shape : inside_)
        if (const double d = shape.distance(p); d > most) most = d, nearest = &shape;
    for (const Shape& shape : outside_)
        if (const double d = -shape.distance(p); d > most) most = d, nearest = &shape, side = -1;
    const DistanceSample s = nearest->sample(p);
    return {side * s.distance, s.normal * side};
}

Bounds Intersection::bounds() const {
    Bounds box = Bounds::everything();
    for (const Shape& shape : inside_)
        box = {component_max(box.min, shape.bounds().min), component_min(box.max, shape.bounds().max)};
    return box;
}

TriangleMesh Intersection::surface(const Fineness& fineness) const {
    return polygonise(*this, fineness);
}

double Intersection::thinnest() const {
    double least = Bounds::kInfinity;
    for (const Shape& shape : inside_) least = std::min(least, shape.thinnest());
    for (const Shape& shape : outside_) least = std::min(least, shape.thinnest());
    return least;
}

DistanceSample Shell::sample(const Vec3d& p) const {
    const DistanceSample s = of_.sample(p);
    const double from_middle = s.distance + half_;
    return {std::abs(from_middle) - half_, from_middle < 0 ? -s.normal : s.normal};
}

TriangleMesh Shell::surface(const Fineness& fineness) const {
    return polygonise(*this, fineness);
}

Placed::Placed(Shape of, const Mat3d& map, double smallest_stretch, const Vec3d& pivot)
    : of_(std::move(of)), map_(map), back_(inverse(map)), smallest_(smallest_stretch), pivot_(pivot) {}

DistanceSample Placed::sample(const Vec3d& p) const {
    const DistanceSample s = of_.sample(rest(p));
    return {smallest_ * s.distance, normalized_or(transpose(back_) * s.normal, {0, 1, 0})};
}

Bounds Placed::bounds() const {
    const Bounds box = of_.bounds();
    if (!box.is_finite()) return Bounds::everything();
    Bounds out;
    for (int corner = 0; corner < 8; ++corner) out.include(world(box.corner(corner)));
    return out;
}

TriangleMesh Placed::surface(const Fineness& fineness) const {
    TriangleMesh mesh = tessellate(of_, fineness.plane_extent, fineness.segments);
    for (Vec3d& p : mesh.positions) p = world(p);
    return mesh;
}

}  // namespace rivulet::geometry
