#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/strand/mass.h>
#include <rivulet/verify/film_rig.h>

/// Strands that films move, and films that strands move.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
using Kind = Quantity::Kind;

const std::string kFrictionless = "density = \"1000 kg/m^3\"\nsurface_tension = \"72 mN/m\"\n";

double bump(double s, double centre, double width) {
    return std::exp(-std::pow((s - centre) / width, 2));
}

/// Where the film is along the strand: its centre of mass [m], and its mass [kg].
struct Parcel {
    double place = 0, mass = 0;
};
Parcel parcel(const FilmRig& rig) {
    Parcel p;
    for (std::size_t v = 0; v < rig.world.film.size(); ++v) {
        p.mass += rig.film_mass(v);
        p.place += rig.film_mass(v) * rig.along(v);
    }
    p.place /= p.mass;
    return p;
}

/// Curvature of a strand in the plane across y, at its vertex i.
double curvature(const strand::StrandState& s, std::size_t i) {
    const Vec3d a = s.position[i] - s.position[i - 1], b = s.position[i + 1] - s.position[i];
    return cross(a, b).y / (length(a) * length(b)) / (0.5 * (length(a) + length(b)));
}

/// A parcel that slides without friction on a spinning strand: s = s₀ cosh ωt; the root must turn it with
/// 2 m ω s ds/dt, which bends the strand there. The bending of the same strand without film is taken off.
struct Spun {
    std::vector<double> time, place, moment;
    double mass = 0;
};
constexpr double kSpin = 10, kFrom = 0.05;

Spun spin_parcel(const Options& o, double area) {
    const double a = 0.5e-3, modulus = 1e11;
    LineScene line{.radius = a, .length = 0.12, .segment = 1e-3, .step = o.quick ? 5e-4 : 2e-4};
    line.modulus = modulus, line.density = 50, line.direction = "1, 0, 0", line.gravity = "0, 0, 0 m/s^2";
    line.liquid = kFrictionless;
    line.more =
        "[[strands.rod.motion]]\ntype = \"spin\"\npivot = \"0, 0, 0 m\"\naxis = [0, 1, 0]\nrate = \"10 "
        "rad/s\"\n";
    FilmRig rig(line.text());
    rig.coat([&](double s) { return std::abs(s - kFrom) < 0.02 ? area * bump(s, kFrom, 4e-3) : 0.0; });
    for (std::size_t v = 0; v < rig.strands().vertex_count(); ++v)
        rig.strands().velocity[v] = cross(Vec3d{0, kSpin, 0}, rig.strands().position[v]);
    const double bending = modulus * kPi * a * a * a * a / 4;
    Spun spun;
    spun.mass = parcel(rig).mass;
    rig.run(0.1, [&] {
        spun.time.push_back(rig.time()), spun.place.push_back(parcel(rig).place);
        spun.moment.push_back(bending * curvature(rig.strands(), 2));
    });
    return spun;
}

Outcome run_spinning_strand(const Options& o) {
    const Spun wet = spin_parcel(o, 1e-6), dry = spin_parcel(o, 1e-15);
    Curve place{"computed", wet.time, wet.place, true}, exact{"s₀ cosh ωt", wet.time, {}};
    Curve moment{"moment at the root", wet.time, {}, true}, expected{"2mωsṡ", wet.time, {}};
    double impulse = 0, impulse_exact = 0;
    for (std::size_t i = 0; i < wet.time.size(); ++i) {
        const double t = wet.time[i], s = kFrom * std::cosh(kSpin * t);
        exact.y.push_back(s);
        expected.y.push_back(2 * wet.mass * kSpin * s * kSpin * kFrom * std::sinh(kSpin * t));
        moment.y.push_back(wet.moment[i] - dry.moment[i]);
        impulse += moment.y.back(), impulse_exact += expected.y.back();
    }
    Outcome out;
    out.quantities.push_back({"place of the parcel at the end", place.y.back(), exact.y.back(), 0.02});
    out.quantities.push_back({"turning impulse at the root", std::abs(impulse / impulse_exact), 1, 0.05});
    out.plots.push_back({"parcel on a spinning strand", "time [s]", "distance [m]", {place, exact}});
    out.plots.push_back({"moment at the root", "time [s]", "moment [N m]", {moment, expected}});
    return out;
}

