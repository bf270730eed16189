#include <algorithm>
#include <cmath>
#include <string>

#include <rivulet/verify/case.h>
#include <rivulet/verify/shear_rig.h>

/// Slabs of cream on plates: they stick, slide, rub and cling.
namespace rivulet::verify {
namespace {

constexpr double kGravity = 9.81, kDensity = 200, kThickness = 0.03;

/// A slab of liquid, stiffer than its weight, for `time` [s] on a plate through the origin.
struct Slab {
    obstacle::Wall wall;
    double angle = 0;      // of the slope, rad
    bool slanted = false;  // in the grid; else gravity is
    bool hanging = false;  // below the plate
    double time = 0.2;
};

/// Speed of the slab's centre along the plate and away from it [m/s].
struct Speed {
    double along = 0, away = 0;
};

Speed run(const Slab& slab) {
    LiquidRig rig(0.01);
    make_thick(rig, {60, 10, 0.5}, 600).density = kDensity;
    const double s = std::sin(slab.angle), c = std::cos(slab.angle), up = slab.hanging ? 1 : -1;
    const Vec3d normal = slab.slanted ? Vec3d{s, c, 0} : Vec3d{0, 1, 0};
    const Vec3d along = slab.slanted ? Vec3d{c, -s, 0} : Vec3d{1, 0, 0};
    rig.model.gravity = slab.slanted ? Vec3d{0, up * kGravity, 0} : Vec3d{kGravity * s, up * kGravity * c, 0};
    obstacle::ObstacleDescription plate;
    plate.name = "plate";
    plate.shape.type = geometry::ShapeType::plane;
    plate.shape.normal = normal;
    plate.wall = slab.wall;
    rig.add_obstacle(plate);
    rig.add_box_of_liquid({-0.06, 0, -0.03}, {0.06, kThickness, 0.03}, 0);
    for (Vec3d& x : rig.world.liquid.position) x = along * x.x + normal * x.y + Vec3d{0, 0, x.z};
    rig.model.step.max = 0.005;
    rig.model.fps = 200;
    rig.start();
    rig.run_until(slab.time);
    const Vec3d u = rig.metrics().momentum / (kDensity * world::bulk_volume(rig.world));
    return {dot(u, along), dot(u, normal)};
}

obstacle::Wall rubbing(double friction) {
    obstacle::Wall wall;
    wall.condition = obstacle::WallCondition::friction;
    wall.friction = friction;
    return wall;
}
obstacle::Wall clinging(double adhesion) {
    obstacle::Wall wall;
    wall.adhesion = adhesion;
    return wall;
}

Outcome walls(const Options&) {
    Outcome outcome;
    auto& q = outcome.quantities;
    const double time = 0.2, slope = 0.35, friction = 0.3;
    const double slides = kGravity * std::sin(slope) * time;
    q.push_back(near("slip: speed, of sliding freely", run({{}, slope}).along / slides, 1, 0.02));
    q.push_back(
        near("slip, plate slanted in the grid: the same", run({{}, slope, true}).along / slides, 1, 0.05));
    q.push_back(at_most("stick: the same", std::abs(run({sticking_wall(), slope}).along) / slides, 0.02));
    q.push_back(at_most("stick, plate slanted in the grid: the same",
                        std::abs(run({sticking_wall(), slope, true}).along) / slides, 0.05));
    const auto rubs = [&](double part, bool slanted) {
        return run({rubbing(friction), std::atan(part * friction), slanted}).along;
    };
    const double gentle = std::atan(0.85 * friction), steep = std::atan(1.5 * friction);
    for (const bool slanted : {false, true}) {
        const std::string plate = slanted ? "friction, plate slanted in the grid" : "friction";
        q.push_back(at_most(plate + ", tan a = 0.85 mu: speed, of sliding freely",
                            std::abs(rubs(0.85, slanted)) / (kGravity * time * std::sin(gentle)), 0.05));
        const double force = (kGravity * std::sin(steep) - rubs(1.5, slanted) / time) /
                             (friction * kGravity * std::cos(steep));
        if (!slanted) q.push_back(near(plate + ", tan a = 1.5 mu: force, of mu N", force, 1, 0.15));
        outcome.remark += plate + ": " + std::to_string(force) + " mu N; ";
    }
    // A slab that lets go falls freely. Let down at once it pulls with twice its weight for a moment, and
    // with more under its edges.
    const double weight = kDensity * kGravity * kThickness, falls = kGravity * time;
    const auto hangs = [&](double part) {
        return run({clinging(part * weight), 0, false, true}).away / falls;
    };
    q.push_back(
        at_most("hanging, adhesion 3.5 of its weight: speed, of falling", std::abs(hangs(3.5)), 0.02));
    q.push_back(near("hanging, adhesion 0.7 of its weight: the same", hangs(0.7), 1, 0.15));
    return outcome;
}

}  // namespace

std::vector<Case> shear_wall_cases() {
    return {{"shear", "walls", "slabs stick, slide, rub at tan a = mu and hang by adhesion", walls}};
}

}  // namespace rivulet::verify
