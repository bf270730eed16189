#include <rivulet/coupling/strand_drag.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rivulet::coupling {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLeastReynolds = 1e-60, kMostReynolds = 1e12;  // laws have long reached their limits there

double smooth_step(double x) {
    x = std::clamp(x, 0.0, 1.0);
    return x * x * (3 - 2 * x);
}

/// low up to Re `from`, high from `to`; in between their geometric mean with weights smooth in log Re.
template <class Low, class High>
double blend(double reynolds, double from, double to, Low&& low, High&& high) {
    if (reynolds <= from) return low();
    if (reynolds >= to) return high();
    const double weight = smooth_step(std::log(reynolds / from) / std::log(to / from));
    return std::exp((1 - weight) * std::log(low()) + weight * std::log(high()));
}

double sucker_brauer(double reynolds) {
    return 1.18 + 6.8 * std::pow(reynolds, -0.89) + 1.96 / std::sqrt(reynolds) -
           4e-4 * reynolds / (1 + 3.64e-7 * reynolds * reynolds);
}

/// Nusselt number for Prandtl number 1; 0.5563 = 0.62/(1 + 0.4^⅔)^¼.
double churchill_bernstein(double reynolds) {
    const double turbulent = std::pow(1 + std::pow(reynolds / 282000, 0.625), 0.8);
    return 0.3 + 0.62 / std::sqrt(std::sqrt(1 + std::cbrt(0.16))) * std::sqrt(reynolds) * turbulent;
}

/// Denominators of eq. 19 in the form 4π/across, 2π/along, so that they compare with ln(spacing/a) − 1.31.
LineDrag bundle_logarithm(double fraction) {
    const double f = std::clamp(fraction, 1e-30, kMostFraction);
    const auto along = [](double x) { return 0.5 * (-std::log(x) - 1.476 + x * (2 - 0.5 * x)); };
    const auto across = [](double x) {
        return 0.5 * (-std::log(x) - 1.476 + x * (2 + x * (-1.774 + 4.078 * x)));
    };
    constexpr double kHeld = 0.4;
    const double a = along(f);
    return {a, f <= kHeld ? across(f) : a * (across(kHeld) / along(kHeld))};
}

struct Speeds {
    double all, across;  // m/s
};
Speeds speeds(const DragPlace& p) {
    return {length(p.relative), length(p.relative - dot(p.relative, p.axis) * p.axis)};
}

LineDrag larger(const LineDrag& a, const LineDrag& b) {
    return {std::max(a.along, b.along), std::max(a.across, b.across)};
}
LineDrag operator*(double s, const LineDrag& d) {
    return {s * d.along, s * d.across};
}

/// What the grid does not resolve in creeping flow; thick liquids with their viscosity at the rate U/a.
LineDrag creeping(double viscosity, const DragPlace& p) {
    return viscosity * grid_resistance(p.cell / p.radius, p.fraction);
}

LineDrag cylinder(const DragLiquid& liquid, const DragPlace& p) {
    const Speeds u = speeds(p);
    const double viscosity = apparent_viscosity(liquid, u.all / p.radius);
    const double inertia = liquid.density * u.across * 2 * p.radius;  // viscosity times Reynolds number
    // NOTE: the drag of the wake, viscosity * Re, must outlive a viscosity of 0.
    const double wake = std::max(viscosity, inertia / kMostReynolds);
    const double reynolds = wake > 0 ? inertia / wake : 0;
    return larger(creeping(viscosity, p), {viscosity * cylinder_resistance_along(reynolds),
                                           wake * cylinder_resistance_across(reynolds)});
}

/// ½ ρ C_d area speed (1 − φ)^(2 − χ) per speed: Di Felice's law, diss. 13.78, for the speed between strands.
/// (His is the superficial one; the source leaves out the square.)
double di_felice_drag(const DragLiquid& liquid, const RenaudCoefficient& renaud, double projected,
                      double surface, double speed, double liquid_fraction) {
    const double diameter = 2 * std::sqrt(projected / kPi);
    const double reynolds = std::clamp(particle_reynolds(liquid, diameter, speed, liquid_fraction),
                                       kLeastReynolds, kMostReynolds);
    const double voidage = std::pow(liquid_fraction, 2 - voidage_exponent(reynolds));
    return 0.5 * liquid.density * renaud.at(reynolds, surface / projected) * projected * speed * voidage;
}