/// How far a hanging strand with a sliding drop bends when all of it moves evenly sideways [m].
double sideways(const std::string& momentum, double step) {
    LineScene line{.radius = 50e-6, .length = 0.05, .segment = 1e-3, .step = step};
    line.liquid = kFrictionless;
    line.film = "dripping = false\nmomentum = \"" + momentum + "\"\n";
    line.more =
        "[[strands.rod.motion]]\ntype = \"translate\"\nease = \"linear\"\nkeys = [[\"0 s\", \"0, 0, 0 m\"], "
        "[\"1 s\", \"1, 0, 0 m\"]]\n";
    FilmRig rig(line.text());
    rig.coat([](double s) { return s < 0.02 ? 2e-7 * bump(s, 0.01, 2e-3) : 0.0; });
    for (Vec3d& u : rig.strands().velocity) u = {1, 0, 0};
    double most = 0;
    rig.run(0.08, [&] {
        for (const Vec3d& x : rig.strands().position)
            most = std::max(most, std::abs(x.x - rig.strands().position[0].x));
    });
    return most;
}

Outcome run_sideways(const Options&) {
    Outcome out;
    out.quantities.push_back(
        {"sideways bend, momentum transported [m]", sideways("transported", 1e-3), 1e-9, 0, Kind::at_most});
    out.quantities.push_back(
        {"sideways bend, momentum rescaled [m]", sideways("rescaled", 1e-3), 1e-3, 0, Kind::at_least});
    return out;
}

/// A drop as heavy as many vertices slides down a hanging and a slanted strand at 1 ms.
Outcome run_heavy(const Options&) {
    Outcome out;
    for (const double ratio : {10.0, 300.0})
        for (const bool slanted : {false, true}) {
            LineScene line{.radius = 50e-6, .length = 0.1, .segment = 2.5e-3, .step = 1e-3};
            line.liquid = kFrictionless;
            if (slanted) line.direction = "1, -1, 0";
            FilmRig rig(line.text());
            const double vertex = line.density * kPi * line.radius * line.radius * line.segment;
            const double area = ratio * vertex / (1000 * line.segment);
            rig.coat([&](double s) { return s < 0.04 ? area * bump(s, 0.02, 5e-3) : 0.0; });
            EnergyWatch energy(rig);
            double fastest = 0;
            const double height = parcel(rig).mass * kGravity * line.length;
            rig.run(0.15, [&] {
                fastest = std::max(fastest, rig.metrics().max_speed);
                energy.look();
            });
            const std::string name = fmt::format("{} x, {}", ratio, slanted ? "slanted" : "hanging");
            out.quantities.push_back({name + ": fastest [m/s]", fastest, 5, 0, Kind::at_most});
            out.quantities.push_back({name + ": energy gained, over what a fall gives",
                                      energy.gained() / height, 1e-3, 0, Kind::at_most});
        }
    return out;
}

/// Straight down, all forces are along the strand: what its first free edge carries is what the free part
/// weighs, less the growth of its momentum.
Outcome run_root_reaction(const Options&) {
    LineScene line{.radius = 50e-6, .length = 0.05, .segment = 1e-3, .step = 1e-3};
    FilmRig rig(line.text());
    rig.coat([](double s) { return s > 0.005 && s < 0.03 ? 5e-8 * bump(s, 0.015, 3e-3) : 0.0; });
    const auto& s = rig.strands();
    const auto momentum = [&] {  // of all vertices but the held ones
        double p = 0;
        for (std::size_t v = 2; v < s.vertex_count(); ++v)
            p += (strand::vertex_mass(s, rig.model.strands.materials, 0, v) + rig.film_mass(v)) *
                 s.velocity[v].y;
        for (std::size_t v = 1; v + 1 < s.vertex_count(); ++v)
            p -= 0.5 * (rig.film_mass(v) + rig.film_mass(v + 1)) * rig.film().speed[v];
        return p;
    };
    double weight = 0;
    for (std::size_t v = 2; v < s.vertex_count(); ++v)
        weight += (strand::vertex_mass(s, rig.model.strands.materials, 0, v) + rig.film_mass(v)) * kGravity;
    const double stiffness = line.modulus * kPi * line.radius * line.radius / line.segment;
    double worst = 0, before = momentum(), largest = 0;
    rig.run(0.03, [&] {
        const double now = momentum();
        const double reaction = stiffness * (length(s.position[2] - s.position[1]) - s.rest_length[1]);
        const double change = (now - before) / rig.dt();
        worst = std::max(worst, std::abs(reaction - weight - change) / weight);
        largest = std::max(largest, std::abs(change) / weight);
        before = now;
    });
    Outcome out;
    out.quantities.push_back({"reaction − weight − dP/dt, over the weight", worst, 1e-6, 0, Kind::at_most});
    out.remark = fmt::format("momentum changed by up to {:.2g} of the weight", largest);
    return out;
}

