#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/contact/bridge.h>
#include <rivulet/contact/bridge_life.h>
#include <rivulet/contact/bridge_table.h>
#include <rivulet/verify/contact_rig.h>

/// Strands that liquid holds together are bent apart: work of the liquid against bending.
namespace rivulet::verify {
namespace {

using Kind = Quantity::Kind;

constexpr double kRadius = 50e-6, kTension = 72e-3, kModulus = 3.4e9;
constexpr double kArea = 0.5 * kRadius * kRadius;  // of a bridge
constexpr double kStep = 1e-3;
const double kBending = kModulus * std::numbers::pi * std::pow(kRadius, 4) / 4;

strand::StrandMaterial hair() {
    strand::StrandMaterial m;
    m.youngs_modulus = kModulus;
    return m;
}

/// Work per length to open a bridge from contact until it breaks [N]; no fade.
double work(bool wall) {
    const contact::BridgeSolids solids =
        wall ? contact::bridge_to_wall(kRadius, 0, 0, 0) : contact::bridge_between(kRadius, kRadius, 0, 0);
    return contact::solve_bridge(solids, contact::break_gap(0, kArea), kArea, kTension).energy -
           contact::solve_bridge(solids, 0, kArea, kTension).energy;
}

/// A pair, mirror images about y = 0 when it begins, or a strand over a wall.
class Peeling {
 public:
    /// Axes' height over y = kRadius along the strand, from the root on.
    Peeling(const std::vector<Vec3d>& above, bool wall) : rig(hair(), 0), wall_(wall) {
        rig.model.gravity = {};
        if (wall) rig.add_plane({0, 0, 0}, {0, 1, 0});
        strand::MakeOptions options;
        options.rest = strand::RestShape::straight;
        for (const double side : {1.0, -1.0}) {
            if (wall && side < 0) continue;
            std::vector<Vec3d> points = above;
            for (Vec3d& p : points) p.y = side * (p.y + kRadius);
            rig.add_strand(points, kRadius, options);
        }
        rig.wet(wall ? kArea : 0.5 * kArea, kTension, 0);
        root_ = above[0];
    }
    void lift_root(double y) {
        root_.y = y;
        rig.hold_root(0, root_ + Vec3d{0, kRadius, 0});
        if (!wall_) rig.hold_root(1, {root_.x, -y - kRadius, root_.z});
    }
    void steps(int count) {
        for (int k = 0; k < count; ++k) {
            const world::StepCounts counts = rig.step(kStep);
            zones += counts.contact_zones;
            rounds = std::max(rounds, counts.contact_rounds);
            residual = std::max(residual, counts.contact_residual);
        }
    }
    std::size_t size() { return rig.strands().end(0); }
    Vec3d at(std::size_t v) { return rig.strands().position[v]; }
    /// Gap at a vertex, to the other strand or the wall.
    double gap(std::size_t v) {
        const strand::StrandState& s = rig.strands();
        return wall_ ? at(v).y - kRadius : length(at(v) - s.position[s.begin(1) + v]) - 2 * kRadius;
    }
    /// Where along x contact begins: gaps grow as the square from there on.
    double contact_edge() {
        std::size_t v = size() - 1;
        while (v > 1 && gap(v - 1) < 0.05 * kRadius) --v;
        const double far = std::sqrt(gap(v - 2)), near = std::sqrt(gap(v - 1));
        return at(v - 1).x + near * (at(v - 1).x - at(v - 2).x) / (far - near);
    }
    /// Bending moment, from the free part's straight line through the curvatures of its vertices, at x.
    double moment_at(double x) {
        double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (std::size_t v = 3; v + 1 < size() && gap(v + 1) > contact::break_gap(0, kArea); ++v) {
            const Vec3d a = at(v) - at(v - 1), b = at(v + 1) - at(v);
            const double turn = 2 * length(cross(a, b)) / (length(a) * length(b) + dot(a, b));
            const double curvature = turn / (0.5 * (length(a) + length(b)));
            const double d = at(v).x - x;
            n += 1, sx += d, sy += curvature, sxx += d * d, sxy += d * curvature;
        }
        return kBending * (sy * sxx - sx * sxy) / (n * sxx - sx * sx);
    }
    bool joined() const {
        const auto& b = rig.world.contacts.bridge;
        return std::find(b.begin(), b.end(), 1) != b.end();
    }

    ContactRig rig;
    std::int64_t zones = 0, rounds = 0;
    double residual = 0;

