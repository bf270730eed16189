#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/film/coat.h>
#include <rivulet/verify/film_rig.h>

/// Flow along strands that do not bend.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
using Kind = Quantity::Kind;

/// Flux over pressure gradient of a film with outer radius R on a fibre of radius a (VALIDATION).
double mobility(double a, double area, double viscosity) {
    const double outer2 = a * a + area / kPi, ratio = outer2 / (a * a);
    const double a4 = a * a * a * a;
    return kPi * a4 / (8 * viscosity) * (2 * ratio * ratio * std::log(ratio) - (3 * ratio - 1) * (ratio - 1));
}

std::string newtonian(double viscosity) {
    return fmt::format("density = \"1000 kg/m^3\"\nviscosity = \"{} Pa*s\"\nsurface_tension = \"30 mN/m\"\n",
                       viscosity);
}

Outcome run_fibre_flux(const Options&) {
    Outcome out;
    const double a = 0.5e-3, viscosity = 0.5;
    for (const double part : {0.05, 0.2, 1.0}) {
        LineScene line{.radius = a, .length = 0.02, .segment = 1e-3, .step = 1e-3};
        line.liquid = newtonian(viscosity);
        FilmRig rig(line.text());
        const double area = film::coat_area(a, a, part * a);
        rig.coat([&](double) { return area; });
        rig.run(part < 1 ? 0.01 : 0.03);
        const std::size_t middle = rig.film().size() / 2;
        const double flux = rig.film().area[middle] * rig.film().speed[middle];
        const double exact = 1000 * kGravity * mobility(a, area, viscosity);
        out.quantities.push_back({fmt::format("flux, h/a {}", part), flux, exact, 0.02});
    }
    return out;
}

/// Thickness at the distance x below the upper end after the time t: every area runs down with its own speed,
/// x/t = dQ/dA. Thin: √(μx/ρgt).
double drained(double a, double viscosity, double x, double t) {
    const auto speed = [&](double area) {
        const double d = 1e-4 * area;
        return 1000 * kGravity * (mobility(a, area + d, viscosity) - mobility(a, area - d, viscosity)) /
               (2 * d);
    };
    double low = 0, high = film::coat_area(a, a, 3 * a);
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (speed(middle) < x / t ? low : high) = middle;
    }
    return film::coat_thickness(a, a, 0.5 * (low + high));
}

Outcome run_drainage(const Options& o) {
    const double a = 0.4e-3, viscosity = 1e-3, end = 2;
    LineScene line{.radius = a, .length = 0.06, .segment = o.quick ? 1e-3 : 0.5e-3, .step = 2e-3};
    line.modulus = 1e11;
    FilmRig rig(line.text());
    rig.coat([&](double) { return film::coat_area(a, a, 150e-6); });
    rig.run(end);
    Outcome out;
    Curve computed{"computed", {}, {}, true}, exact{"exact", {}, {}}, thin{"√(μx/ρgt)", {}, {}};
    double worst = 0;
    for (std::size_t v = 1; v < rig.film().size(); ++v) {
        const double x = rig.along(v), h = film::coat_thickness(a, a, rig.film().area[v]);
        computed.x.push_back(x), computed.y.push_back(h);
        exact.x.push_back(x), exact.y.push_back(drained(a, viscosity, x, end));
        thin.x.push_back(x), thin.y.push_back(std::sqrt(viscosity * x / (1000 * kGravity * end)));
        if (x > 0.01 && x < 0.05) worst = std::max(worst, std::abs(h / exact.y.back() - 1));
    }
    out.quantities.push_back({"thickness, worst between 1 and 5 cm", worst, 0.02, 0, Kind::at_most});
    out.plots.push_back({"film draining down a strand",
                         "distance from its upper end [m]",
                         "thickness [m]",
                         {computed, exact, thin}});
    return out;
}

/// A strand along x that spins about its root.
std::string spinning(double omega) {
    return fmt::format(
        "[[strands.rod.motion]]\ntype = \"spin\"\npivot = \"0, 0, 0 m\"\naxis = [0, 1, 0]\nrate = \"{} "
        "rad/s\"\n",
        omega);
}
void spin(FilmRig& rig, double omega) {
    for (std::size_t v = 0; v < rig.strands().vertex_count(); ++v)
        rig.strands().velocity[v] = cross(Vec3d{0, omega, 0}, rig.strands().position[v]);
}

