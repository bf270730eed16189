#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

namespace rivulet::film {

/// The liquid of a film, SI, rheometer values: in simple shear, once it flows,
///     stress = yield_stress + consistency * rate^flow_index.
/// Newtonian: yield_stress 0, flow_index 1, consistency = viscosity, shear_modulus 0.
struct FilmLiquid {
    double density = 1000;       // kg/m^3
    double surface_tension = 0;  // N/m
    double yield_stress = 0;     // Pa
    double consistency = 0;      // Pa*s^n; 0: it slides without viscosity
    double flow_index = 1;       // n
    double shear_modulus = 0;    // Pa; 0: no elastic memory

    bool newtonian() const { return yield_stress == 0 && flow_index == 1; }
    bool remembers() const { return shear_modulus > 0; }
};

/// What liquids make together that fill these shares of the volume, one per liquid, of sum 1: density,
/// surface tension, yield stress and modulus are means by volume, the flow index too, the consistency is a
/// geometric mean (Arrhenius: the logarithms of viscosities mix by volume). A share of 1 gives that liquid to
/// the bit.
inline FilmLiquid mixture(std::span<const FilmLiquid> liquids, std::span<const double> share) {
    assert(!liquids.empty() && share.size() == liquids.size() && "one share per liquid");
    if (liquids.size() == 1) return liquids[0];
    FilmLiquid mixed{0, 0, 0, 0, 0, 0};
    double log_consistency = 0;
    for (std::size_t l = 0; l < liquids.size(); ++l) {
        const double part = share[l];
        if (part == 1) return liquids[l];
        if (!(part > 0)) continue;
        const FilmLiquid& liquid = liquids[l];
        mixed.density += part * liquid.density;
        mixed.surface_tension += part * liquid.surface_tension;
        mixed.yield_stress += part * liquid.yield_stress;
        mixed.flow_index += part * liquid.flow_index;
        mixed.shear_modulus += part * liquid.shear_modulus;
        log_consistency += part * std::log(liquid.consistency);  // of 0 it is -infinity, and stays it
    }
    mixed.consistency = std::exp(log_consistency);
    return mixed;
}

}  // namespace rivulet::film
