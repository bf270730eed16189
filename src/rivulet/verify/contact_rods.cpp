#include <cmath>
#include <numbers>

#include <rivulet/elastic/rod_frame.h>
#include <rivulet/verify/contact_audit.h>
#include <rivulet/verify/contact_rig.h>

/// Elastic rods in contact with themselves, without friction: their shape under tension is known.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRadius = 1e-3, kModulus = 1e7, kDensity = 1000;
constexpr double kBending = kModulus * kPi / 4 * kRadius * kRadius * kRadius * kRadius;
constexpr double kTorsion = kBending * 2 / 3;  // Poisson's ratio 1/2

strand::StrandMaterial rubber() {
    strand::StrandMaterial m;
    m.density = kDensity;
    m.youngs_modulus = kModulus;
    m.poisson_ratio = 0.5;
    m.internal_viscosity = 200;
    return m;
}

/// A rod held at both ends; the tip moves along the line between them and turns.
class HeldRod {
 public:
    ContactRig rig;
    StepTally tally;
    CrossingAudit audit;

    /// `viscosity` of the air that calms it.
    HeldRod(const std::vector<Vec3d>& points, strand::EndKind ends, double viscosity) : rig(rubber(), 0) {
        rig.model.gravity = {};
        rig.model.strands.has_air = true;
        rig.model.strands.air.viscosity = viscosity;
        strand::MakeOptions options;
        options.rest = strand::RestShape::straight;
        options.root = options.tip = ends;
        rig.add_strand(points, kRadius, options);
        tip_ = rig.model.strands.tips.position[0];
        director_ = rig.model.strands.tips.director[0];
    }
    void step(double dt, double forward, double turn) {
        tip_ += normalized(tip_ - rig.strands().position[0]) * forward;
        angle_ += turn;
        rig.hold_tip(0, tip_);
        rig.model.strands.tips.director[0] =
            elastic::turned(director_, rig.model.strands.tips.tangent[0], angle_);
        const std::vector<Vec3d> before = rig.strands().position;
        tally.add(rig.step(dt));
        audit.look(rig.strands(), before);
    }
    /// Twists it evenly, by so much per length [rad/m].
    void twist(double rate) {
        strand::StrandState& s = rig.strands();
        double sum = 0;
        for (std::size_t e = 1; e + 1 < s.vertex_count(); ++e)
            sum += rate * 0.5 * (s.rest_length[e - 1] + s.rest_length[e]), s.twist[e] += sum;
        angle_ += sum;
    }
    std::size_t vertices() const { return rig.world.strands.vertex_count(); }
    /// Mean of both tails [N].
    double tension() const {
        double sum = 0;
        const std::size_t n = vertices() - 1;
        for (std::size_t i = 2; i < 6; ++i) sum += rig.tension(i) + rig.tension(n - 1 - i);
        return sum / 8;
    }
    /// Twisting moment, mean of both tails [N m].
    double torque() const {
        const strand::StrandState& s = rig.world.strands;
        double sum = 0;
        const std::size_t n = vertices() - 1;
        for (std::size_t i = 2; i < 6; ++i)
            for (const std::size_t e : {i, n - 2 - i})
                sum += kTorsion * (s.twist[e + 1] - s.twist[e]) /
                       (0.5 * (s.rest_length[e] + s.rest_length[e + 1]));
        return sum / 8;
    }
    double turned() const { return angle_; }

 private:
    Vec3d tip_, director_;
    double angle_ = 0;
};