Outcome run_spin_thinning(const Options& o) {
    const double a = 0.9e-3, omega = 25, viscosity = 0.05, h0 = 50e-6, end = 0.5;
    LineScene line{.radius = a, .length = 0.08, .segment = o.quick ? 2e-3 : 1e-3, .step = 1e-3};
    line.modulus = 1e11, line.direction = "1, 0, 0", line.gravity = "0, 0, 0 m/s^2";
    line.liquid = newtonian(viscosity);
    line.more = spinning(omega);
    FilmRig rig(line.text());
    spin(rig, omega);
    const double start = film::coat_area(a, a, h0);
    rig.coat([&](double) { return start; });
    rig.run(end);
    // dA/dt = −ρω²M(A), by fine steps.
    double area = start;
    for (int i = 0; i < 20000; ++i) area -= end / 20000 * 1000 * omega * omega * mobility(a, area, viscosity);
    Outcome out;
    double least = 1e30, most = 0;
    for (std::size_t v = 0; v < rig.film().size(); ++v)
        if (rig.along(v) > 0.02 && rig.along(v) < 0.07) {
            least = std::min(least, rig.film().area[v]), most = std::max(most, rig.film().area[v]);
        }
    out.quantities.push_back({"area", 0.5 * (least + most), area, 0.02});
    out.quantities.push_back({"evenness along the strand", most / least - 1, 0.02, 0, Kind::at_most});
    const double thin = h0 / std::sqrt(1 + 2.0 / 3 * 1000 * omega * omega * h0 * h0 / viscosity * end);
    out.remark = fmt::format("thickness {:.4g} m, thin-film law {:.4g} m",
                             film::coat_thickness(a, a, 0.5 * (least + most)), thin);
    return out;
}

/// How far the film's middle has run within the time [m].
double creep(const LineScene& line, double area, double time, double from, double omega) {
    FilmRig rig(line.text());
    spin(rig, omega);
    rig.coat([&](double) { return area; });
    double way = 0;
    std::size_t v = 0;
    while (rig.along(v) < from) ++v;
    rig.run(time, [&] { way += std::abs(rig.film().speed[v]) * rig.dt(); });
    return way;
}

Outcome run_yield_stress(const Options&) {
    const double a = 0.2e-3, yield = 5;
    LineScene line{.radius = a, .length = 0.03, .segment = 1e-3, .step = 1e-3};
    line.modulus = 1e11;
    line.liquid =
        "density = \"1000 kg/m^3\"\nyield_stress = \"5 Pa\"\nconsistency = \"2 Pa*s^0.5\"\nflow_index = 0.5\n"
        "shear_modulus = \"500 Pa\"\nsurface_tension = \"30 mN/m\"\n";
    const auto limit = [&](double along) { return yield * 2 * kPi * a / (1000 * along); };
    Outcome out;
    const auto check = [&](const std::string& name, const LineScene& l, double along, double from,
                           double omega) {
        const double rests = creep(l, 0.95 * limit(along), 0.3, from, omega);
        const double flows = creep(l, 1.05 * limit(along), 0.3, from, omega);
        out.quantities.push_back({name + ": way at 0.95 of the limit [m]", rests, 0, 1e-12, Kind::absolute});
        out.quantities.push_back({name + ": way at 1.05 of the limit [m]", flows, 1e-9, 0, Kind::at_least});
    };
    check("still", line, kGravity, 0.015, 0);
    LineScene spun = line;
    spun.direction = "1, 0, 0", spun.gravity = "0, 0, 0 m/s^2", spun.more = spinning(50);
    check("spinning", spun, 50.0 * 50.0 * 0.0155, 0.0149, 50);
    return out;
}