/// A wet strand alone in space, bent, its film running: nothing changes its momentum, drops included.
Outcome run_momentum(const Options&) {
    Outcome out;
    for (const bool drips : {false, true}) {
        LineScene line{.radius = 50e-6, .length = 0.05, .segment = 1e-3, .step = 5e-4};
        line.gravity = "0, 0, 0 m/s^2", line.root = "free", line.direction = "1, 0, 0";
        line.liquid = "density = \"1000 kg/m^3\"\nviscosity = \"0.1 mPa*s\"\nsurface_tension = \"20 mN/m\"\n";
        line.film = drips ? "dripping = true\n" : "dripping = false\n";
        line.more = "[grid]\ncell = \"0.5 mm\"\n";
        FilmRig rig(line.text());
        rig.coat([](double s) { return 2e-8 * (1 + 3 * bump(s, 0.02, 5e-3)); });
        auto& s = rig.strands();
        for (std::size_t v = 0; v < s.vertex_count(); ++v)
            s.velocity[v] = Vec3d{0.3, 0.2, 0} + cross(Vec3d{2, 5, 20}, s.position[v]) +
                            Vec3d{0, std::sin(120 * s.position[v].x), 0.3 * std::cos(90 * s.position[v].x)};
        for (std::size_t v = 0; v + 1 < s.vertex_count(); ++v) rig.film().speed[v] = 0.2;
        // What drops do once they fly is the bulk's affair: they count with what they were born with.
        const Vec3d start = rig.metrics().momentum;
        double worst = 0;
        Vec3d born;
        std::uint64_t next_id = 0;
        rig.run(0.1, [&] {
            Vec3d flying;
            const liquid::LiquidState& bulk = rig.world.liquid;
            for (std::size_t i = 0; i < bulk.size(); ++i) {
                const Vec3d p = (1000 * bulk.volume[i]) * bulk.velocity[i];
                flying += p;
                if (bulk.id[i] >= next_id) born += p;
            }
            next_id = bulk.next_id;
            worst = std::max(worst, length(rig.metrics().momentum - flying + born - start) / length(start));
        });
        const std::string name = drips ? "dripping" : "not dripping";
        out.quantities.push_back({name + ": change of momentum", worst, 1e-10, 0, Kind::at_most});
        if (drips) out.quantities.push_back({"drops", double(rig.world.liquid.size()), 1, 0, Kind::at_least});
        out.quantities.push_back(
            {name + ": ledger", std::abs(rig.metrics().volume_error), 1e-12, 0, Kind::at_most});
    }
    return out;
}

}  // namespace

std::vector<Case> film_strand_cases() {
    return {{"film", "spinning_strand", "a bead on a turning wire", run_spinning_strand},
            {"film", "sideways_droplet", "Fei et al. 2017, fig. 9", run_sideways},
            {"film", "heavy_droplet", "drops far heavier than the strand, 1 ms", run_heavy},
            {"film", "root_reaction", "Newton's second law", run_root_reaction},
            {"film", "momentum", "an isolated wet strand", run_momentum}};
}

}  // namespace rivulet::verify
