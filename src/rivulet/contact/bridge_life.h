#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rivulet::contact {

/// When a bridge begins, fades and ends. Its existence has a memory: it forms where films touch and lives
/// until its gap is wider than it reaches. While it lives it acts at every gap.

/// Gap between the surfaces at which a bridge of this cross-section breaks [m]: (1 + θ/2) √A, Fei 2017 eq. 9
/// after Lian et al. 1993, θ [rad] the mean of both contact angles. It is a fit: shapes exist beyond it for θ
/// below 90°, and may end before it above.
inline double break_gap(double mean_angle, double area) {
    assert(mean_angle >= 0 && area >= 0);
    return (1 + 0.5 * mean_angle) * std::sqrt(area);
}

struct Fade {
    double factor = 1;  ///< of the force
    double slope = 0;   ///< of the factor with the gap [1/m]
};
/// The exact force does not go to 0 where the bridge breaks. It is faded over the last tenth of its reach, 1
/// - 3s²
/// + 2s³: continuous with its slope at both ends, 0 beyond.
inline Fade bridge_fade(double gap, double reach) {
    constexpr double kTail = 0.1;
    if (!(gap < reach)) return {0, 0};
    const double tail = kTail * reach, s = std::max(0.0, (gap - (reach - tail)) / tail);
    return {1 - s * s * (3 - 2 * s), -6 * s * (1 - s) / tail};
}

/// Whether a bridge is there after the gap has become `gap`: one that lived lives on while the gap is below
/// its reach; a new one forms when films of these thicknesses [m] touch and there is liquid enough to reach
/// across.
inline bool bridge_lives(bool lived, double gap, double film1, double film2, double reach) {
    return gap < reach && (lived || gap <= film1 + film2);
}

}  // namespace rivulet::contact
