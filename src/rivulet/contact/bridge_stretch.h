#pragma once

#include <cassert>
#include <cmath>

namespace rivulet::contact {

/// A Herschel-Bulkley liquid by its rheometer values: shear stress τ_y + K (shear rate)ⁿ.
struct BridgeRheology {
    double yield_stress = 0;  ///< τ_y [Pa]
    double consistency = 0;   ///< K [Pa sⁿ]; with n = 1 the viscosity
    double exponent = 1;      ///< n > 0
};

struct StretchForce {
    double force = 0;  ///< per length, positive: resists [N/m]
    double slope = 0;  ///< with the opening speed [N s/m²]; not finite at speed 0+ when n < 1
};

/// What a bridge's liquid resists being pulled apart with, Fei 2019 eq. 28 (dissertation 13.96) as a
/// traction: in plane strain at rate ε̇ the normal stresses differ by 2 [τ_y + K (2ε̇)ⁿ], 4 μ ε̇ for a Newtonian
/// liquid (eq. 28 prints the norm of the stress, which is 1/√2 of it). It acts over the wetted length of the
/// outline [m], the mean of both solids; ε̇ is the opening speed [m/s] over the bridge's mean thickness [m],
/// which stays finite at contact. Only while opening: a closing bridge gives way sideways.
inline StretchForce stretch_force(const BridgeRheology& liquid, double wetted, double mean_thickness,
                                  double opening_speed) {
    assert(wetted >= 0 && liquid.exponent > 0);
    if (!(opening_speed > 0) || !(wetted > 0)) return {};
    assert(mean_thickness > 0);
    const double shear_rate = 2 * opening_speed / mean_thickness;
    const double flow = liquid.consistency * std::pow(shear_rate, liquid.exponent);
    return {2 * wetted * (liquid.yield_stress + flow), 2 * wetted * liquid.exponent * flow / opening_speed};
}

}  // namespace rivulet::contact
