#include <cmath>
#include <numbers>

#include <rivulet/verify/contact_rig.h>

/// Coulomb's law with strands on walls.
namespace rivulet::verify {
namespace {

constexpr double kRadius = 1e-3, kGravity = 9.81;

strand::StrandMaterial rod_material() {
    strand::StrandMaterial m;
    m.density = 1000;
    m.youngs_modulus = 1e8;
    return m;
}

struct Slope {
    double acceleration = 0;  // down the slope [m/s²]
    double spin = 0;          // rate of turning gained per time [rad/s²]
};

/// A rod on an incline, along the fall line or across it, let go; measured over the second half of the time.
Slope let_go(double angle, double friction, bool across, double time) {
    ContactRig rig(rod_material(), friction);
    const Vec3d down{std::cos(angle), -std::sin(angle), 0}, normal{std::sin(angle), std::cos(angle), 0};
    rig.add_plane({}, normal);
    const Vec3d along = across ? Vec3d{0, 0, 1} : down;
    strand::MakeOptions options;
    options.root = strand::EndKind::free;
    rig.add_strand(line(normal * kRadius - along * 0.05, normal * kRadius + along * 0.05, 10), kRadius,
                   options);
    const double dt = 1e-3;
    const int steps = static_cast<int>(std::lround(time / dt));
    double speed = 0, spin = 0;
    for (int k = 0; k < steps; ++k) {
        rig.step(dt);
        if (k + 1 == steps / 2)
            speed = dot(rig.strands().velocity[5], down), spin = rig.strands().twist_velocity[5];
    }
    const int rest = steps - steps / 2;
    const double half = dt * rest;
    return {(dot(rig.strands().velocity[5], down) - speed) / half,
            (rig.strands().twist_velocity[5] - spin) / half};
}

/// Slope at which a rod along the fall line starts to slide.
double sliding_threshold(double friction) {
    double rests = 0.5 * friction, slides = 2 * friction;  // tangents
    for (int i = 0; i < 12; ++i) {
        const double middle = 0.5 * (rests + slides);
        (let_go(std::atan(middle), friction, false, 0.1).acceleration > 1e-4 * kGravity ? slides : rests) =
            middle;
    }
    return 0.5 * (rests + slides);
}

Outcome run_incline(const Options&) {
    Outcome out;
    for (const double friction : {0.16, 0.5})
        out.quantities.push_back(
            {"tan of the angle at which it slides, friction " + std::to_string(friction).substr(0, 4),
             sliding_threshold(friction), friction, 0.005});
    const double angle = 0.5, friction = 0.3;
    out.quantities.push_back({"acceleration over g",
                              let_go(angle, friction, false, 0.2).acceleration / kGravity,
                              std::sin(angle) - friction * std::cos(angle), 1e-3});
    return out;
}

Outcome run_rolling(const Options&) {
    Outcome out;
    const double friction = 0.2, gentle = std::atan(2 * friction), steep = std::atan(4.5 * friction);
    const Slope rolls = let_go(gentle, friction, true, 0.2);
    out.quantities.push_back(
        {"rolling: acceleration over g", rolls.acceleration / kGravity, 2.0 / 3 * std::sin(gentle), 0.002});
    out.quantities.push_back({"rolling: spin times radius over g", std::abs(rolls.spin) * kRadius / kGravity,
                              2.0 / 3 * std::sin(gentle), 0.002});
    const Slope slips = let_go(steep, friction, true, 0.2);
    out.quantities.push_back({"slipping: acceleration over g", slips.acceleration / kGravity,
                              std::sin(steep) - friction * std::cos(steep), 0.002});
    out.quantities.push_back({"slipping: spin times radius over g", std::abs(slips.spin) * kRadius / kGravity,
                              2 * friction * std::cos(steep), 0.002});
    return out;
}

}  // namespace

std::vector<Case> contact_friction_cases() {
    return {{"contact", "incline", "Coulomb: slides beyond tan α = μ, then with g (sin α − μ cos α)",
             run_incline},
            {"contact", "rolling", "⅔ g sin α below tan α = 3μ, beyond it slides and spins with 2μ g cos α/r",
             run_rolling}};
}

}  // namespace rivulet::verify
