#include <rivulet/contact/bridge_shape.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace rivulet::contact {
namespace {

constexpr double kPi = std::numbers::pi;

/// sin(u)/u.
double sinc(double u) {
    return std::abs(u) < 1e-4 ? 1 - u * u / 6 : std::sin(u) / u;
}
/// (u - sin u)/u³, without cancellation: its series below 1.
double excess(double u) {
    const double q = u * u;
    if (q > 1) return (u - std::sin(u)) / (q * u);
    double sum = 1;
    for (const double f : {272.0, 210.0, 156.0, 110.0, 72.0, 42.0, 20.0}) sum = 1 - q / f * sum;
    return sum / 6;
}

struct Point {
    double along, lift;  ///< x, and the distance from the tangent in the middle
};
Point on_solid(double curvature, double arc) {
    const double half = sinc(0.5 * curvature * arc) * arc;
    return {arc * sinc(curvature * arc), 0.5 * curvature * half * half};
}
/// Area between a solid's outline and the level of the arc's end, one side: (2a - sin 2a)/(4 c²).
double cap_area(double curvature, double arc) {
    return 2 * curvature * arc * arc * arc * excess(2 * curvature * arc);
}
/// Segment between meniscus and chord over l²: (t - sin t)/(8 sin²(t/2)).
double segment(double turn) {
    const double s = sinc(0.5 * turn);
    return 0.5 * turn * excess(turn) / (s * s);
}
double segment_slope(double turn) {
    const double s = sinc(0.5 * turn);
    return 0.25 - excess(turn) * std::cos(0.5 * turn) / (s * s * s);
}

/// Wetted arc of the second solid. The meniscus leaves P1 in a known direction, and a circle through P1 with
/// that tangent that meets solid 2 under its angle is unique: its curvature solves a linear equation,
///     k = 2 [cos t2 + cos p1 + c2 (w cos p1 - x1 sin p1)]/[2 w + c2 (x1² + w²)],  w = gap + lift1,
/// and the angle along solid 2 is that of (k + c2 e^{i t2}) e^{i a2} = c2 (centre of 2 - centre of circle) k.
double second_arc(const BridgeSolids& solids, double gap, const Point& p1, double slant1) {
    const double c2 = solids.curvature2, w = gap + p1.lift;
    // NOTE: a solid less curved than 1e-9 of the other is flat; below, round-off would be worse.
    if (std::abs(c2) < 1e-9 * solids.curvature1)
        return p1.along - w * std::tan(0.5 * (solids.angle2 - slant1));
    const double cosine = std::cos(slant1), sine = std::sin(slant1);
    const double k = 2 * (std::cos(solids.angle2) + cosine + c2 * (w * cosine - p1.along * sine)) /
                     (2 * w + c2 * (p1.along * p1.along + w * w));
    const std::complex<double> centre(k * (1 + c2 * gap) - c2 * (cosine - p1.lift * k),
                                      c2 * (p1.along * k + sine));
    const std::complex<double> meniscus = k + c2 * std::polar(1.0, solids.angle2);
    double bend = std::arg(centre) - std::arg(meniscus);
    bend -= 2 * kPi * std::ceil(bend / (2 * kPi) - 0.5);
    return bend / c2;
}

/// Chord condition G = (x1 - x2) cos d - w sin d and its derivative with arc 2, for one step of Newton's
/// method that takes away what round-off left where meniscus and wall are both nearly flat.
double polished(const BridgeSolids& solids, double gap, const Point& p1, double slant1, double arc2) {
    const Point p2 = on_solid(solids.curvature2, arc2);
    const double bend2 = solids.curvature2 * arc2, lean = 0.5 * (bend2 + solids.angle2 - slant1);
    const double across = p1.along - p2.along, w = gap + p1.lift + p2.lift;
    const double condition = across * std::cos(lean) - w * std::sin(lean);
    const double chord = across * std::sin(lean) + w * std::cos(lean);
    const double slope = -std::cos(bend2 - lean) - 0.5 * solids.curvature2 * chord;
    const double step = condition / slope;
    return std::abs(step) < 1e-3 * (std::abs(arc2) + w) ? arc2 - step : arc2;
}

/// The solid with the smaller angle drowns first, so that an arc along it is never too long unless the
/// menisci close around the pair; all else that is wrong comes from too short an arc. `reach` is the chord's
/// length with its sign: negative where the angle along the second solid is off by a full turn.
BridgeShape::Place place_of(const BridgeShape& s, double reach) {
    using Place = BridgeShape::Place;
    if (s.turn <= -2 * kPi) return Place::above;
    return s.arc2 > 0 && reach > 0 && s.neck > 0 && s.area > 0 ? Place::admissible : Place::below;
}

void differentiate(BridgeShape& s, double width_sum, double height) {
    const double by_chord = 2 * s.chord * segment(s.turn);
    const double by_turn = s.chord * s.chord * segment_slope(s.turn);
    const double tilt1 = s.bend1 + s.lean, tilt2 = s.bend2 - s.lean;
    const double mean = 0.5 * width_sum, half_width2 = width_sum - s.half_width1;
    s.half_area_by[0] = 0.5 * height * std::cos(s.bend1) + (mean - s.half_width1) * std::sin(s.bend1) -
                        by_chord * std::sin(tilt1) + by_turn * s.curvature1;
    s.half_area_by[1] = 0.5 * height * std::cos(s.bend2) + (mean - half_width2) * std::sin(s.bend2) -
                        by_chord * std::sin(tilt2) + by_turn * s.curvature2;
    s.half_area_by[2] = mean - by_chord * std::cos(s.lean);
    s.chord_by[0] = std::cos(tilt1) + 0.5 * s.curvature1 * s.chord;
    s.chord_by[1] = -std::cos(tilt2) - 0.5 * s.curvature2 * s.chord;
    s.chord_by[2] = -std::sin(s.lean);
}

}  // namespace

