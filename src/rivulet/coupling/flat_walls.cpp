#include <rivulet/coupling/flat_walls.h>

#include <algorithm>
#include <cmath>

namespace rivulet::coupling {
namespace {

double quadratic_spline(double t) {
    const double x = std::abs(t);
    return x < 0.5 ? 0.75 - x * x : x < 1.5 ? 0.5 * (1.5 - x) * (1.5 - x) : 0.0;
}

/// False for a solid of another form.
bool add_walls(const geometry::Solid& solid, std::vector<FlatWall>& walls) {
    if (solid.deforming || solid.shape->parts().size() != 1) return false;
    const geometry::Pose& pose = solid.motion.end();
    const auto add = [&](const Vec3d& point, const Vec3d& normal) {
        const Vec3d n = pose.apply_direction(normal);
        walls.push_back({n, dot(n, pose.apply(point))});
    };
    const geometry::Shape::Part& part = solid.shape->parts()[0];
    if (const auto* floor = std::get_if<geometry::HalfSpace>(&part)) {
        add(floor->point, solid.liquid_inside ? -floor->normal : floor->normal);
        return true;
    }
    const auto* box = std::get_if<geometry::RoundedBox>(&part);
    if (!box || box->radius > 0 || !solid.liquid_inside) return false;
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            Vec3d normal;
            normal[axis] = -side;
            add(box->centre - normal * box->half[axis], normal);
        }
    return true;
}

}  // namespace

SplitSolids::SplitSolids(const geometry::SolidField& solids) {
    std::vector<geometry::Solid> others;
    for (std::size_t i = 0; i < solids.size(); ++i)
        if (!add_walls(solids.solid(i), walls)) others.push_back(solids.solid(i));
    curved = geometry::SolidField(std::move(others), solids.dt());
}

void near_walls(std::span<const FlatWall> walls, const geometry::Bounds& box, double reach,
                std::vector<FlatWall>& near) {
    near.clear();
    const Vec3d half = box.size() * 0.5;
    for (const FlatWall& wall : walls) {
        const Vec3d n = wall.normal;
        const double extent = half.x * std::abs(n.x) + half.y * std::abs(n.y) + half.z * std::abs(n.z);
        if (wall.distance(box.centre()) - extent < reach) near.push_back(wall);
    }
}

double lattice_before_wall(double distance) {
    if (distance >= 1.25) return 1;
    if (distance <= -1.25) return 0;
    double sum = 0;
    for (double place = 0.25; place < distance + 1.5; place += 0.5) sum += quadratic_spline(distance - place);
    return 0.5 * sum;
}

}  // namespace rivulet::coupling