 private:
    bool wall_;
    Vec3d root_;
};

/// Points at even distances along a curve y(x) that ends on y = 0 at `stuck` and goes on straight.
std::vector<Vec3d> along_curve(double total, std::size_t segments, double stuck, double rise,
                               double (*shape)(double)) {
    std::vector<Vec3d> points;
    const double edge = total / double(segments);
    double x = 0;
    for (std::size_t i = 0; i <= segments; ++i) {
        points.push_back({x, x < stuck ? rise * shape(x / stuck) : 0, 0});
        // The next place whose distance is an edge.
        double low = x, high = x + edge;
        for (int k = 0; k < 50; ++k) {
            const double m = 0.5 * (low + high), y = m < stuck ? rise * shape(m / stuck) : 0;
            (std::hypot(m - x, y - points.back().y) < edge ? low : high) = m;
        }
        x = low;
    }
    return points;
}
/// From a clamped root at 1 to a clamped end at 0; the beam's own shape.
double clamped(double x) {
    return 1 - x * x * (3 - 2 * x);
}
/// An arc that ends flat, to second order.
double parabola(double x) {
    return (1 - x) * (1 - x);
}

std::string remark(const std::string& name, const Peeling& p) {
    return name + ": rounds at most " + std::to_string(p.rounds) + ", zones " + std::to_string(p.zones) +
           ", residual " + std::to_string(p.residual) + "; ";
}

Outcome run_zipper(const Options& o) {
    Outcome out;
    struct Zipper {
        double distance, law, finite;  // of the surfaces at the roots; reference lengths [m]
    };
    // VALIDATION: L⁴ = 9 EI G²/W, and with the range of the force to the edge of contact.
    const double unit = std::pow(9 * kBending / work(false), 0.25);
    std::vector<Zipper> all{{2e-3, unit * std::sqrt(2e-3), 17.02e-3}};
    if (!o.quick) all.push_back({4e-3, unit * std::sqrt(4e-3), 0});
    Plot plot{"gap between two wet strands", "distance from the roots (mm)", "gap over radius", {}};
    for (const Zipper& z : all) {
        // Drawn apart slowly, so that it peels all the way to where it stays.
        const double begin = 0.6 * z.distance;
        Peeling pair(along_curve(40e-3, o.quick ? 80 : 100, unit * std::sqrt(begin), 0.5 * begin, clamped),
                     false);
        const int opening = o.quick ? 200 : 500;
        for (int k = 1; k <= opening; ++k)
            pair.lift_root(0.5 * (begin + (z.distance - begin) * k / opening)), pair.steps(1);
        pair.steps(100);
        const double edge = pair.contact_edge();
        const std::string name = "roots " + std::to_string(z.distance * 1e3).substr(0, 3) + " mm apart: ";
        if (z.finite > 0)
            out.quantities.push_back({name + "length to the edge of contact", edge, z.finite, 0.05});
        out.quantities.push_back({name + "length against (9 EI G²/W)^¼", edge, z.law, 0.05});
        out.remark += remark(name, pair);
        Curve curve{name, {}, {}};
        for (std::size_t v = 0; v < pair.size(); ++v)
            curve.x.push_back(pair.at(v).x * 1e3), curve.y.push_back(pair.gap(v) / kRadius);
        plot.curves.push_back(std::move(curve));
    }
    out.plots.push_back(std::move(plot));
    return out;
}

Outcome run_peel(const Options& o) {
    Outcome out;
    for (const bool wall : {false, true}) {
        const double moment = std::sqrt((wall ? 2 : 1) * work(wall) * kBending);
        const double curvature = moment / kBending, slope = 0.3;
        // Roots held at a slope. With them where an arc of the predicted curvature would have them, the
        // moment is even along the free part, and where exactly its end is counted matters little.
        const double arc = slope / curvature, begin = 0.7 * arc;
        Peeling p(along_curve(arc + 20e-3, static_cast<std::size_t>((arc + 20e-3) / 0.4e-3), begin,
                              0.5 * slope * begin, parabola),
                  wall);
        const double from = 0.5 * slope * begin, to = (1 - std::cos(slope)) / curvature;
        const int lifting = o.quick ? 100 : 300;
        for (int k = 1; k <= lifting; ++k) p.lift_root(from + (to - from) * k / lifting), p.steps(1);
        p.steps(o.quick ? 100 : 200);
        const std::string name = wall ? "off a wall: " : "two strands: ";
        out.quantities.push_back({name + (wall ? "moment over √(2 W EI)" : "moment over √(W EI)"),
                                  p.moment_at(p.contact_edge()) / moment, 1, 0.05});
        out.remark += remark(name, p);
    }
    return out;
}

Outcome run_pulled_apart(const Options& o) {
    // Zipped down to its free end a pair lets go: L = length.
    const double length = 40e-3, hold = length * length * std::sqrt(work(false) / (9 * kBending));
    const double start = 0.7 * hold;
    Peeling pair(along_curve(length, 80, 0.8 * length, 0.5 * start, clamped), false);
    pair.steps(100);
    const double a_step = o.quick ? 40e-6 : 10e-6;
    double distance = start;
    while (pair.joined() && distance < 2 * hold)
        distance += a_step, pair.lift_root(0.5 * distance), pair.steps(1);
    Outcome out;
    out.quantities.push_back(
        {"distance of the roots at which they part, over ℓ² √(W/9EI)", distance / hold, 1, 0.1});
    out.remark = remark("pair", pair);
    return out;
}

}  // namespace

std::vector<Case> contact_peel_cases() {
    return {{"contact", "zipper",
             "L⁴ = 9 EI G²/W (Bico et al. 2004 for lamellae); with the range of the force", run_zipper},
            {"contact", "peel",
             "moment √(W EI) at the tip of the bridge, √(2 W EI) off a wall (Obreimoff 1930)", run_peel},
            {"contact", "pulled_apart", "zipper down to the free ends: they hold to ℓ² √(W/9EI)",
             run_pulled_apart}};
}

}  // namespace rivulet::verify
