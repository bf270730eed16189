#include <algorithm>
#include <cmath>

#include <rivulet/liquid/particle_strain.h>
#include <rivulet/verify/case.h>
#include <rivulet/verify/liquid_rig.h>

/// Yield-stress liquids in flows that depend on one coordinate: a channel and a slope.
namespace rivulet::verify {
namespace {

/// Flow between no-slip walls at ±height driven by a pressure gradient [Pa/m]: VALIDATION, Herschel-Bulkley
/// channel. `y` from the middle.
struct ChannelFlow {
    liquid::FlowCurve curve;
    double gradient, height;

    double plug() const { return curve.yield_stress / gradient; }
    double speed(double y) const {
        const double m = 1 + 1 / curve.flow_index, y0 = plug();
        const double outside = std::max(0.0, std::abs(y) - y0);
        return (std::pow(height - y0, m) - std::pow(outside, m)) / m *
               std::pow(gradient / curve.consistency, 1 / curve.flow_index);
    }
    /// Mean of the speed over the channel.
    double mean_speed() const {
        constexpr int kParts = 20000;
        double sum = 0;
        for (int i = 0; i < kParts; ++i) sum += speed((i + 0.5) / kParts * height);
        return sum / kParts;
    }
};

/// Pressure gradient that drives this mean speed.
double gradient_for(ChannelFlow flow, double mean) {
    double low = flow.curve.yield_stress / flow.height, high = 100 * low;
    for (int i = 0; i < 60; ++i) {
        flow.gradient = 0.5 * (low + high);
        (flow.mean_speed() < mean ? low : high) = flow.gradient;
    }
    return 0.5 * (low + high);
}

/// One dimensional flow along x over the height y, periodic along x and z, driven by a body force.
struct Channel {
    std::string name;
    liquid::FlowCurve curve;
    double plug;       // part of the half height that does not flow
    double tolerance;  // of the profile
};

void run_channel(const Channel& c, int cells, Outcome& outcome, Plot& plot) {
    const double height = 0.1, cell = height / cells;
    ChannelFlow flow{c.curve, c.curve.yield_stress / (c.plug * height), height};
    const double wall_stress = flow.gradient * height, peak = flow.speed(0);
    LiquidRig rig(cell);
    liquid::LiquidMaterial& m = rig.model.liquid.materials[0];
    m.viscosity = 0;
    m.yield_stress = c.curve.yield_stress;
    m.consistency = c.curve.consistency;
    m.flow_index = c.curve.flow_index;
    m.shear_modulus = 20 * wall_stress;
    // So light that momentum crosses the channel in a few times height/peak.
    m.density = 0.5 * wall_stress / (peak * peak);
    rig.model.gravity = {flow.gradient / m.density, 0, 0};
    rig.model.period = {4, 0, 4};
    obstacle::Wall wall;
    wall.condition = obstacle::WallCondition::no_slip;
    rig.add_tank({-1, -height, -1}, {1, height, 1}, {}, wall);
    rig.add_box_of_liquid({0, -height, 0}, {4 * cell, height, 4 * cell}, 0);
    rig.push([&](const Vec3d& x) { return Vec3d{0.9 * flow.speed(x.y), 0, 0}; });
    rig.model.step.max = 0.5 * cell / peak;
    rig.model.fps = 1 / rig.model.step.max;
    rig.start();
    const double unit = height / peak;
    double iterations = 0, steps = 0;
    double before = 0, mean = 0;
    while (rig.time() < 12 * unit) {
        iterations += double(rig.step().shear_iterations), ++steps;
        if (int(steps) % 50) continue;
        before = mean;
        mean = rig.metrics().momentum.x / (m.density * world::bulk_volume(rig.world));
        if (std::abs(mean - before) < 1e-5 * mean) break;
    }
    const auto& l = rig.world.liquid;
    const double yield = liquid::to_norm(c.curve).yield;
    // The plug ends between the outermost particle at rest in it and the innermost that flows: each reaches
    // a quarter of a cell to both sides.
    const double half = 0.25 * cell;
    double worst = 0, rigid = 0, flowing = height;
    Curve computed{c.name, {}, {}, true}, exact{c.name + ", exact", {}, {}, false};
    std::vector<std::pair<double, double>> profile;
    for (std::size_t i = 0; i < l.size(); ++i) {
        const double y = l.position[i].y;
        worst = std::max(worst, std::abs(l.velocity[i].x - flow.speed(y)));
        const double s = liquid::norm(liquid::shear_stress(m.shear_modulus, liquid::strain_of(l, i)));
        if (s <= yield * (1 + 1e-6))
            rigid = std::max(rigid, std::abs(y) + half);
        else
            flowing = std::min(flowing, std::abs(y) - half);
        profile.emplace_back(y / height, l.velocity[i].x / peak);
    }
    std::sort(profile.begin(), profile.end());
    for (std::size_t i = 0; i < profile.size(); i += std::max<std::size_t>(1, profile.size() / 64)) {
        computed.x.push_back(profile[i].first), computed.y.push_back(profile[i].second);
        exact.x.push_back(profile[i].first);
        exact.y.push_back(flow.speed(profile[i].first * height) / peak);
    }
    plot.curves.push_back(computed);
    plot.curves.push_back(exact);
    outcome.quantities.push_back(
        at_most(c.name + ": error of the profile / peak", worst / peak, c.tolerance));
    outcome.quantities.push_back(
        at_most(c.name + ": plug half-width, error / cell",
                std::max(std::abs(rigid - flow.plug()), std::abs(flowing - flow.plug())) / cell, 1));
    outcome.quantities.push_back(near(c.name + ": wall stress at this flux, of the driving one",
                                      gradient_for(flow, mean) / flow.gradient, 1, 0.02));
    outcome.remark += c.name + ": " + std::to_string(int(steps)) + " steps, " +
                      std::to_string(iterations / steps) + " products per step; ";
}

Outcome channel(const Options& options) {
    Outcome outcome;
    Plot plot{"Herschel-Bulkley channel", "y / H", "u / peak", {}};
    const int cells = options.quick ? 16 : 32;
    run_channel({"Bingham", {4, 1, 1}, 0.4, 0.02}, cells, outcome, plot);
    run_channel({"drilling mud", {0.9707, 0.3839, 0.5173}, 0.4, 0.02}, cells, outcome, plot);
    // Speed goes as stress^4.5: it takes 32 cells to hold.
    if (!options.quick)
        run_channel({"shaving cream", {18.417, 17.821, 0.22}, 0.5, 0.1}, cells, outcome, plot);
    outcome.plots.push_back(plot);
    return outcome;
}

}  // namespace

std::vector<Case> shear_channel_cases() {
    return {{"shear", "channel", "Herschel-Bulkley plug flow between plates", channel}};
}

}  // namespace rivulet::verify
