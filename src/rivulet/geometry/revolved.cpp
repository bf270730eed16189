#include <rivulet/geometry/revolved.h>

#include <algorithm>

#include <rivulet/geometry/polygonise.h>
#include <rivulet/geometry/primitives.h>
#include <rivulet/geometry/revolved_mesh.h>

namespace rivulet::geometry {

double Revolved::distance(const Vec3d& p) const {
    const Vec3d d = p - centre_;
    const double height = dot(d, axis_);
    return profile_.distance({length(d - axis_ * height), height});
}

DistanceSample Revolved::sample(const Vec3d& p) const {
    const Vec3d d = p - centre_;
    const double height = dot(d, axis_);
    const Vec3d aside = d - axis_ * height, out = normalized_or(aside, any_perpendicular(axis_));
    const Profile::Sample s = profile_.sample({length(aside), height});
    return {s.distance, out * s.normal.radius + axis_ * s.normal.height};
}

Bounds Revolved::bounds() const {
    const ProfilePoint low = profile_.lowest(), high = profile_.highest();
    const double middle = 0.5 * (low.height + high.height);
    return Cylinder{centre_ + axis_ * middle, axis_, high.height - middle, high.radius}.bounds();
}

TriangleMesh Revolved::surface(const Fineness& fineness) const {
    const std::vector<ProfileLine> outlines = profile_.outlines(fineness.segments);
    // A wall that bends more tightly than it is thick has no simple outline.
    if (std::any_of(outlines.begin(), outlines.end(), crosses_itself)) return polygonise(*this, fineness);
    TriangleMesh mesh;
    for (const ProfileLine& outline : outlines)
        append(mesh, revolved_mesh(centre_, axis_, outline, fineness.segments));
    return mesh;
}

double Revolved::thinnest() const {
    return profile_.thickness() > 0 ? profile_.thickness() : Bounds::kInfinity;
}

}  // namespace rivulet::geometry
