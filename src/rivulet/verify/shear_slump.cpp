#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/liquid/particles.h>
#include <rivulet/verify/case.h>
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

/// Cylinders `height` high, how slender and how many cells high.
struct Slump {
    Cylinder cylinder;
    int cells;
    double rigidity;  // shear modulus over the stress of the weight
    const char* name;
};

/// Each section of the cylinder spreads until its yield stress carries what lies above; the formula takes
/// sections for plane, and flanks for steep, which they are when the cylinder is slender. The sections of a
/// wide one are curved (sag(), below): its top is dished, its rim is highest.
void run_slump(const Slump& c, double y, Outcome& outcome, Plot& plot) {
    const double height = c.cylinder.height, weight = kDensity * kGravity * height;
    const double fall = std::sqrt(kGravity * height);
    LiquidRig rig(height / c.cells);
    // Over-damped, a Reynolds number of 4: at 1 it slumps as far, four times as slowly.
    make_thick(rig, {y * weight / std::sqrt(3.0), 0.25 * kDensity * fall * height, 1}, c.rigidity * weight)
        .density = kDensity;
    add_floor(rig, {});
    add_cylinder(rig, c.cylinder);
    rig.start();
    const double start = top(rig);
    const std::string label = c.name + (", Y = " + std::to_string(y).substr(0, 4));
    const Curve curve = run_to_rest(rig, label, 4, kRest * fall, [&] { return (start - top(rig)) / height; });
    const double exact = 1 - y * (1 - std::log(y));
    outcome.quantities.push_back(
        near(label + ": slump of the highest point / H", curve.y.back(), exact, 0.15));
    outcome.quantities.push_back(
        at_most(label + ": speed at the end / sqrt(g H)", rig.max_speed() / fall, kRest));
    outcome.quantities.push_back(ledger_residual(rig));
    const double middle = top_within(rig, 1.5 * rig.model.cell);
    outcome.remark += label + ": the middle of the top slumps " +
                      std::to_string((start - middle) / height).substr(0, 5) + " H; ";
    plot.curves.push_back(curve);
}

Outcome slump(const Options& options) {
    Outcome outcome;
    Plot plot{"slump of a cylinder on a slip base", "t / s", "slump / H", {}};
    const Slump wide{{0.075, 0.1, true}, options.quick ? 8 : 16, 10, "R = 0.75 H"};
    run_slump(wide, 0.3, outcome, plot);
    if (!options.quick) {
        run_slump({{0.075, 0.1, false}, 8, 10, "R = 0.75 H, all round"}, 0.3, outcome, plot);
        const Slump slender{{0.01, 0.1, true}, 40, 30, "R = 0.1 H"};
        for (const double y : {0.15, 0.48}) run_slump(wide, y, outcome, plot);
        for (const double y : {0.15, 0.3, 0.48}) run_slump(slender, y, outcome, plot);
    }
    outcome.plots.push_back(plot);
    return outcome;
}

