#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/verify/contact_rig.h>

/// A rope drawn over a fixed drum.
namespace rivulet::verify {
namespace {

constexpr double kRadius = 50e-6, kDrum = 10e-3;
constexpr double kStrain = 0.025;  // everywhere, before it slides
constexpr double kStep = 1e-3, kFast = 50e-3, kSlow = 2e-3;

strand::StrandMaterial rope() {
    strand::StrandMaterial m;
    m.density = 1000;
    m.youngs_modulus = 1e9;
    return m;
}

/// A polygon around the drum's axis z whose edges touch it, with straight ends; `pitch` per turn, so that
/// more than a turn does not lie on itself.
std::vector<Vec3d> around_drum(double angle, std::size_t segments, std::size_t straight, double pitch) {
    const double turn = angle / double(segments), reach = (kDrum + kRadius) / std::cos(0.5 * turn);
    const double edge = 2 * reach * std::sin(0.5 * turn);
    std::vector<Vec3d> points;
    const auto on_drum = [&](double k) {
        const double a = turn * k;
        return Vec3d{reach * std::cos(a), reach * std::sin(a), pitch * a / (2 * std::numbers::pi)};
    };
    const Vec3d before = normalized(on_drum(0) - on_drum(1)), after = normalized(on_drum(1) - on_drum(0));
    const auto turned = [](const Vec3d& v, double by) {
        return Vec3d{std::cos(by) * v.x - std::sin(by) * v.y, std::sin(by) * v.x + std::cos(by) * v.y, v.z};
    };
    for (std::size_t i = straight; i > 0; --i)
        points.push_back(on_drum(0) + turned(before, -turn) * (edge * double(i)));
    for (std::size_t i = 0; i <= segments - 1; ++i) points.push_back(on_drum(double(i)));
    const Vec3d last = points.back();
    for (std::size_t i = 1; i <= straight; ++i)
        points.push_back(last + turned(after, angle - turn) * (edge * double(i)));
    return points;
}

struct Sliding {
    double ratio = 0, stiffness = 0;  // T1/T2; EI/(T2 R²)
    double least_used = 1;            // of the friction that the contacts can give: the least of them
    Curve tension;                    // over the angle
    std::int64_t iterations = 0, rounds = 0;
    double residual = 0;
};

Sliding draw_over(double angle, std::size_t segments, double friction) {
    ContactRig rig(rope(), friction);
    rig.model.gravity = {};
    rig.add_cylinder({0, 0, -0.1}, {0, 0, 0.1}, kDrum);
    strand::MakeOptions options;
    options.rest = strand::RestShape::straight;
    options.root = options.tip = strand::EndKind::pin;
    const std::size_t straight = 8;
    rig.add_strand(around_drum(angle, segments, straight, angle > 3.2 ? 2e-3 : 0), kRadius, options);
    strand::StrandState& s = rig.strands();
    for (double& l : s.rest_length) l /= 1 + kStrain;
    const std::size_t last = s.vertex_count() - 1;
    const Vec3d root = s.position[0], tip = s.position[last];
    const Vec3d in = normalized(s.position[1] - root), out = normalized(tip - s.position[last - 1]);
    Sliding found;
    // Full friction needs the rope to slide by the difference of strains, a few hundredths of its length.
    // NOTE: the normal of a contact is that of the start of the step; what slides by v dt then feels the
    // friction of μ + v dt/R. Therefore slowly at the end.
    const int fast = static_cast<int>(std::ceil(0.04 * angle * kDrum / (kFast * kStep))), slow = 25;
    double way = 0;
    for (int k = 0; k < fast + slow; ++k) {
        way += (k < fast ? kFast : kSlow) * kStep;
        rig.hold_root(0, root + in * way);
        rig.hold_tip(0, tip + out * way);
        const world::StepCounts counts = rig.step(kStep);
        found.iterations += counts.contact_iterations;
        found.rounds = std::max(found.rounds, counts.contact_rounds);
        found.residual = std::max(found.residual, counts.contact_residual);
    }
    const double low = rig.tension(1), high = rig.tension(last - 2);
    found.ratio = high / low;
    found.stiffness =
        rope().youngs_modulus * std::numbers::pi * std::pow(kRadius, 4) / 4 / (low * kDrum * kDrum);
    const contact::ContactState& c = rig.world.contacts;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double normal = dot(c.impulse[i], c.normal[i]);
        const double across = length(c.impulse[i] - c.normal[i] * normal);
        found.least_used = std::min(found.least_used, across / (friction * normal));
    }
    found.tension.points = true;
    for (std::size_t e = 0; e < last; ++e) {
        const double arc = (double(e) + 0.5 - double(straight)) * angle / double(segments);
        found.tension.x.push_back(arc), found.tension.y.push_back(rig.tension(e) / low);
    }
    return found;
}

Outcome run_capstan(const Options& o) {
    Outcome out;
    using Kind = Quantity::Kind;
    struct Drum {
        double friction, turns;
    };
    std::vector<Drum> drums{{0.3, 0.5}};
    if (!o.quick) drums.push_back({0.3, 1});
    Plot plot{"tension of a rope drawn over a drum", "angle", "T / T2", {}};
    plot.log_y = true;
    for (const Drum& d : drums) {
        const double angle = 2 * std::numbers::pi * d.turns;
        const auto segments = static_cast<std::size_t>(std::lround(64 * d.turns));
        const double n = double(segments);
        Sliding found = draw_over(angle, segments, d.friction);
        const std::string name = "friction " + std::to_string(d.friction).substr(0, 3) + ", " +
                                 std::to_string(d.turns).substr(0, 3) + " turns: ";
        out.quantities.push_back({name + "T1/T2", found.ratio,
                                  std::exp(2 * n * std::atanh(d.friction * std::tan(angle / (2 * n)))),
                                  0.01});
        out.quantities.push_back({name + "EI/(T2 R²)", found.stiffness, 1e-3, 0, Kind::at_most});
        out.quantities.push_back(
            {name + "least part of its friction a contact uses", found.least_used, 0.99, 0, Kind::at_least});
        out.remark += name + "rounds at most " + std::to_string(found.rounds) + ", sweeps " +
                      std::to_string(found.iterations) + ", residual " + std::to_string(found.residual) +
                      "; ";
        found.tension.label = name;
        Curve law{"exp(μ angle)", {0, angle}, {1, std::exp(d.friction * angle)}};
        plot.curves.push_back(std::move(found.tension)), plot.curves.push_back(std::move(law));
    }
    out.plots.push_back(std::move(plot));
    return out;
}

}  // namespace

std::vector<Case> contact_capstan_cases() {
    return {{"contact", "capstan",
             "Euler and Eytelwein, for contacts at N places: exp(2N artanh(μ tan(φ/2N)))", run_capstan}};
}

}  // namespace rivulet::verify
