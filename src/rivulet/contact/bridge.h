#pragma once

#include <cassert>

namespace rivulet::contact {

/// The exact liquid bridge between two parallel cylinders, or a cylinder and a wall, in the plane across
/// them: two menisci, each an arc of a circle, mirror images of each other. No gravity (the gap is far below
/// the capillary length) and no flow.
///
/// Fei et al. 2017 eq. 1 to 8 (dissertation 8.1 to 8.8), with both menisci counted in eq. 3, the gap in eq. 5
/// and, for unlike solids, the exact relation r1 sin a1 + R sin(a1 + t1) = r2 sin a2 + R sin(a2 + t2) in
/// place of r1 a1 = r2 a2.
///
/// Signs: curvature of a solid is positive when it bulges towards the other, force is positive when the
/// bridge pulls the solids together, curvature of a meniscus is positive when it is hollow (low pressure in
/// the bridge).

/// Two solids that face each other. Curvature 1/r [1/m]; contact angle [rad], through the liquid, 0 <= angle
/// < pi. The first solid is round: curvature1 > 0. The second may be a wall: flat is 0, hollow is negative,
/// and then no more than a tenth as curved as the first.
struct BridgeSolids {
    double curvature1 = 0, curvature2 = 0;
    double angle1 = 0, angle2 = 0;
};
inline BridgeSolids bridge_between(double radius1, double radius2, double angle1, double angle2) {
    assert(radius1 > 0 && radius2 > 0);
    return {1 / radius1, 1 / radius2, angle1, angle2};
}
inline BridgeSolids bridge_to_wall(double radius, double wall_curvature, double angle, double wall_angle) {
    assert(radius > 0);
    return {1 / radius, wall_curvature, angle, wall_angle};
}

enum class BridgeState {
    bridged,   ///< the numbers below are those of the bridge
    parted,    ///< too little liquid for this gap: the menisci meet, or the liquid leaves one solid; all zero
    engulfed,  ///< too much: a solid is drowned, and the liquid neither pulls nor pushes; all zero
};

struct Bridge {
    BridgeState state = BridgeState::parted;
    double force = 0;      ///< per length, positive: attraction [N/m]
    double slope = 0;      ///< of the force with the gap at fixed area [N/m²]
    double energy = 0;     ///< per length, zero for no liquid; its derivative with the gap is the force [J/m]
    double curvature = 0;  ///< 1/R of the menisci; positive: hollow [1/m]
    double neck = 0;       ///< thinnest width of the liquid across the gap's direction [m]
    double wetted1 = 0;    ///< length of the first solid's outline under the bridge, both sides [m]
    double wetted2 = 0;    ///< the same of the second
    double mean_thickness = 0;  ///< area over the mean wetted length: what stretching is measured by [m]
};

/// The bridge of liquid area `area` [m²] at `gap` >= 0 [m] between the surfaces; surface tension [N/m].
///
/// Unknown is the wetted arc of the solid with the smaller angle; that of the other and 1/R follow in closed
/// form, smoothly through a flat meniscus and a flat wall, and the area grows with the unknown throughout. It
/// is found by Newton's method inside a bracket, to round-off.
Bridge solve_bridge(const BridgeSolids& solids, double gap, double area, double tension);

}  // namespace rivulet::contact