/// A cylinder held up by its elasticity on a slip base sinks by ρgH²/2E in the middle of its top and less by
/// ρgνr²/2E at radius r, E = 3 mu and ν = 1/2: sections that spread the more the deeper they are must curve
/// to stay free of shear stress (Timoshenko & Goodier, Theory of elasticity, bar under its own weight). The
/// base, which the floor keeps flat, is on average half of that at the rim lower than so free.
Outcome sag(const Options& options) {
    const Cylinder cylinder{0.04, 0.1, true};
    const double height = cylinder.height, weight = kDensity * kGravity * height, modulus = 30 * weight;
    const int cells = options.quick ? 16 : 24;
    LiquidRig rig(height / cells);
    make_thick(rig, {10 * weight, 1, 1}, modulus).density = kDensity;
    add_floor(rig, {});
    add_cylinder(rig, cylinder);
    rig.start();
    const double cell = rig.model.cell;
    struct Ring {
        double height = 0, squared_radius = 0;  // means
    };
    const auto ring = [&](double from, double to) {
        Ring sum;
        double count = 0;
        for (const Vec3d& x : rig.world.liquid.position) {
            const double r = std::hypot(x.x, x.z);
            if (x.y < height - 0.7 * cell || r < from || r >= to) continue;
            sum.height += x.y, sum.squared_radius += r * r, ++count;
        }
        return Ring{sum.height / count, sum.squared_radius / count};
    };
    const auto middle = [&] { return ring(0, cell); };
    const auto rim = [&] { return ring(cylinder.radius - cell, cylinder.radius - 0.3 * cell); };
    const Ring middle_before = middle(), rim_before = rim();
    const double unit = kDensity * kGravity / (2 * 3 * modulus);  // ρg/2E
    Curve sinks{"middle of the top", {}, {}, false}, dish{"deeper than the rim", {}, {}, false};
    const double expected = unit * (height * height + 0.25 * cylinder.radius * cylinder.radius);
    const double dished = unit * 0.5 * (rim_before.squared_radius - middle_before.squared_radius);
    rig.run_until(0.5, [&] {
        const double down = middle_before.height - middle().height;
        sinks.x.push_back(rig.time()), sinks.y.push_back(down / expected);
        dish.x.push_back(rig.time());
        dish.y.push_back((down - (rim_before.height - rim().height)) / dished);
    });
    Outcome outcome;
    outcome.quantities.push_back(
        near("sinking of the middle of the top, of the exact", sinks.y.back(), 1, 0.1));
    outcome.quantities.push_back(near("less at the rim, of the exact", dish.y.back(), 1, 0.15));
    outcome.quantities.push_back(
        at_most("speed at the end / sqrt(g H)", rig.max_speed() / std::sqrt(kGravity * height), kRest));
    outcome.quantities.push_back(ledger_residual(rig));
    outcome.plots.push_back({"elastic cylinder under its weight", "t / s", "of the exact", {sinks, dish}});
    return outcome;
}

/// Radius of a puddle that its yield stress stops, volume [m^3]: Roussel & Coussot 2005.
double spread_radius(double volume, double yield) {
    return std::pow(
        225 * kDensity * kGravity * volume * volume / (128 * std::pow(std::numbers::pi, 2) * yield), 0.2);
}

void run_spread(bool quarter, int cells, Outcome& outcome, Plot& plot) {
    const double yield = 11, volume = 2.5e-4;
    const double expected = spread_radius(volume, yield);
    // It must start higher than the middle of the puddle, sqrt(2 tau_y R / (rho g)) = 0.15 R, is to be.
    const double radius = 0.7 * expected, height = volume / (std::numbers::pi * radius * radius);
    const double weight = kDensity * kGravity * height, fall = std::sqrt(kGravity * height);
    LiquidRig rig(height / cells);
    // The slower it flows the longer it takes: in proportion to the consistency, and as 1/t towards the end.
    make_thick(rig, {yield, 0.025 * kDensity * fall * height, 1}, 5 * weight).density = kDensity;
    add_floor(rig, sticking_wall());
    add_cylinder(rig, {radius, height, quarter});
    rig.start();
    const std::string name = std::to_string(cells) + (quarter ? " cells" : " cells, all round");
    const Curve curve =
        run_to_rest(rig, name, 1.5, 1e-2 * kRest * fall, [&] { return reach(rig) / expected; });
    outcome.quantities.push_back(near(name + ": radius, of Roussel & Coussot", curve.y.back(), 1, 0.1));
    outcome.quantities.push_back(
        at_most(name + ": speed at the end / sqrt(g H)", rig.max_speed() / fall, kRest));
    outcome.quantities.push_back(ledger_residual(rig));
    plot.curves.push_back(curve);
}

Outcome spread(const Options& options) {
    Outcome outcome;
    Plot plot{"spread of a puddle", "t / s", "radius / exact", {}};
    run_spread(true, 4, outcome, plot);
    if (!options.quick) {
        run_spread(false, 4, outcome, plot);
        run_spread(true, 8, outcome, plot);
    }
    outcome.plots.push_back(plot);
    return outcome;
}

}  // namespace

std::vector<Case> shear_slump_cases() {
    return {{"shear", "slump", "Pashias et al. 1996, von Mises form", slump},
            {"shear", "sag", "elastic cylinder under its weight: its top is dished", sag},
            {"shear", "spread", "Roussel & Coussot 2005", spread}};
}

}  // namespace rivulet::verify