/// The same film on a strand that stands and on one that moves evenly.
Outcome run_moving_frame(const Options&) {
    LineScene line{.radius = 50e-6, .length = 0.05, .segment = 1e-3, .step = 1e-3};
    const auto areas = [&](const std::string& more, const Vec3d& frame) {
        line.more = more;
        FilmRig rig(line.text());
        rig.coat([](double s) { return 1e-8 * (1 + std::exp(-std::pow((s - 0.015) / 0.004, 2))); });
        for (Vec3d& u : rig.strands().velocity) u = frame;
        rig.run(0.1);
        return rig.film().area;
    };
    const auto still = areas("", {});
    const auto moving = areas(
        "[[strands.rod.motion]]\ntype = \"translate\"\nease = \"linear\"\nkeys = [[\"0 s\", \"0, 0, 0 m\"], "
        "[\"1 s\", \"0.2, 0.1, -0.3 m\"]]\n",
        {0.2, 0.1, -0.3});
    double worst = 0, most = 0;
    for (std::size_t v = 0; v < still.size(); ++v) {
        worst = std::max(worst, std::abs(still[v] - moving[v])), most = std::max(most, still[v]);
    }
    Outcome out;
    out.quantities.push_back({"difference over the largest area", worst / most, 1e-9, 0, Kind::at_most});
    return out;
}

/// Amplitude of the wave cos kx in the film, over its mean area.
double wave(const FilmRig& rig, double k) {
    double wave = 0, mean = 0, length = 0;
    for (std::size_t v = 0; v < rig.world.film.size(); ++v) {
        const double l = rig.world.film.length[v];
        wave += 2 * l * rig.world.film.area[v] * std::cos(k * rig.along(v));
        mean += l * rig.world.film.area[v], length += l;
    }
    return wave / mean;
}

/// Surface tension draws an even film into beads (Plateau, Rayleigh): growth σM(k²/R² − k⁴)/(2πR).
Outcome run_beads(const Options&) {
    const double a = 0.5e-3, thickness = 0.5 * a, outer = a + thickness, tension = 0.03, viscosity = 0.05;
    const double fastest = 1 / (std::numbers::sqrt2 * outer), waves = 6, end = 0.4;
    LineScene line{.radius = a, .length = waves * 2 * kPi / fastest, .segment = 0.55e-3, .step = 1e-3};
    line.modulus = 1e11, line.gravity = "0, 0, 0 m/s^2", line.direction = "1, 0, 0";
    line.liquid = newtonian(viscosity);
    line.film = "dripping = false\nsurface_tension = true\n";
    std::string text = line.text();
    text.replace(text.find("thickness = \"1 um\""), 18, "thickness = \"0.25 mm\"");
    Outcome out;
    const double area = film::coat_area(a, a, thickness);
    const auto growth = [&](double k) {
        FilmRig rig(text);
        rig.coat([&](double s) { return area * (1 + 1e-3 * std::cos(k * s)); });
        rig.run(0.2 * end);
        const double before = wave(rig, k), from = rig.time();
        rig.run(end);
        return std::log(wave(rig, k) / before) / (rig.time() - from);
    };
    const auto exact = [&](double k) {
        return tension * mobility(a, area, viscosity) * (k * k / (outer * outer) - k * k * k * k) /
               (2 * kPi * outer);
    };
    out.quantities.push_back({"growth of the fastest wave [1/s]", growth(fastest), exact(fastest), 0.05});
    out.quantities.push_back(
        {"growth at half the wave length [1/s]", growth(2 * fastest), 0, 0, Kind::at_most});
    out.quantities.push_back(
        {"growth at twice the wave length [1/s]", growth(0.5 * fastest), exact(0.5 * fastest), 0.05});
    return out;
}

}  // namespace

std::vector<Case> film_flow_cases() {
    return {{"film", "fibre_flux", "annular film falling down a fibre, exact", run_fibre_flux},
            {"film", "drainage", "Jeffreys 1930", run_drainage},
            {"film", "spin_thinning", "after Emslie, Bonner & Peck 1958, on a fibre", run_spin_thinning},
            {"film", "yield_stress_film", "balance of wall stress and weight", run_yield_stress},
            {"film", "beads", "Plateau & Rayleigh on a fibre; Goren 1962", run_beads},
            {"film", "moving_frame", "Galileo", run_moving_frame}};
}

}  // namespace rivulet::verify