BridgeShape bridge_shape(const BridgeSolids& solids, double gap, double arc1) {
    assert(arc1 > 0 && gap >= 0 && solids.angle1 <= solids.angle2);
    assert(solids.curvature1 > 0 || solids.curvature2 > 0);
    BridgeShape s;
    s.curvature1 = solids.curvature1, s.curvature2 = solids.curvature2;
    s.arc1 = arc1, s.bend1 = solids.curvature1 * arc1, s.slant1 = s.bend1 + solids.angle1;
    const Point p1 = on_solid(solids.curvature1, arc1);
    s.half_width1 = p1.along;
    s.arc2 = polished(solids, gap, p1, s.slant1, second_arc(solids, gap, p1, s.slant1));
    s.bend2 = solids.curvature2 * s.arc2, s.slant2 = s.bend2 + solids.angle2;
    const Point p2 = on_solid(solids.curvature2, s.arc2);

    const double height = gap + p1.lift + p2.lift, across = p1.along - p2.along;
    s.turn = kPi - s.slant1 - s.slant2, s.lean = 0.5 * (s.slant2 - s.slant1);
    s.chord = std::hypot(across, height);
    s.curvature = 2 * std::sin(0.5 * s.turn) / s.chord;
    // The meniscus is thinnest inside when it leaves both solids inwards.
    const bool waisted = s.slant1 < 0.5 * kPi && s.slant2 < 0.5 * kPi;
    s.neck = waisted ? p1.along - (1 - std::sin(s.slant1)) / s.curvature : std::fmin(p1.along, p2.along);
    s.area = 2 * (0.5 * (p1.along + p2.along) * height - cap_area(s.curvature1, arc1) -
                  cap_area(s.curvature2, s.arc2) - s.chord * s.chord * segment(s.turn));
    s.place = place_of(s, across * std::sin(s.lean) + height * std::cos(s.lean));
    differentiate(s, p1.along + p2.along, height);
    return s;
}

double BridgeShape::force() const {
    return 2 * (std::sin(slant1) + half_width1 * curvature);
}

double BridgeShape::area_by_arc() const {
    return 2 * (half_area_by[0] - half_area_by[1] * chord_by[0] / chord_by[1]);
}

double BridgeShape::force_slope() const {
    // Both arcs follow the gap so that the area and the chord's condition hold.
    const double determinant = half_area_by[0] * chord_by[1] - half_area_by[1] * chord_by[0];
    const double rate1 = (half_area_by[1] * chord_by[2] - half_area_by[2] * chord_by[1]) / determinant;
    const double rate2 = (half_area_by[2] * chord_by[0] - half_area_by[0] * chord_by[2]) / determinant;
    const double turn_rate = -curvature1 * rate1 - curvature2 * rate2;
    const double chord_rate =
        std::sin(bend1 + lean) * rate1 + std::sin(bend2 - lean) * rate2 + std::cos(lean);
    const double curvature_rate = (std::cos(0.5 * turn) * turn_rate - curvature * chord_rate) / chord;
    return 2 * ((std::cos(slant1) * curvature1 + std::cos(bend1) * curvature) * rate1 +
                half_width1 * curvature_rate);
}

double BridgeShape::energy(const BridgeSolids& solids) const {
    const double meniscus = chord / sinc(0.5 * turn);
    return 2 * (meniscus - std::cos(solids.angle1) * arc1 - std::cos(solids.angle2) * arc2);
}

}  // namespace rivulet::contact