/// As printed, the drag of a piece goes with the square root of its length. Here it is that of a piece of
/// kPieceDiameters, per length: across from the side, along from its end.
LineDrag di_felice(const DragLiquid& liquid, const DragPlace& p) {
    const double speed = std::max(length(p.relative), kLeastRate * p.radius);
    const double d = 2 * p.radius, piece = kPieceDiameters * d;
    const double liquid_fraction = 1 - std::clamp(p.fraction, 0.0, 0.9);
    const double surface = kPi * d * piece;
    const RenaudCoefficient renaud(liquid.exponent);
    const LineDrag free{
        di_felice_drag(liquid, renaud, 0.25 * kPi * d * d, surface, speed, liquid_fraction) / piece,
        di_felice_drag(liquid, renaud, d * piece, surface, speed, liquid_fraction) / piece};
    return larger(free, creeping(apparent_viscosity(liquid, speed / p.radius), p));
}

/// Fei 2017 eq. 18 corrected: (πa²/φ) Ĉ per length, with (1 − φ)² Ĉ((1 − φ) u), which makes the flow through
/// a bundle Darcy's: permeabilities are those of the superficial speed, and the mean pressure gradient
/// already pulls at the strands' volume. A lone strand counts as one per cell, as its neighbourhood.
LineDrag darcy(const DragLiquid& liquid, const DragPlace& p) {
    const double speed = length(p.relative), d = 2 * p.radius;
    constexpr double kNarrowest = 4;  // radii: a strand alone fills no more than 0.2 of its neighbourhood
    const double cells = std::max(p.cell / p.radius, kNarrowest);
    const double fraction = std::clamp(p.fraction, std::max(kPi / (cells * cells), 1e-12), kMostFraction);
    DragLiquid same = liquid;
    same.viscosity = apparent_viscosity(liquid, speed / p.radius);
    const LineDrag k = bundle_permeability(fraction, d);
    const double open = 1 - fraction, scale = open * open * 0.25 * kPi * d * d / fraction;
    return {scale * forchheimer(same, k.along, d, fraction, open * speed, 1),
            scale * forchheimer(same, k.across, d, fraction, open * speed, 1)};
}

LineDrag constant(const DragLiquid& liquid, const DragPlace& p, double coefficient) {
    const double pressure = 0.5 * liquid.density * coefficient * length(p.relative);
    return {pressure * kPi * p.radius / (2 * kPieceDiameters), pressure * 2 * p.radius};
}

}  // namespace

double apparent_viscosity(const DragLiquid& liquid, double rate) {
    if (liquid.newtonian()) return liquid.viscosity;
    const double r = std::max(rate, kLeastRate);
    return liquid.yield_stress / r + liquid.viscosity * std::pow(r, liquid.exponent - 1);
}

double cylinder_resistance_across(double reynolds) {
    if (!(reynolds > 0)) return 0;
    return blend(
        reynolds, 0.1, 0.25, [&] { return 4 * kPi / (std::log(8 / reynolds) - 0.0772); },
        [&] { return 0.5 * reynolds * sucker_brauer(reynolds); });
}

double cylinder_resistance_along(double reynolds) {
    if (!(reynolds > 0)) return 0;
    return blend(
        reynolds, 0.02, 0.05, [&] { return 2 * kPi / (std::log(8 / reynolds) - 0.5772); },
        [&] { return kPi * churchill_bernstein(reynolds); });
}

LineDrag bundle_resistance(double fraction) {
    const LineDrag l = bundle_logarithm(fraction);
    return {2 * kPi / l.along, 4 * kPi / l.across};
}

double lumped_logarithm(double logarithm, double variance, double decay) {
    const double sum = logarithm + decay;
    return 0.5 * (logarithm - decay + std::sqrt(sum * sum + 4 * variance));
}

