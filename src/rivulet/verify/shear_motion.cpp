#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/liquid/elastic_strain.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/verify/case.h>
#include <rivulet/verify/shear_rig.h>

/// Thick liquids in motion: the steady flow curve of one particle, what collisions keep, and the steps that
/// stay stable.
namespace rivulet::verify {
namespace {

struct Named {
    const char* name;
    liquid::FlowCurve curve;
    double shear_modulus, density, bulk_modulus;
};
/// Diss. table 15.2, rheometer values.
constexpr Named kCream{"shaving cream", {18.417, 17.821, 0.22}, 290, 200, 1.09e5};
constexpr Named kMud{"drilling mud", {0.9707, 0.3839, 0.5173}, 100, 1220, 0};
constexpr Named kChocolate{"milk chocolate", {17.321, 1.4097, 0.98}, 400, 950, 0};

/// Stress of one particle in steady shear over the flow curve, steps from 10 us to 100 ms.
Outcome laws(const Options&) {
    Outcome outcome;
    Plot plot{"steady shear at 10 1/s", "step / s", "stress / flow curve", {}};
    plot.log_x = true;
    for (const Named& m : {kCream, kMud, kChocolate}) {
        const double rate = 10;
        Mat3d gradient;
        gradient(0, 1) = rate;
        Curve curve{m.name, {}, {}, true};
        double worst = 0, drift = 0;
        for (const double step : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1}) {
            liquid::Strain b = liquid::identity_strain();
            const int count = int(std::min(2e5, 5 / step)) + 60;
            for (int i = 0; i < count; ++i)
                b = liquid::shear_step(b, gradient, step, m.shear_modulus, liquid::to_norm(m.curve)).strain;
            const double s = liquid::norm(liquid::shear_stress(m.shear_modulus, b)) / std::sqrt(2.0);
            curve.x.push_back(step), curve.y.push_back(s / m.curve.stress(rate));
            worst = std::max(worst, std::abs(curve.y.back() - 1));
            drift = std::max(drift, std::abs(liquid::determinant(b) - 1));
        }
        plot.curves.push_back(curve);
        outcome.quantities.push_back(
            at_most(std::string(m.name) + ": stress off the flow curve", worst, 0.002));
        outcome.quantities.push_back(at_most(std::string(m.name) + ": det b - 1", drift, 1e-12));
    }
    outcome.plots.push_back(plot);
    return outcome;
}

/// Two lumps of different liquids meet in free space, off their centres.
Outcome collision(const Options& options) {
    const double cell = options.quick ? 0.01 : 0.005, speed = 0.5, size = 0.08;
    LiquidRig rig(cell);
    rig.model.gravity = {};
    rig.model.liquid.materials.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
        const Named& m = i == 0 ? kCream : kMud;
        liquid::LiquidMaterial& l = rig.model.liquid.materials[i];
        l.viscosity = 0;
        l.density = m.density, l.bulk_modulus = m.bulk_modulus, l.shear_modulus = m.shear_modulus;
        l.yield_stress = m.curve.yield_stress, l.consistency = m.curve.consistency;
        l.flow_index = m.curve.flow_index;
    }
    rig.add_box_of_liquid({-size, 0, 0}, {-cell, size, size}, 0.3, 0);
    rig.add_box_of_liquid({cell, 0.25 * size, 0}, {size, 1.25 * size, size}, 0.3, 1);
    rig.push([&](const Vec3d& x) { return Vec3d{x.x < 0 ? speed : -speed, 0, 0}; });
    rig.start();
    const world::Metrics before = rig.metrics();
    const double gross = speed * size * size * size * (kCream.density + kMud.density);
    double most = before.energy_kinetic;
    Curve energy{"kinetic energy, of the start", {0}, {1}, false};
    rig.run_until(options.quick ? 0.15 : 0.3, [&] {
        const double k = rig.metrics().energy_kinetic;
        most = std::max(most, k);
        energy.x.push_back(rig.time()), energy.y.push_back(k / before.energy_kinetic);
    });
    const world::Metrics after = rig.metrics();
    Outcome outcome;
    outcome.quantities.push_back(
        at_most("change of momentum / momentum", length(after.momentum - before.momentum) / gross, 0.02));
    outcome.quantities.push_back(
        at_most("change of angular momentum / (momentum size)",
                length(after.angular_momentum - before.angular_momentum) / (gross * size), 0.02));
    outcome.quantities.push_back(
        at_most("largest kinetic energy, of the start", most / before.energy_kinetic, 1.001));
    outcome.quantities.push_back(
        near("geometric volume", rig.geometric_volume() / rig.world.ledger.total_initial(), 1, 0.1));
    outcome.quantities.push_back(ledger_residual(rig));
    outcome.plots.push_back({"two lumps meet", "t / s", "of the start", {energy}});
    return outcome;
}

