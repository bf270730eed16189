#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/contact/bridge_curve.h>
#include <rivulet/contact/bridge_life.h>
#include <rivulet/contact/penalty.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/verify/contact_rig.h>

/// Cones and the penalty law side by side: thick cream between two strands.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi, kRadius = 50e-6, kLength = 47e-3;
using Kind = Quantity::Kind;

/// Milk cream of Fei 2019, dissertation table 15.2 (there CGS and von Mises values).
void make_cream(liquid::LiquidMaterial& m) {
    const liquid::FlowCurve curve = liquid::von_mises_to_flow_curve(120, 5, 0.27);
    m.density = 275;
    m.yield_stress = curve.yield_stress, m.consistency = curve.consistency, m.flow_index = curve.flow_index;
    m.shear_modulus = 1600, m.bulk_modulus = 1.09e5;
}

/// Crossings of two lines that lie in the plane z = 0.
int crossings(const strand::StrandState& s) {
    const auto side = [](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
    };
    int count = 0;
    const auto& x = s.position;
    for (std::size_t i = s.begin(0); i + 1 < s.end(0); ++i)
        for (std::size_t j = s.begin(1); j + 1 < s.end(1); ++j)
            count += side(x[i], x[i + 1], x[j]) != side(x[i], x[i + 1], x[j + 1]) &&
                     side(x[j], x[j + 1], x[i]) != side(x[j], x[j + 1], x[i + 1]);
    return count;
}

struct Apart {
    int most_crossed = 0, crossed_at_end = 0;
    double out_of_plane = 0;  // over the radius, at most
    double raised = 0;        // how far the tips have risen, their mean [m]
    Curve left, right;
};

struct Setup {
    double film = 70e-6, stiffness = 2000, step = 1e-3, time = 0.15;
};

/// Two hanging strands, axes 0.11 mm apart, covered with cream; their roots are drawn apart to 10 mm on
/// either side in 0.75 s (2019 fig. 10, dissertation 13.10).
Apart draw_apart(world::ContactLaw law, const Setup& setup) {
    strand::StrandMaterial hair;
    hair.density = 1300;
    hair.youngs_modulus = 3.4e8;
    ContactRig rig(hair, 0.3);
    rig.model.contact.law = law;
    rig.model.contact.penalty.stiffness = setup.stiffness;
    strand::MakeOptions options;
    options.root = strand::EndKind::clamp;
    for (const double side : {-1.0, 1.0}) {
        const Vec3d at{side * 55e-6, 0, 0};
        rig.add_strand(line(at, at + Vec3d{0, -kLength, 0}, 41), kRadius, options);
    }
    const double outer = kRadius + setup.film;
    rig.wet(kPi * (outer * outer - kRadius * kRadius), 0.045, 60 * kPi / 180);
    make_cream(rig.model.liquid.materials[0]);
    const strand::StrandState& s = rig.strands();
    Apart found;
    const auto steps = static_cast<int>(std::lround(setup.time / setup.step));
    for (int k = 1; k <= steps; ++k) {
        const double way = 10e-3 * std::min(1.0, k * setup.step / 0.75);
        for (std::size_t side = 0; side < 2; ++side)
            rig.hold_root(side, {(side == 0 ? -1 : 1) * (55e-6 + way), 0, 0});
        rig.step(setup.step);
        found.crossed_at_end = crossings(s);
        found.most_crossed = std::max(found.most_crossed, found.crossed_at_end);
        for (const Vec3d& x : s.position)
            found.out_of_plane = std::max(found.out_of_plane, std::abs(x.z) / kRadius);
    }
    for (std::size_t side = 0; side < 2; ++side)
        found.raised += 0.5 * (s.position[s.end(side) - 1].y + kLength);
    for (std::size_t v = 0; v < s.vertex_count(); ++v) {
        Curve& curve = v < s.begin(1) ? found.left : found.right;
        curve.x.push_back(1e3 * s.position[v].x), curve.y.push_back(1e3 * s.position[v].y);
    }
    return found;
}

/// The law's force at every distance, eq. 10.
struct Wet {
    contact::PenaltyPair pair;
    contact::BridgeCurve bridge;

    double end() const { return pair.touch + std::max(bridge.reach(), pair.join() - pair.touch); }
    double force(double d) const {
        return d < pair.join() ? contact::penalty_near(pair, d).force : bridge.at(d - pair.touch).force;
    }
    double energy(double d) const {
        if (d < pair.join()) return contact::penalty_near(pair, d).energy;
        const int parts = 400;
        double sum = contact::penalty_near(pair, pair.join()).energy;
        const double h = (d - pair.join()) / parts;
        for (int i = 0; i < parts; ++i) {
            const double at = pair.join() + h * i;
            sum += h / 6 * (force(at) + 4 * force(at + 0.5 * h) + force(at + h));
        }
        return sum;
    }
};