LineDrag grid_resistance(double cell_over_radius, double fraction) {
    const double cell = std::max(cell_over_radius, kLeastCell);
    const double log_cell = std::log(cell);
    LineDrag l{log_cell - 0.418, log_cell - 0.412};
    const double f = std::clamp(fraction, 0.0, kMostFraction);
    const double strands = f * cell * cell / kPi;  // per cell
    constexpr double kLone = 0.4;
    double open = 1, lone = 1;
    if (strands > kLone) {
        const double crowd = smooth_step(std::log(strands / kLone) / std::log(1 / kLone));
        const LineDrag between = bundle_logarithm(f);
        l.along += crowd * (between.along - l.along);
        l.across += crowd * (between.across - l.across);
        open = 1 - crowd * f, lone = 1 - crowd;
    }
    // Between many strands the disturbance is the same everywhere.
    return {open * open * 2 * kPi / lumped_logarithm(l.along, 0.100 * lone, 0.26),
            open * open * 4 * kPi / lumped_logarithm(l.across, 0.148 * lone, 0.36)};
}

LineDrag bundle_permeability(double fraction, double diameter) {
    const LineDrag l = bundle_logarithm(fraction);
    const double scale = diameter * diameter / (16 * fraction);
    return {2 * l.along * scale, l.across * scale};
}

double forchheimer(const DragLiquid& liquid, double permeability, double diameter, double fraction,
                   double speed, double c) {
    const double inertia = std::pow(liquid.density * speed, c) * std::pow(diameter, c - 1) *
                           (c == 1 ? 1 : std::pow(liquid.viscosity, 1 - c));
    const double open = 1 - fraction;
    return liquid.viscosity / permeability +
           1.75 / std::sqrt(150.0) * inertia / (open * std::sqrt(open * permeability));
}

double particle_reynolds(const DragLiquid& liquid, double diameter, double speed, double liquid_fraction) {
    const double stress =
        liquid.viscosity * std::pow(speed / diameter, liquid.exponent) + liquid.yield_stress;
    const double inertia = liquid_fraction * liquid.density * speed * speed;
    return inertia < kMostReynolds * stress ? inertia / stress : kMostReynolds;
}

RenaudCoefficient::RenaudCoefficient(double n) {
    const double root6 = std::sqrt(6.0), alpha = 3 / (n * n + n + 1);
    const double thinning = (3 - alpha) / (2 * alpha);
    x_ = std::pow(6.0, 0.5 * (n - 1)) * std::pow(alpha, n + 1);
    six_ = 6 * x_ * std::exp(3 * (alpha - std::log(6.0)));
    k_ = thinning / 3 * std::pow(3.0, thinning);
    beta_ = 11.0 / 48 * root6 * (1 - std::pow((root6 - 1) / root6, thinning * thinning));
}

double RenaudCoefficient::at(double reynolds, double surface_over_projected) const {
    constexpr double kFast = 0.44;  // C_d∞, diss. 13.81b
    const double slow = 24 * x_ / reynolds;
    // (C_d0²)^β [6Xb/(6Xb + C_d0)]^β in one power.
    const double between = std::pow(slow * slow * six_ / (six_ + slow), beta_);
    return slow + surface_over_projected * kFast * k_ * between + kFast * six_ / (six_ + 128 * slow);
}

double voidage_exponent(double reynolds) {
    const double x = 1.5 - std::log10(reynolds);
    return 3.7 - 0.65 * std::exp(-0.5 * x * x);
}

LineDrag line_drag(DragLaw law, const DragLiquid& liquid, const DragPlace& place,
                   double constant_coefficient) {
    if (!(place.radius > 0)) return {};
    if (law == DragLaw::automatic) law = liquid.newtonian() ? DragLaw::cylinder : DragLaw::di_felice;
    switch (law) {
        case DragLaw::di_felice:
            return di_felice(liquid, place);
        case DragLaw::darcy:
            return darcy(liquid, place);
        case DragLaw::constant:
            return constant(liquid, place, constant_coefficient);
        default:
            return cylinder(liquid, place);
    }
}

}  // namespace rivulet::coupling