/// Pitch angle of a frictionless plectoneme under the tension T a²/B.
double pitch_angle(double tension) {
    double low = 0, high = 0.7;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        const double t = std::pow(std::sin(middle), 4) * (0.5 + 1 / std::cos(2 * middle));
        (t < tension ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// Points along a polyline, evenly.
std::vector<Vec3d> evenly(const std::vector<Vec3d>& points, double segment) {
    std::vector<double> arc{0};
    for (std::size_t i = 1; i < points.size(); ++i)
        arc.push_back(arc.back() + length(points[i] - points[i - 1]));
    const auto count = static_cast<std::size_t>(std::lround(arc.back() / segment));
    std::vector<Vec3d> out;
    for (std::size_t k = 0, i = 0; k <= count; ++k) {
        const double at = arc.back() * double(k) / double(count);
        while (i + 2 < points.size() && arc[i + 1] < at) ++i;
        out.push_back(points[i] + (points[i + 1] - points[i]) * ((at - arc[i]) / (arc[i + 1] - arc[i])));
    }
    return out;
}

/// About the shape of a plectoneme along y with tails along x, in radii: where the rod is let go.
std::vector<Vec3d> wound(int turns, double pitch_angle, double tail) {
    std::vector<Vec3d> half;
    constexpr double bend = 8;
    half.push_back({-tail, -bend, 0});
    for (int i = 0; i <= 20; ++i) {
        const double t = 0.5 * kPi * i / 20;
        half.push_back({-1 - bend + bend * std::sin(t), -bend * std::cos(t), 0});
    }
    const double turn = 2 * kPi / std::tan(pitch_angle), height = turns * turn;
    const int n = 40 * turns;
    for (int i = 1; i <= n; ++i) {
        const double t = 2 * kPi * turns * i / n;
        half.push_back({-std::cos(t), height * i / n, -std::sin(t)});
    }
    std::vector<Vec3d> all = half;
    for (int i = 1; i < 40; ++i) {
        const double t = kPi * i / 40, wide = std::sin(t) * std::sin(t);
        all.push_back({-std::cos(t) * (1 + 7 * wide), height + 16 * std::sin(t), 0});
    }
    for (std::size_t i = half.size(); i-- > 0;) all.push_back({-half[i].x, half[i].y, -half[i].z});
    for (Vec3d& p : all) p = p * kRadius;
    return all;
}

Outcome run_plectoneme(const Options& o) {
    const double tension = 1e-2, wanted = tension * kBending / (kRadius * kRadius);
    const double angle = pitch_angle(tension);
    const double reference = 2 * std::pow(std::sin(angle), 3) * std::cos(angle) / std::cos(2 * angle);
    HeldRod rod(evenly(wound(o.quick ? 3 : 5, angle, 50), (o.quick ? 2.0 : 1.4) * kRadius),
                strand::EndKind::clamp, 0.1);
    rod.twist(1.2 * reference * kBending / kRadius / kTorsion);
    const double dt = 2.5e-4;
    const int settle = o.quick ? 2000 : 4000;
    Outcome out;
    Plot plot{"end torque of a plectoneme", "time [s]", "M a / B", {}};
    Curve torque{"computed", {}, {}}, expected{"reference", {0, 2 * dt * settle}, {reference, reference}};
    for (int part = 0; part < 2; ++part) {
        for (int k = 0; k < settle; ++k) {
            const double miss = std::clamp((rod.tension() - wanted) / wanted, -0.25, 0.25);
            const double more = part == 1 && k < settle / 4 ? 2 * kPi * 4 / settle : 0;
            rod.step(dt, -2e-4 * miss, more);
            torque.x.push_back(dt * (part * settle + k)),
                torque.y.push_back(rod.torque() * kRadius / kBending);
        }
        out.quantities.push_back({part == 0 ? "end torque M a/B" : "after one turn more",
                                  rod.torque() * kRadius / kBending, reference, 0.05});
    }
    plot.curves = {torque, expected};
    out.plots.push_back(std::move(plot));
    out.quantities.push_back({"crossings", double(rod.audit.crossings()), 0, 0, Quantity::Kind::absolute});
    out.remark = rod.tally.text();
    return out;
}

/// About the shape of an open overhand knot, in radii of the rod: a round loop, whose two ends wind around
/// each other by one and a half turns below it and go out along x.
std::vector<Vec3d> knotted(double loop, double tail) {
    const double wide = 0.6 * loop, braid = 3 * std::sqrt(loop), gap = 1.1;
    // Height of the loop over its lowest point; the strand that comes from the left, `way` 1, and the one
    // that leaves to the right, -1.
    const auto height = [&](double x) { return loop - std::sqrt(loop * loop - x * x); };
    const auto strand = [&](double x, double way) {
        const double s = std::clamp(0.5 + 0.5 * x / braid, 0.0, 1.0), t = s * s * (3 - 2 * s);
        const double angle = kPi * (3 * t - 0.5), middle = 0.5 * height(x), out = way * (gap + middle);
        return Vec3d{x, middle + out * std::sin(angle), out * std::cos(angle)};
    };
    std::vector<Vec3d> points{{-tail, -gap, 0}};
    const int n = static_cast<int>(4 * wide);
    for (int i = 0; i <= n; ++i) points.push_back(strand(-wide + 2 * wide * i / n, 1));
    const double from = std::asin(wide / loop);
    for (int i = 1; i < n; ++i) {
        const double angle = from + (2 * kPi - 2 * from) * i / n;
        points.push_back({loop * std::sin(angle), gap + loop - loop * std::cos(angle), 0});
    }
    for (int i = 0; i <= n; ++i) points.push_back(strand(-wide + 2 * wide * i / n, -1));
    points.push_back({tail, -gap, 0});
    for (Vec3d& p : points) p = p * kRadius;
    return points;
}

/// A knot at rest.
struct Knot {
    double thickness = 0;  // √(a/R), 2πR the length that is drawn in
    double tension = 0;  // T R²/B, T from the loop's top: ½ B κ² + N is the same along a frictionless rod
    double tails = 0;    // tension of the tails over that
    double speed = 0;    // the fastest vertex [m/s]
};

/// Mean of ½ B κ² + N over some vertices [N].
double invariant(const ContactRig& rig, std::size_t first, std::size_t last) {
    const strand::StrandState& s = rig.world.strands;
    double sum = 0;
    for (std::size_t v = first; v <= last; ++v) {
        const Vec3d before = s.position[v] - s.position[v - 1], after = s.position[v + 1] - s.position[v];
        const double turn = std::acos(dot(normalized(before), normalized(after)));
        const double curvature = 2 * std::tan(0.5 * turn) / (0.5 * (length(before) + length(after)));
        sum += 0.5 * kBending * curvature * curvature + rig.tension(v);
    }
    return sum / double(last - first + 1);
}

/// Lets go of a loop of so many radii, with damping and steps that suit its size.
Knot settled_knot(double loop, HeldRod& rod) {
    const double dt = 4e-7 * loop * loop;
    for (int k = 0; k < 2500; ++k) rod.step(dt, 0, 0);
    const strand::StrandState& s = rod.rig.strands();
    const std::size_t top = rod.vertices() / 2;
    double drawn_in = -length(s.position[rod.vertices() - 1] - s.position[0]);
    for (std::size_t e = 0; e + 1 < rod.vertices(); ++e) drawn_in += s.rest_length[e];
    const double radius = drawn_in / (2 * kPi), tension = invariant(rod.rig, top - 4, top + 4);
    Knot knot;
    knot.thickness = std::sqrt(kRadius / radius);
    knot.tension = tension * radius * radius / kBending;
    knot.tails = rod.tension() / tension;
    for (const Vec3d& u : s.velocity) knot.speed = std::max(knot.speed, length(u));
    return knot;
}

/// The parabola through three points, at 0.
double at_zero(const std::vector<double>& x, const std::vector<double>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        sum += y[i] * x[j] * x[k] / ((x[i] - x[j]) * (x[i] - x[k]));
    }
    return sum;
}

Outcome run_knot(const Options& o) {
    using Kind = Quantity::Kind;
    Outcome out;
    Curve curve{"computed", {}, {}};
    double speed = 0, tails = 0;
    std::int64_t crossings = 0;
    for (const double loop : {25.0, 50.0, 100.0}) {
        const double size = o.quick ? 0.6 * loop : loop;
        HeldRod rod(evenly(knotted(size, 5 * size), 2 * kRadius), strand::EndKind::pin, 200 / (size * size));
        const Knot knot = settled_knot(size, rod);
        curve.x.push_back(knot.thickness), curve.y.push_back(knot.tension);
        speed = std::max(speed, knot.speed), tails = std::max(tails, std::abs(knot.tails - 1));
        crossings += rod.audit.crossings();
        out.remark += "√(a/R) " + std::to_string(knot.thickness) + ": T R²/B " +
                      std::to_string(knot.tension) + ", tails " + std::to_string(knot.tails) + ", " +
                      rod.tally.text() + "; ";
    }
    out.quantities.push_back({"T R²/B of an endlessly thin rod", at_zero(curve.x, curve.y), 0.5, 0.05});
    out.quantities.push_back({"tails' tension against the loop's: off by", tails, 0.05, 0, Kind::at_most});
    out.quantities.push_back({"speed at the end [m/s]", speed, 5e-3, 0, Kind::at_most});
    out.quantities.push_back({"crossings", double(crossings), 0, 0, Kind::absolute});
    out.plots.push_back({"open overhand knot", "√(a/R)", "T R²/B", {curve}});
    return out;
}

}  // namespace

std::vector<Case> contact_rod_cases() {
    return {
        {"contact", "plectoneme",
         "frictionless: T a²/B = sin⁴α (½ + 1/cos 2α), M a/B = 2 sin³α cos α/cos 2α (Coleman & Swigon 2004)",
         run_plectoneme},
        {"contact", "knot", "frictionless open overhand knot: T R²/B → ½ (Audoly, Clauvelin & Neukirch 2007)",
         run_knot}};
}

}  // namespace rivulet::verify
