#include <rivulet/contact/bridge.h>
#include <rivulet/contact/bridge_shape.h>

#include <cmath>
#include <numbers>

namespace rivulet::contact {
namespace {

/// Lengths in units of the first radius, the solid with the smaller angle first.
BridgeSolids ordered(const BridgeSolids& solids, bool swap) {
    const double curvature2 = solids.curvature2 / solids.curvature1;
    return swap ? BridgeSolids{curvature2, 1, solids.angle2, solids.angle1}
                : BridgeSolids{1, curvature2, solids.angle1, solids.angle2};
}

struct Bracket {
    double low, high;
    double middle() const { return high > 4 * low ? std::sqrt(low * high) : 0.5 * (low + high); }
    bool holds(double x) const { return x > low && x < high; }
};

struct Found {
    BridgeState state;
    BridgeShape shape;
};

Found find_shape(const BridgeSolids& solids, double gap, double area) {
    // A flat wall ends at a million radii.
    Bracket bracket{1e-12, std::numbers::pi / std::fmax(std::abs(solids.curvature1), 3e-6)};
    // What lies at the ends of the bracket: a shape with less or more liquid, or none.
    bool low_is_shape = false, high_is_shape = false;
    double arc = bracket.middle();
    for (int iteration = 0; iteration < 200; ++iteration) {
        const BridgeShape shape = bridge_shape(solids, gap, arc);
        const bool admissible = shape.place == BridgeShape::Place::admissible;
        const double missing = admissible ? area - shape.area : 0;
        const bool below = admissible ? missing > 0 : shape.place == BridgeShape::Place::below;
        (below ? bracket.low : bracket.high) = arc;
        (below ? low_is_shape : high_is_shape) = admissible;

        const double next = admissible ? arc + missing / shape.area_by_arc() : 0;
        // NOTE: the area is a sum of parts some ten times its size, each rounded.
        if (admissible && (std::abs(missing) <= 4e-16 * area || std::abs(next - arc) <= 2e-16 * arc))
            return {BridgeState::bridged, shape};
        const double middle = bracket.middle();
        if (!bracket.holds(middle)) {
            if (low_is_shape && high_is_shape) return {BridgeState::bridged, shape};
            break;
        }
        arc = admissible && bracket.holds(next) ? next : middle;
    }
    return {low_is_shape ? BridgeState::engulfed : BridgeState::parted, {}};
}

}  // namespace

Bridge solve_bridge(const BridgeSolids& solids, double gap, double area, double tension) {
    assert(solids.curvature1 > 0 && solids.curvature2 >= -0.1 * solids.curvature1);
    assert(solids.angle1 >= 0 && solids.angle1 < std::numbers::pi);
    assert(solids.angle2 >= 0 && solids.angle2 < std::numbers::pi);
    assert(gap >= 0 && tension >= 0 && "overlap is the caller's: evaluate at contact");
    if (!(area > 0)) return {};
    const double unit = 1 / solids.curvature1;
    const bool swap = solids.angle1 > solids.angle2;
    const BridgeSolids unit_solids = ordered(solids, swap);
    const auto [state, shape] = find_shape(unit_solids, gap / unit, area / (unit * unit));
    Bridge bridge;
    bridge.state = state;
    if (state != BridgeState::bridged) return bridge;
    bridge.force = tension * shape.force();
    bridge.slope = tension / unit * shape.force_slope();
    bridge.energy = tension * unit * shape.energy(unit_solids);
    bridge.curvature = shape.curvature / unit;
    bridge.neck = 2 * unit * shape.neck;
    bridge.wetted1 = 2 * unit * (swap ? shape.arc2 : shape.arc1);
    bridge.wetted2 = 2 * unit * (swap ? shape.arc1 : shape.arc2);
    bridge.mean_thickness = area / (unit * (shape.arc1 + shape.arc2));
    return bridge;
}

}  // namespace rivulet::contact
