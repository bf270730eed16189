#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/liquid/particles.h>
#include <rivulet/verify/list.h>
#include <rivulet/verify/shear_rig.h>

/// Cylinders of yield-stress liquid that fall apart under their weight until the yield stress stops them.
namespace rivulet::verify {
namespace {

constexpr double kGravity = 9.81, kDensity = 1000;

/// A cylinder on the floor, whole or the quarter x, z > 0 of it between planes of symmetry: slip walls that
/// the liquid cannot leave.
struct Cylinder {
    double radius, height;  // m
    bool quarter;
};

void add_plane(LiquidRig& rig, const char* name, const Vec3d& normal) {
    obstacle::ObstacleDescription plane;
    plane.name = name;
    plane.shape.type = geometry::ShapeType::plane;
    plane.shape.normal = normal;
    plane.wall.separate = false;
    rig.add_obstacle(plane);
}

void add_cylinder(LiquidRig& rig, const Cylinder& c) {
    geometry::ShapeDescription shape;
    shape.type = geometry::ShapeType::cylinder;
    shape.to = {0, c.height, 0};
    shape.radius = c.radius;
    rig.add_liquid(shape, 0);
    if (!c.quarter) return;
    add_plane(rig, "x = 0", {1, 0, 0});
    add_plane(rig, "z = 0", {0, 0, 1});
    std::vector<std::uint32_t> others;
    for (std::size_t i = 0; i < rig.world.liquid.size(); ++i) {
        const Vec3d& x = rig.world.liquid.position[i];
        if (x.x < 0 || x.z < 0) others.push_back(std::uint32_t(i));
    }
    liquid::remove_particles(rig.world.liquid, others);
}

/// Runs until nothing moves any more, at most until `end` [s]; the curve of measure().
template <class Measure>
Curve run_to_rest(LiquidRig& rig, const std::string& label, double end, double speed, Measure&& measure) {
    Curve curve{label, {}, {}, false};
    while (rig.time() < end) {
        rig.step();
        curve.x.push_back(rig.time()), curve.y.push_back(measure());
        if (rig.time() > 0.2 * end && rig.max_speed() < speed) break;
    }
    return curve;
}

/// Part of sqrt(g H) below which it rests: it would take a hundred times as long to fall the same way again.
constexpr double kRest = 1e-3;

Outcome slump(const Options& options) {
    const Cylinder cylinder{0.075, 0.1, options.quick};
    const double weight = kDensity * kGravity * cylinder.height, fall = std::sqrt(kGravity * cylinder.height);
    Outcome outcome;
    Plot plot{"slump of a cylinder on a slip base", "t / s", "slump / H", {}};
    const auto run = [&](double y) {
        LiquidRig rig(cylinder.height / (options.quick ? 8 : 16));
        // Over-damped, a Reynolds number of 4: at 1 it slumps as far, four times as slowly.
        make_thick(rig, {y * weight / std::sqrt(3.0), 0.25 * kDensity * fall * cylinder.height, 1},
                   10 * weight)
            .density = kDensity;
        add_floor(rig, {});
        add_cylinder(rig, cylinder);
        rig.start();
        const double start = top(rig);
        const std::string label = "Y = " + std::to_string(y).substr(0, 4);
        const Curve curve =
            run_to_rest(rig, label, 3, kRest * fall, [&] { return (start - top(rig)) / cylinder.height; });
        const double exact = 1 - y * (1 - std::log(y));
        outcome.quantities.push_back(
            near(label + ": slump of the highest point / H", curve.y.back(), exact, 0.15));
        outcome.quantities.push_back(
            at_most(label + ": speed at the end / sqrt(g H)", rig.max_speed() / fall, kRest));
        outcome.quantities.push_back(ledger_residual(rig));
        plot.curves.push_back(curve);
    };
    run(0.3);
    if (!options.quick) run(0.15);
    outcome.plots.push_back(plot);
    return outcome;
}

/// Radius of a puddle that its yield stress stops, volume [m^3]: Roussel & Coussot 2005.
double spread_radius(double volume, double yield) {
    return std::pow(
        225 * kDensity * kGravity * volume * volume / (128 * std::pow(std::numbers::pi, 2) * yield), 0.2);
}

Outcome spread(const Options& options) {
    const double yield = 11, volume = 2.5e-4;
    const double expected = spread_radius(volume, yield);
    // It must start higher than the middle of the puddle, sqrt(2 tau_y R / (rho g)) = 0.15 R, is to be.
    const double radius = 0.7 * expected, height = volume / (std::numbers::pi * radius * radius);
    const double weight = kDensity * kGravity * height, fall = std::sqrt(kGravity * height);
    LiquidRig rig(height / (options.quick ? 4 : 8));
    // The slower it flows the longer it takes: in proportion to the consistency, and as 1/t towards the end.
    make_thick(rig, {yield, 0.025 * kDensity * fall * height, 1}, 5 * weight).density = kDensity;
    add_floor(rig, sticking_wall());
    add_cylinder(rig, {radius, height, options.quick});
    rig.start();
    const Curve curve =
        run_to_rest(rig, "computed", 1.5, 1e-2 * kRest * fall, [&] { return reach(rig) / expected; });
    Outcome outcome;
    outcome.quantities.push_back(near("radius, of Roussel & Coussot", curve.y.back(), 1, 0.1));
    outcome.quantities.push_back(at_most("speed at the end / sqrt(g H)", rig.max_speed() / fall, kRest));
    outcome.quantities.push_back(ledger_residual(rig));
    outcome.plots.push_back({"spread of a puddle", "t / s", "radius / exact", {curve}});
    return outcome;
}

}  // namespace

std::vector<Case> shear_slump_cases() {
    return {{"shear", "slump", "Pashias et al. 1996, von Mises form", slump},
            {"shear", "spread", "Roussel & Coussot 2005", spread}};
}

}  // namespace rivulet::verify
