#include <algorithm>
#include <cmath>
#include <limits>

#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/tearing.h>
#include <rivulet/verify/case.h>
#include <rivulet/verify/shear_rig.h>

/// Cream between plates, sheared until its bonds break, then left alone until they have grown again; a thread
/// of it drawn out until it tears.
namespace rivulet::verify {
namespace {

constexpr double kRate = 60, kTearStrain = 50, kRecovery = 0.35;
constexpr liquid::FlowCurve kCurve{18.417, 17.821, 0.22};

/// Largest |dev C_p|, and the part of the particles that are torn, of those up to `reach` [m] above and below
/// y = 0.
struct Bonds {
    double most = 0, torn = 0;
};
Bonds bonds(const LiquidRig& rig, double tear_strain,
            double reach = std::numeric_limits<double>::infinity()) {
    const auto& l = rig.world.liquid;
    Bonds b;
    double count = 0;
    for (std::size_t i = 0; i < l.size(); ++i) {
        if (std::abs(l.position[i].y) > reach) continue;
        const double c = liquid::plastic_distortion(liquid::strain_of(l, i), liquid::stretch_of(l, i));
        b.most = std::max(b.most, c);
        b.torn += c >= tear_strain ? 1 : 0, ++count;
    }
    b.torn /= count;
    return b;
}

/// Mean shear stress in terms of a rheometer [Pa].
double shear_stress_of(const LiquidRig& rig) {
    double sum = 0;
    for (std::size_t i = 0; i < rig.world.liquid.size(); ++i) sum += stress_norm(rig, i);
    return sum / (std::sqrt(2.0) * double(rig.world.liquid.size()));
}

Outcome tearing(const Options& options) {
    const int cells = options.quick ? 8 : 16;
    const double height = 0.04, cell = height / cells, speed = kRate * height;
    // |dev C_p| of simple shear g is about sqrt(2/3) g²: it passes 50 at g = 7.8, after 0.13 s.
    const double whole = 0.08, sheared = 0.25;
    LiquidRig rig(cell);
    liquid::LiquidMaterial& m = make_thick(rig, kCurve, 2000);
    m.density = 200;
    m.tear_strain = kTearStrain;
    m.bond_recovery = kRecovery;
    rig.model.gravity = {};
    rig.model.period = {4, 0, 4};
    add_floor(rig, sticking_wall());
    obstacle::ObstacleDescription lid;
    lid.name = "lid";
    lid.shape.type = geometry::ShapeType::plane;
    lid.shape.point = {0, height, 0};
    lid.shape.normal = {0, -1, 0};
    lid.wall = sticking_wall();
    obstacle::Motion motion;
    motion.offset.time = {0, sheared};
    motion.offset.value = {Vec3d{}, Vec3d{speed * sheared, 0, 0}};
    motion.offset.ease = obstacle::Ease::linear;
    lid.motion = {motion};
    rig.add_obstacle(lid);
    rig.add_box_of_liquid({0, 0, 0}, {4 * cell, height, 4 * cell}, 0);
    rig.push([&](const Vec3d& x) { return Vec3d{kRate * x.y, 0, 0}; });
    rig.model.step.max = 0.5 * cell / speed;
    rig.model.fps = 1 / rig.model.step.max;
    rig.start();
    Curve stress{"stress / flow curve", {}, {}, false}, torn{"torn, part of all", {}, {}, false};
    const auto record = [&] {
        stress.x.push_back(rig.time()), stress.y.push_back(shear_stress_of(rig) / kCurve.stress(kRate));
        torn.x.push_back(rig.time()), torn.y.push_back(bonds(rig, kTearStrain).torn);
    };
    Outcome outcome;
    auto& q = outcome.quantities;
    rig.run_until(whole, record);
    q.push_back(near("before it tears: stress, of the flow curve", stress.y.back(), 1, 0.03));
    q.push_back(at_most("before it tears: part torn", torn.y.back(), 0));
    rig.run_until(sheared, record);
    const liquid::FlowCurve weak{0, kCurve.consistency, kCurve.flow_index};
    q.push_back(at_least("sheared on: part torn", torn.y.back(), 0.95));
    q.push_back(near("sheared on: stress, of the flow curve without yield stress",
                     stress.y.back() * kCurve.stress(kRate) / weak.stress(kRate), 1, 0.05));
    // Stopped at once: else it would flow on for 0.2 s and break more of its bonds.
    auto& liquid = rig.world.liquid;
    std::fill(liquid.velocity.begin(), liquid.velocity.end(), Vec3d{});
    std::fill(liquid.affine.begin(), liquid.affine.end(), Mat3d{});
    rig.run_until(sheared + 0.02, record);
    const double expected = kRecovery * std::log(bonds(rig, kTearStrain).most / kTearStrain),
                 start = rig.time();
    while (torn.y.back() > 0 && rig.time() < start + 3) {
        rig.step();
        record();
    }
    q.push_back(near("until all bonds have grown again, of the time they need",
                     (rig.time() - start) / expected, 1, 0.05));
    q.push_back(ledger_residual(rig));
    outcome.plots.push_back({"cream that tears under shear", "t / s", "", {stress, torn}});
    return outcome;
}

/// Stress over what the flow curve gives at the particles' own rate, mean over those up to `reach` above and
/// below y = 0. `yields`: with yield stress or without.
double stress_on_curve(const LiquidRig& rig, bool yields, double reach) {
    const auto& l = rig.world.liquid;
    const liquid::NormLaw law = liquid::to_norm(kCurve);
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < l.size(); ++i) {
        if (std::abs(l.position[i].y) > reach) continue;
        const double rate = liquid::norm(liquid::deviator(liquid::symmetric_part(l.affine[i])));
        const double flows = law.consistency * std::pow(rate, law.flow_index);
        sum += stress_norm(rig, i) / (flows + (yields ? law.yield : 0)), ++count;
    }
    return sum / count;
}

/// A thread whose ends fly apart, so heavy that its stress hardly slows them: drawn out by a factor d it has
/// C_p = diag(d², 1/d, 1/d) and tears at |dev C_p| = sqrt(2/3) (d² − 1/d).
Outcome thread(const Options& options) {
    const int cells = options.quick ? 5 : 8;  // in its radius
    const double radius = 0.02, length = 0.04, cell = radius / cells, rate = 20, tear = 10;
    LiquidRig rig(cell);
    liquid::LiquidMaterial& m = make_thick(rig, kCurve, 2000);
    m.density = 1e5;
    m.tear_strain = tear;
    m.bond_recovery = 100;
    rig.model.gravity = {};
    geometry::ShapeDescription shape;
    shape.type = geometry::ShapeType::cylinder;
    shape.from = {0, -0.5 * length, 0};
    shape.to = {0, 0.5 * length, 0};
    shape.radius = radius;
    rig.add_liquid(shape, 0);
    const Mat3d gradient{{{-0.5 * rate, 0, 0}, {0, rate, 0}, {0, 0, -0.5 * rate}}};
    rig.push([&](const Vec3d& x) { return gradient * x; });
    rig.set_affine([&](const Vec3d&) { return gradient; });
    rig.model.step.max = 0.02 / rate;
    rig.model.fps = 1 / rig.model.step.max;
    rig.start();
    // Coasting ends: drawn out by 1 + rate t.
    double drawn = 2;
    while (std::sqrt(2.0 / 3) * (drawn * drawn - 1 / drawn) < tear) drawn += 1e-4;
    Curve whole{"stress / flow curve", {}, {}, false}, torn{"torn, part of all", {}, {}, false};
    double half = 0;
    const auto record = [&] {  // of the middle half: free ends are not drawn evenly
        const double factor = 1 + rate * rig.time();
        torn.x.push_back(factor), torn.y.push_back(bonds(rig, tear, 0.25 * length * factor).torn);
        whole.x.push_back(factor), whole.y.push_back(stress_on_curve(rig, true, 0.25 * length * factor));
        if (half == 0 && torn.y.back() > 0.5) half = factor;
    };
    Outcome outcome;
    auto& q = outcome.quantities;
    rig.run_until(0.8 * (drawn - 1) / rate, record);
    q.push_back(near("before it tears: stress, of the flow curve", whole.y.back(), 1, 0.05));
    q.push_back(at_most("before it tears: part torn", torn.y.back(), 0.05));
    rig.run_until(1.3 * (drawn - 1) / rate, record);
    q.push_back(near("drawn out when half is torn, of the exact", half / drawn, 1, 0.05));
    q.push_back(at_least("drawn on: part torn", torn.y.back(), 0.9));
    q.push_back(near("drawn on: stress, of the flow curve without yield stress",
                     stress_on_curve(rig, false, 0.25 * length * whole.x.back()), 1, 0.1));
    q.push_back(ledger_residual(rig));
    outcome.plots.push_back({"thread of cream drawn out until it tears", "drawn out", "", {whole, torn}});
    return outcome;
}

}  // namespace

std::vector<Case> shear_tear_cases() {
    return {{"shear", "tearing", "bonds break at |dev C_p| and grow again (Yue et al. 2015)", tearing},
            {"shear", "thread", "a thread drawn out tears at |dev C_p|", thread}};
}

}  // namespace rivulet::verify
