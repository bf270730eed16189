#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/liquid/compressible.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/verify/case.h>
#include <rivulet/verify/shear_rig.h>

/// Yield-stress liquids at rest: on a slope, as a block; compressible liquid under its own weight.
namespace rivulet::verify {
namespace {

constexpr double kGravity = 9.81;

/// The last quarter of a run: mean speed over the exact, fastest particle over sqrt(g H).
struct Late {
    double mean = 0, fastest = 0;
};

/// A layer on a sticking slope; its mean speed at the end over that of the exact flow `faster` would have.
Outcome slope(const Options& options) {
    const double height = 0.05, angle = std::numbers::pi / 6, density = 1000;
    const int cells = 16;
    const double cell = height / cells, drive = density * kGravity * std::sin(angle), base = drive * height;
    const double consistency = 5, end = options.quick ? 1.5 : 10;
    // Surface speed of the Bingham layer at 1.05 h_c.
    const double critical = height / 1.05, sheared = height - critical;
    const double speed = 0.5 * drive / consistency * sheared * sheared;
    Outcome outcome;
    Plot plot{"yield-stress layer on a slope", "t / s", "mean speed / exact at 1.05", {}};
    const auto run = [&](double part) {
        LiquidRig rig(cell);
        make_thick(rig, {base / part, consistency, 1}, 20 * base).density = density;
        rig.model.gravity = {kGravity * std::sin(angle), -kGravity * std::cos(angle), 0};
        rig.model.period = {4, 0, 4};
        add_floor(rig, sticking_wall());
        rig.add_box_of_liquid({0, 0, 0}, {4 * cell, height, 4 * cell}, 0);
        rig.start();
        Curve curve{"thickness " + std::to_string(part).substr(0, 4) + " h_c", {}, {}, false};
        Late late;
        double count = 0;
        rig.run_until(end, [&] {
            const double mean = rig.metrics().momentum.x / (density * world::bulk_volume(rig.world));
            curve.x.push_back(rig.time());
            curve.y.push_back(mean / speed);
            if (rig.time() < 0.75 * end) return;
            late.mean += mean / speed, ++count;
            late.fastest = std::max(late.fastest, rig.max_speed() / std::sqrt(kGravity * height));
        });
        plot.curves.push_back(curve);
        late.mean /= count;
        return late;
    };
    const Late rests = run(0.95);
    outcome.quantities.push_back(
        at_most("speed at 0.95 h_c, of the exact at 1.05", std::abs(rests.mean), 0.02));
    // It swings for a second after it was let go.
    if (!options.quick)
        outcome.quantities.push_back(
            at_most("fastest particle at 0.95 h_c / sqrt(g H), 7.5 to 10 s", rests.fastest, 1e-6));
    // The sheared layer is 0.8 cells thick.
    outcome.quantities.push_back(near("speed at 1.05 h_c, of the exact", run(1.05).mean, 1, 0.2));
    outcome.plots.push_back(plot);
    return outcome;
}

/// A block that its yield stress holds up.
Outcome no_creep(const Options& options) {
    const double height = 0.1, density = 1000, weight = density * kGravity * height;
    const int cells = options.quick ? 6 : 10;
    const double cell = height / cells;
    LiquidRig rig(cell);
    make_thick(rig, {weight, 10, 1}, 20 * weight).density = density;
    rig.model.liquid.shear.tolerance = 1e-9;
    rig.model.liquid.shear.linear = 1e-4;
    rig.model.liquid.shear.newton_steps = 6;
    rig.model.liquid.pressure.tolerance = 1e-10;
    add_floor(rig, sticking_wall());
    rig.add_box_of_liquid({0, 0, 0}, {height, height, height}, 0);
    rig.start();
    Curve curve{"fastest particle", {}, {}, false};
    const double scale = std::sqrt(kGravity * height);
    double late = 0;
    rig.run_until(10, [&] {
        const double speed = rig.max_speed() / scale;
        curve.x.push_back(rig.time()), curve.y.push_back(speed);
        if (rig.time() > 8) late = std::max(late, speed);
    });
    Outcome outcome;
    outcome.quantities.push_back(at_most("speed / sqrt(g H), 8 to 10 s", late, 1e-6));
    outcome.quantities.push_back(near("height, of the start", top(rig) / height, 1, 0.05));
    outcome.quantities.push_back(ledger_residual(rig));
    Plot plot{"block below its yield stress", "t / s", "speed / sqrt(g H)", {curve}};
    plot.log_y = true;
    outcome.plots.push_back(plot);
    return outcome;
}

/// Columns of foam to nearly incompressible liquid, slip walls, at rest under their weight.
Outcome column(const Options& options) {
    const double height = 0.5, density = 1000;
    const int cells = options.quick ? 16 : 32;
    const double cell = height / cells;
    Outcome outcome;
    Plot plot{"compressible column", "p / kappa", "J", {}};
    const auto run = [&](double part, double shear_modulus_part) {
        const double weight = density * kGravity * height, modulus = weight / part;
        LiquidRig rig(cell);
        liquid::LiquidMaterial& m = rig.model.liquid.materials[0];
        m.viscosity = 0;
        m.density = density;
        m.bulk_modulus = modulus;
        if (shear_modulus_part > 0) make_thick(rig, {100 * weight, 1, 1}, shear_modulus_part * modulus);
        rig.add_tank({0, 0, 0}, {4 * cell, 2 * height, 4 * cell});
        rig.add_box_of_liquid({0, 0, 0}, {4 * cell, height, 4 * cell}, 0);
        rig.start();
        const double start = rig.centre().y;
        double before = 0;
        Curve history{"", {}, {}, false};
        rig.run_until(options.quick ? 4 : 10, [&] { before = rig.centre().y; });
        const auto& l = rig.world.liquid;
        const double stiff = modulus * (1 + 4.0 / 3 * shear_modulus_part);
        double worst = 0, volume = 0, present = 0;
        Curve computed{"Q = " + std::to_string(part).substr(0, 5), {}, {}, true},
            exact{"exact", {}, {}, false};
        for (std::size_t i = 0; i < l.size(); ++i) {
            volume += l.volume[i], present += l.volume[i] * l.volume_ratio[i];
            // Weight above: the same mass of liquid lies there as in a column of rest density.
            double above = 0;
            for (std::size_t j = 0; j < l.size(); j += 7) above += l.position[j].y > l.position[i].y ? 7 : 0;
            const double p = weight * above / double(l.size());
            const double j = liquid::volume_ratio_under(stiff, p);
            worst = std::max(worst, std::abs(l.volume_ratio[i] - j));
            if (i % 37 == 0) computed.x.push_back(p / modulus), computed.y.push_back(l.volume_ratio[i]);
        }
        const std::string name = computed.label + (shear_modulus_part > 0 ? ", rigid" : "");
        // Total compression: the mean of 1 − J over a linear pressure.
        double expected = 0;
        constexpr int kParts = 1000;
        for (int i = 0; i < kParts; ++i)
            expected += (1 - liquid::volume_ratio_under(stiff, weight * (i + 0.5) / kParts)) / kParts;
        outcome.quantities.push_back(near(name + ": compression", 1 - present / volume, expected, 0.05));
        outcome.quantities.push_back(
            near(name + ": sinking of the centre", 1 - rig.centre().y / start, 2.0 / 3 * 2 * expected, 0.15));
        outcome.quantities.push_back(at_most(name + ": error of J / Q", worst / part, 0.1));
        outcome.quantities.push_back(ledger_residual(rig));
        plot.curves.push_back(computed);
    };
    run(0.05, 0);
    run(0.05, 0.3);
    if (!options.quick) run(0.1, 0), run(1e-6, 0);
    outcome.plots.push_back(plot);
    return outcome;
}

}  // namespace

std::vector<Case> shear_rest_cases() {
    return {{"shear", "slope", "yield-stress layer, h_c = tau_y / (rho g sin a)", slope},
            {"shear", "no_creep", "below yield nothing flows", no_creep},
            {"shear", "column", "J = sqrt(1 + q^2) - q under its own weight", column}};
}

}  // namespace rivulet::verify