/// 2017 fig. 7: energy over distance for several amounts of water; r 50 µm, θ 40°.
void energy_over_distance(Outcome& out) {
    const double angle = 40 * kPi / 180, tension = 0.072;
    const contact::BridgeTable table(contact::bridge_between(1, 1, angle, angle));
    Plot plot{"energy of two strands by the penalty law", "distance / r", "energy / (σ r)", {}};
    double worst_rest = 0, worst_work = 0, worst_cut = 0;
    for (const double area : {6.0, 9.0, 12.0}) {
        Wet wet{{2 * kRadius, 3 * kRadius, 2e4, 0}, {&table, kRadius, area * kRadius * kRadius, tension}};
        wet.pair.join_pull = wet.bridge.at(wet.pair.join() - wet.pair.touch).force;
        Curve curve{"liquid " + std::to_string(int(area)) + " r²", {}, {}};
        double least = 1e300, at_least = 0;
        for (int i = 0; i <= 400; ++i) {
            const double d = kRadius + (wet.end() - kRadius) * i / 400.0, e = wet.energy(d);
            if (e < least) least = e, at_least = d;
            curve.x.push_back(d / kRadius), curve.y.push_back(e / (tension * kRadius));
        }
        plot.curves.push_back(std::move(curve));
        worst_rest = std::max(worst_rest, std::abs(at_least / kRadius - 3));
        worst_cut = std::max(
            worst_cut,
            std::abs((wet.end() - wet.pair.touch) / contact::break_gap(angle, area * kRadius * kRadius) - 1));
        // From B to where the fade begins the work is that of the exact bridge.
        const double from = wet.pair.join() - wet.pair.touch, to = 0.9 * wet.bridge.reach();
        const auto exact = [&](double gap) {
            return contact::solve_bridge(contact::bridge_between(kRadius, kRadius, angle, angle), gap,
                                         area * kRadius * kRadius, tension)
                .energy;
        };
        const double work = wet.energy(wet.pair.touch + to) - wet.energy(wet.pair.touch + from);
        worst_work = std::max(worst_work, std::abs(work / (exact(to) - exact(from)) - 1));
    }
    out.plots.push_back(std::move(plot));
    out.quantities.push_back({"energy least at 3 r: off by, over r", worst_rest, 0.02, 0, Kind::at_most});
    out.quantities.push_back(
        {"work beyond B against the exact bridge: off by", worst_work, 1e-3, 0, Kind::at_most});
    out.quantities.push_back({"curves end at (1 + θ/2)√A: off by", worst_cut, 1e-9, 0, Kind::at_most});
}

void compare(Outcome& out, const std::string& name, const Setup& setup) {
    const Apart cone = draw_apart(world::ContactLaw::cone, setup);
    const Apart penalty = draw_apart(world::ContactLaw::penalty, setup);
    out.quantities.push_back(
        {name + "crossings with cones", double(cone.most_crossed), 0, 0, Kind::absolute});
    out.quantities.push_back(
        {name + "crossings with penalty", double(penalty.most_crossed), 1, 0, Kind::at_least});
    out.quantities.push_back(
        {name + "crossings that lock with penalty", double(penalty.crossed_at_end), 1, 0, Kind::at_least});
    // They went through, not around.
    out.quantities.push_back(
        {name + "out of the plane over r, penalty", penalty.out_of_plane, 1, 0, Kind::at_most});
    Plot plot{name + "drawn apart", "x / mm", "y / mm", {cone.left, cone.right, penalty.left, penalty.right}};
    plot.curves[0].label = plot.curves[1].label = "cone";
    plot.curves[2].label = plot.curves[3].label = "penalty";
    out.plots.push_back(std::move(plot));
}

Outcome run_cream(const Options& o) {
    Outcome out;
    energy_over_distance(out);
    compare(out, "70 µm: ", {.time = o.quick ? 0.15 : 0.6});
    if (o.quick) return out;
    // A thin film, which the penalty law can hold: both agree.
    const Setup thin{.film = 20e-6, .time = 0.6};
    const Apart cone = draw_apart(world::ContactLaw::cone, thin);
    const Apart penalty = draw_apart(world::ContactLaw::penalty, thin);
    out.quantities.push_back(
        {"20 µm: crossings", double(cone.most_crossed + penalty.most_crossed), 0, 0, Kind::absolute});
    out.quantities.push_back(
        {"20 µm: rise of the tips, penalty over cone", penalty.raised / cone.raised, 1, 0.1});
    const Apart stiff = draw_apart(world::ContactLaw::penalty, {.stiffness = 2e4, .time = 0.3});
    const Apart fine = draw_apart(world::ContactLaw::penalty, {.step = 2e-4, .time = 0.3});
    out.remark = "penalty, 70 µm: ten times as stiff crosses " + std::to_string(stiff.most_crossed) +
                 " times, steps of 0.2 ms " + std::to_string(fine.most_crossed) + " times";
    return out;
}

}  // namespace

std::vector<Case> contact_cream_cases() {
    return {{"contact", "cream",
             "Fei 2019 fig. 10: strands pass through each other with the penalty, not with cones; Fei 2017 "
             "fig. 7, eq. 10",
             run_cream}};
}

}  // namespace rivulet::verify