/// How shear and pressure are integrated, Fei 2019 fig. 14.
struct Scheme {
    const char* name;
    int passes;
    bool explicit_pressure;
};
constexpr Scheme kSchemes[] = {
    {"explicit", 0, true}, {"shear explicit", 0, false}, {"semi-implicit", 2, false}};

/// True when a block that falls on a plate with this Courant number gains no energy.
bool holds(const Named& m, const Scheme& scheme, double courant) {
    LiquidRig rig(0.01);
    make_thick(rig, m.curve, m.shear_modulus).density = m.density;
    // Explicit pressure needs a bulk modulus: the table gives mud 2e9 Pa.
    rig.model.liquid.materials[0].bulk_modulus =
        scheme.explicit_pressure && m.bulk_modulus == 0 ? 2e9 : m.bulk_modulus;
    rig.model.liquid.shear.passes = scheme.passes;
    rig.model.liquid.shear.explicit_pressure = scheme.explicit_pressure;
    rig.model.step.courant = courant;
    rig.model.step.max = 1;
    rig.model.step.min = 1e-9;
    rig.model.step.retries = 0;
    rig.model.fps = 1;
    add_floor(rig, sticking_wall());
    rig.add_box_of_liquid({-0.04, 0, -0.04}, {0.04, 0.1, 0.04}, 0.5);
    rig.push([](const Vec3d&) { return Vec3d{0, -1, 0}; });
    rig.start();
    const double most = 1.05 * rig.total_energy();
    try {
        for (int i = 0; i < (scheme.explicit_pressure ? 160 : 40); ++i) {
            rig.step();
            if (!(rig.total_energy() <= most)) return false;
        }
    } catch (const StepFailed&) {
        return false;
    }
    return true;
}

/// Largest of growing numbers that holds, no gaps below it; 0: none.
double largest_stable(const Named& m, const Scheme& scheme, bool quick) {
    const double first = scheme.explicit_pressure ? 1e-4 : 0.02, factor = quick ? 4 : std::sqrt(2.0);
    // Longer steps than the stiffness of the shear allows are not taken (kMostShearStiffness): 2.08 for
    // cream.
    const double most = scheme.passes > 0 ? 2 : 4;
    double largest = 0;
    for (double c = scheme.passes > 0 ? 0.5 : first; c <= 1.001 * most;
         c *= scheme.passes > 0 ? 2.0 : factor) {
        if (!holds(m, scheme, c)) break;
        largest = c;
    }
    return largest;
}

Outcome courant(const Options& options) {
    Outcome outcome;
    Plot plot{"largest stable Courant number",
              "0 explicit, 1 shear explicit, 2 semi-implicit",
              "Courant number",
              {}};
    plot.log_y = true;
    for (const Named& m : {kCream, kMud}) {
        Curve curve{m.name, {}, {}, true};
        for (const Scheme& scheme : kSchemes) {
            const double largest = largest_stable(m, scheme, options.quick);
            curve.x.push_back(double(curve.x.size())), curve.y.push_back(std::max(largest, 1e-5));
            if (scheme.passes > 0)
                outcome.quantities.push_back(at_least(std::string(m.name) + ": semi-implicit", largest, 1.2));
            else
                outcome.remark +=
                    std::string(m.name) + ", " + scheme.name + ": " + std::to_string(largest) + "; ";
        }
        plot.curves.push_back(curve);
    }
    outcome.plots.push_back(plot);
    return outcome;
}

}  // namespace

std::vector<Case> shear_motion_cases() {
    return {{"shear", "laws", "backward-Euler return on the flow curve at any step", laws},
            {"shear", "collision", "momentum and volume kept", collision},
            {"shear", "courant", "Fei 2019 fig. 14", courant}};
}

}  // namespace rivulet::verify
