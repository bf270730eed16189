#include <rivulet/verify/shear_rig.h>

#include <cmath>
#include <limits>

#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/rheology.h>

namespace rivulet::verify {

liquid::LiquidMaterial& make_thick(LiquidRig& rig, const liquid::FlowCurve& curve, double shear_modulus) {
    liquid::LiquidMaterial& m = rig.model.liquid.materials[0];
    m.viscosity = 0;
    m.yield_stress = curve.yield_stress;
    m.consistency = curve.consistency;
    m.flow_index = curve.flow_index;
    m.shear_modulus = shear_modulus;
    return m;
}

obstacle::Wall sticking_wall() {
    obstacle::Wall wall;
    wall.condition = obstacle::WallCondition::no_slip;
    return wall;
}

void add_floor(LiquidRig& rig, const obstacle::Wall& wall) {
    obstacle::ObstacleDescription floor;
    floor.name = "floor";
    floor.shape.type = geometry::ShapeType::plane;
    floor.shape.normal = {0, 1, 0};
    floor.wall = wall;
    rig.add_obstacle(floor);
}

double top(const LiquidRig& rig) {
    return top_within(rig, std::numeric_limits<double>::infinity());
}
double top_within(const LiquidRig& rig, double radius) {
    double most = 0;
    for (const Vec3d& x : rig.world.liquid.position)
        if (std::hypot(x.x, x.z) < radius) most = std::max(most, x.y);
    return most + 0.25 * rig.model.cell;
}

double reach(const LiquidRig& rig) {
    double most = 0;
    for (const Vec3d& x : rig.world.liquid.position) most = std::max(most, std::hypot(x.x, x.z));
    return most + 0.25 * rig.model.cell;
}

double stress_norm(const LiquidRig& rig, std::size_t i) {
    const auto& l = rig.world.liquid;
    return liquid::norm(liquid::shear_stress(rig.model.liquid.materials[l.material[i]].shear_modulus,
                                             liquid::strain_of(l, i)));
}

}  // namespace rivulet::verify
