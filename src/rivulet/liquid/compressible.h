#pragma once

#include <cmath>

namespace rivulet::liquid {

/// Pressure [Pa] of a liquid compressed to `volume_ratio` J = volume / rest volume, diss. 13.4 and 13.8:
/// p = -kappa/2 (J - 1/J), kappa the bulk modulus [Pa]. Grows without bound as J goes to 0.
inline double compression_pressure(double bulk_modulus, double volume_ratio) {
    return -0.5 * bulk_modulus * (volume_ratio - 1 / volume_ratio);
}

/// J(p) = sqrt(1 + q^2) - q with q = p / kappa, positive for every pressure. Written without the cancellation
/// that large q would bring.
inline double volume_ratio_under(double bulk_modulus, double pressure) {
    const double q = pressure / bulk_modulus, root = std::sqrt(1 + q * q);
    return q > 0 ? 1 / (root + q) : root - q;
}

}  // namespace rivulet::liquid
