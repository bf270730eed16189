#pragma once

#include <rivulet/contact/bridge.h>

namespace rivulet::contact {

/// The right half of a bridge's outline with a given wetted arc on the first solid, and its derivatives. Any
/// unit of length, surface tension 1.
///
/// The first solid is the one with the smaller contact angle; one of the two is round, the other may be a
/// wall. The first is below, its top at the origin; the second above, its lowest point at (0, gap). An arc of
/// length s along solid i ends at x = sin(a)/c, a = c s, and lifts off by (1 - cos a)/c: smooth where the
/// curvature c is 0 or negative. A meniscus meets it under p = a + angle: tangents (-cos p1, sin p1) and
/// (cos p2, sin p2). It turns by t = pi - p1 - p2 along a chord of length l that leans by d = (p2 - p1)/2, so
/// that its curvature is 2 sin(t/2)/l.
struct BridgeShape {
    /// Admissible: both solids touched, neither drowned, the menisci apart. Else on which side of the
    /// admissible range of arcs this one lies.
    enum class Place { below, admissible, above };

    Place place = Place::below;
    double arc1 = 0, arc2 = 0;              ///< wetted arcs, one side
    double bend1 = 0, bend2 = 0;            ///< a: angle along each solid
    double slant1 = 0, slant2 = 0;          ///< p: angle of the meniscus at each solid
    double half_width1 = 0;                 ///< x on the first solid
    double turn = 0, lean = 0, chord = 0;   ///< t, d, l
    double curvature = 0;                   ///< 1/R
    double neck = 0;                        ///< least x on the meniscus
    double area = 0;                        ///< both halves
    double curvature1 = 0, curvature2 = 0;  ///< of the solids

    /// Derivatives of `area`/2 and of the chord's condition with arc1, arc2 and the gap.
    double half_area_by[3]{};
    double chord_by[3]{};

    /// Per length, 2 [sin p1 + x1/R]: tension of both menisci and low pressure over the wetted width.
    double force() const;
    /// d force/d gap at fixed area.
    double force_slope() const;
    /// Per length, against dry solids: 2 [meniscus - cos(angle1) arc1 - cos(angle2) arc2], eq. 2 corrected.
    double energy(const BridgeSolids& solids) const;
    /// d area/d arc1 at fixed gap.
    double area_by_arc() const;
};

BridgeShape bridge_shape(const BridgeSolids& solids, double gap, double arc1);

}  // namespace rivulet::contact
