#pragma once

#include <cstdint>

#include <rivulet/base/vec3.h>

namespace rivulet::coupling {

/// Which law says how hard liquid pulls at a strand. `automatic`: cylinder for Newtonian liquids, di_felice
/// for all others.
enum class DragLaw : std::uint8_t { automatic, cylinder, di_felice, darcy, constant };

/// The liquid, rheometer values: in simple shear, once it flows, stress = yield_stress + viscosity *
/// rate^exponent.
struct DragLiquid {
    double density = 1000;    // kg/m^3
    double viscosity = 1e-3;  // Pa*s; for other exponents the consistency, Pa*s^n
    double yield_stress = 0;  // Pa
    double exponent = 1;      // n

    bool newtonian() const { return yield_stress == 0 && exponent == 1; }
};

/// A place on a strand and the liquid there.
struct DragPlace {
    double radius;   // of the strand, m
    Vec3d axis;      // unit vector along it
    Vec3d relative;  // velocity of the liquid less that of the strand, m/s: between the strands, not
                     // superficial
    double cell;     // of the grid that gave the liquid's velocity, m
    /// Solid fraction, sampled by the kernel of the transfer. A lone strand has about 0.3 πa²/cell² of its
    /// own.
    double fraction;
};

/// Force per length and relative speed, along the strand and in any direction across [kg/(m s)]:
/// f = across u_across + along u_along.
struct LineDrag {
    double along = 0, across = 0;
};

/// Drag of a strand per length. Never negative; finite and continuous in the relative velocity, at rest too:
/// what would grow without bound as a liquid with yield stress comes to rest is held at its value at the rate
/// speed/radius = kLeastRate. It has no length of a piece in it: the sum over a strand does not depend on how
/// finely the strand is cut. `constant_coefficient` is C_d of DragLaw::constant.
LineDrag line_drag(DragLaw law, const DragLiquid& liquid, const DragPlace& place,
                   double constant_coefficient);

// The laws that line_drag is made of.

inline constexpr double kLeastRate = 1e-3;  // 1/s, slowest rate at which the apparent viscosity is taken
inline constexpr double kLeastCell = 2;     // radii; narrower cells count as this wide
inline constexpr double kMostFraction =
    0.6;  // where the fits for bundles end; denser ones count as this dense
inline constexpr double kPieceDiameters = 13;  // length of the piece whose Re and C_d Di Felice's law uses

/// Stress over rate in simple shear [Pa s].
double apparent_viscosity(const DragLiquid& liquid, double rate);

/// Force per length across an infinite cylinder over viscosity and speed across, by the Reynolds number of
/// the speed across on the diameter, in unbounded liquid. Up to Re 0.1 Lamb 1911, 4π/(ln(8/Re) − 0.0772);
/// from Re 0.25 the fit of Sucker & Brauer 1975 (Wärme- und Stoffübertragung 8), Re 1e-4 to 2e5,
///     C_d = 1.18 + 6.8 Re^-0.89 + 1.96 Re^-0.5 − 0.0004 Re/(1 + 3.64e-7 Re²);
/// they cross at 0.17 and differ by 3 % at the ends of the range where one turns into the other. No drag
/// crisis: C_d stays 1.18 beyond.
double cylinder_resistance_across(double reynolds);

/// The same along the cylinder, over the speed along. Speed along a straight cylinder is carried by the flow
/// across like heat of Prandtl number 1, so it is π times the Nusselt number at the Reynolds number across:
/// up to Re 0.02 Oseen's flow, 2π/(ln(8/Re) − 0.5772) (Cole & Roshko 1954), from 0.05 Churchill & Bernstein
/// 1977,
///     Nu = 0.3 + 0.5563 Re^½ [1 + (Re/282000)^⅝]^⅘.
/// They differ by 2.5 and 4.6 % at the ends. 0 without flow across: the layer then grows for ever.
double cylinder_resistance_along(double reynolds);

/// Resistances of one of many parallel strands that fill this part of the space, over the viscosity: force
/// per length and mean (superficial) speed in creeping flow, Fei 2017 eq. 19 (Drummond & Tahir 1984; Sangani
/// & Acrivos 1982). Above a fraction of 0.4 the ratio of the two is held: there the fits would cross.
LineDrag bundle_resistance(double fraction);

/// Denominator z of a strand's resistance, 4π/z or 2π/z, when faces feel drag against their own velocity each
/// and not against the mean over the kernel; y is that for the mean. A face near the strand is slowed more,
/// so faces where the kernel is light are dragged harder than the mean says. With weights w that sum to 1, G
/// the grid's velocities per force and s = G w, to second order in the drag D = 1/z
///     Σ w u = U/(1 + D Σ w s − D² Var_w s),     so y = z − Var_w s/z;
/// all orders together, averaged over the places of a strand in a cell, make y = z − variance/(z + decay) to
/// 0.002 for z from 0.25 up (a test sums the modes of the grid).
double lumped_logarithm(double logarithm, double variance, double decay);

/// Resistances over the viscosity against the velocities that the grid shows around the strand [1]. The
/// strand's own drag, spread over cells, already slows them, so the logarithm ends at the cell: 4π/z across
/// for y = ln(cell/a) − 0.412, 2π/z along for y = ln(cell/a) − 0.418 (lumped_logarithm). Where there is a
/// strand in every cell or more the grid shows the mean between them instead, and it ends at their spacing:
/// (1 − φ)² times bundle_resistance, where one factor turns the speed between strands into the superficial
/// one and the other leaves out what the mean pressure gradient does on the strand's volume. In between, from
/// 0.4 strands per cell to 1, one denominator turns into the other. It grows with the fraction but for 9 %
/// across between 0.34 and 0.4, where the fit of eq. 19 turns flat.
LineDrag grid_resistance(double cell_over_radius, double fraction);

/// Permeability of a bundle of parallel fibres [m^2], Fei 2018 eq. 13; across held as bundle_resistance says.
LineDrag bundle_permeability(double fraction, double diameter);

/// Force per volume and speed [kg/(m^3 s)] in a bundle of that permeability, Fei 2018 eq. 15, as printed:
/// μ/k + 1.75/√150 ρ^c d^(c−1) μ^(1−c) / ((1 − φ)^1.5 √k) speed^c.
double forchheimer(const DragLiquid& liquid, double permeability, double diameter, double fraction,
                   double speed, double c);

/// Reynolds number of a body in a Herschel-Bulkley liquid, diss. 13.82 with rheometer values (the norms of
/// the dissertation would make a Newtonian liquid twice as thick): φ_f ρ dⁿ U²/(K Uⁿ + τ_y dⁿ).
double particle_reynolds(const DragLiquid& liquid, double diameter, double speed, double liquid_fraction);

/// Drag coefficient of bodies in a power-law liquid of one exponent (Renaud), diss. 13.80 and 13.81.
class RenaudCoefficient {
 public:
    explicit RenaudCoefficient(double exponent);
    /// `surface_over_projected`: whole surface over projected area, 4 for a sphere.
    double at(double reynolds, double surface_over_projected) const;

 private:
    double x_, six_, k_, beta_;  // X, 6 X b, k and β of 13.81
};

/// Di Felice's voidage exponent χ, diss. 13.79, with log10.
double voidage_exponent(double reynolds);

}  // namespace rivulet::coupling
