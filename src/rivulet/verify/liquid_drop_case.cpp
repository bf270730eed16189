#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <rivulet/liquid/free_surface.h>
#include <rivulet/verify/case.h>
#include <rivulet/verify/liquid_rig.h>

/// A free drop that swings about the sphere by its surface tension alone.
namespace rivulet::verify {
namespace {

/// Σ V (y² − (x² + z²)/2) over the volume [m²]: 0 for a sphere.
double stretch(const LiquidRig& rig, const Vec3d& middle) {
    const auto& l = rig.world.liquid;
    double sum = 0, volume = 0;
    for (std::size_t i = 0; i < l.size(); ++i) {
        const Vec3d d = l.position[i] - middle;
        sum += l.volume[i] * (d.y * d.y - 0.5 * (d.x * d.x + d.z * d.z));
        volume += l.volume[i];
    }
    return sum / volume;
}

Outcome swinging_drop(const Options& options) {
    const double radius = 5e-3, cell = radius / (options.quick ? 8 : 10), tension = 0.072;
    LiquidRig rig(cell);
    liquid::LiquidMaterial& water = rig.model.liquid.materials[0];
    water.surface_tension = tension;
    rig.model.liquid.surface_tension = true;
    rig.model.gravity = {};
    geometry::ShapeDescription ball;
    ball.type = geometry::ShapeType::sphere;
    ball.radius = radius;
    rig.add_liquid(ball, 0);
    // Rayleigh 1879: the second mode, ω² = 8 σ/(ρ R³); its flow is c (−x, 2y, −z).
    const double omega = std::sqrt(8 * tension / (water.density * radius * radius * radius));
    const double swing = 0.1, rate = 0.5 * swing * omega;
    rig.push([&](const Vec3d& x) { return rate * Vec3d{-x.x, 2 * x.y, -x.z}; });
    rig.set_affine([&](const Vec3d&) {
        Mat3d c;
        c(0, 0) = c(2, 2) = -rate;
        c(1, 1) = 2 * rate;
        return c;
    });
    rig.start();
    const double kinetic = rig.metrics().energy_kinetic;
    const double limit = liquid::capillary_step(water.density, cell, tension);
    const Vec3d middle = rig.centre();
    const double start = stretch(rig, middle), periods = options.quick ? 1.6 : 3.1;
    double most = 0, longest = 0, before = 0;
    Curve computed{"drop", {0}, {0}, false};
    rig.run_until(periods * 2 * std::numbers::pi / omega, [&] {
        computed.x.push_back(rig.time());
        computed.y.push_back((stretch(rig, middle) - start) / (radius * radius));
        most = std::max(most, rig.metrics().energy_kinetic / kinetic);
        longest = std::max(longest, rig.time() - before);
        before = rig.time();
    });
    Outcome outcome;
    outcome.quantities.push_back(
        near("frequency of the drop [1/s]", frequency_of_crossings(computed), omega, 0.05));
    outcome.quantities.push_back(at_most("kinetic energy, of the start", most, 1.05));
    outcome.quantities.push_back(near("longest step / capillary limit", longest / limit, 1, 0.05));
    outcome.quantities.push_back(
        at_most("drift of the centre / cell", length(rig.centre() - middle) / cell, 0.01));
    outcome.quantities.push_back(ledger_residual(rig));
    outcome.remark = std::to_string(int(std::lround(radius / cell))) + " cells per radius";
    outcome.plots.push_back({"swinging drop", "t / s", "stretch / R^2", {computed}});
    return outcome;
}

}  // namespace

std::vector<Case> liquid_drop_cases() {
    return {{"liquid", "swinging_drop", "Rayleigh 1879, omega^2 = 8 sigma / (rho R^3)", swinging_drop}};
}

}  // namespace rivulet::verify
