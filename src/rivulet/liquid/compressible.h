#pragma once

#include <cmath>

namespace rivulet::liquid {

/// Pressure [Pa] of a liquid compressed to `volume_ratio` J = volume / rest volume, diss. 13.4 and 13.8:
/// p = -kappa/2 (J - 1/J), kappa the bulk modulus [Pa]. Grows without bound as J goes to 0.
inline double compression_pressure(double bulk_modulus, double volume_ratio) {
    return -0.5 * bulk_modulus * (volume_ratio - 1 / volume_ratio);
}

/// dp/dJ [Pa] = -kappa/2 (1 + 1/J^2); -J dp/dJ is the K_c of diss. 14.32, kappa/2 (J + 1/J).
inline double compression_pressure_derivative(double bulk_modulus, double volume_ratio) {
    return -0.5 * bulk_modulus * (1 + 1 / (volume_ratio * volume_ratio));
}

/// J(p) = sqrt(1 + q^2) - q with q = p / kappa, positive for every pressure. Written without the cancellation
/// that large q would bring.
inline double volume_ratio_under(double bulk_modulus, double pressure) {
    const double q = pressure / bulk_modulus, root = std::sqrt(1 + q * q);
    return q > 0 ? 1 / (root + q) : root - q;
}

}  // namespace rivulet::liquid
