#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/film/curvature.h>
#include <rivulet/verify/film_rig.h>

/// A bead at rest on a fibre.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi;
using Kind = Quantity::Kind;

/// The bead that wets a fibre of radius a, greatest radius b (Carroll 1976, contact angle 0): with
/// R² = a² + (b² − a²) sin²φ it is dx = (R + ab/R) dφ, from the foot at φ = 0 to its middle at π/2.
struct Carroll {
    double volume = 0, half_length = 0;
    std::vector<double> from_middle, radius;
};
Carroll carroll(double a, double b) {
    constexpr int kParts = 2000;
    Carroll bead;
    for (int i = kParts - 1; i >= 0; --i) {
        const double phi = 0.5 * kPi * (i + 0.5) / kParts, s = std::sin(phi);
        const double r = std::sqrt(a * a + (b * b - a * a) * s * s),
                     dx = (r + a * b / r) * 0.5 * kPi / kParts;
        bead.from_middle.push_back(bead.half_length + 0.5 * dx), bead.radius.push_back(r);
        bead.half_length += dx;
        bead.volume += 2 * kPi * (r * r - a * a) * dx;
    }
    return bead;
}
/// Greatest radius of the bead of this volume.
double greatest_radius(double a, double volume) {
    double low = a, high = 10 * a;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (carroll(a, middle).volume < volume ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// A lump of liquid in the middle of a fibre draws itself together; what it ends as against Carroll's bead.
Outcome run_bead_shape(const Options& o) {
    // Segments are no shorter than the strand's radius: the larger the bead, the finer it is seen.
    const double a = 0.1e-3, tension = 0.03, segment = 1.01 * a, reach = (o.quick ? 6 : 10) * a;
    const double length = 80 * segment;
    LineScene line{.radius = a, .length = length, .segment = segment, .step = 1e-3};
    line.modulus = 1e11, line.gravity = "0, 0, 0 m/s^2", line.direction = "1, 0, 0";
    line.liquid = "density = \"1000 kg/m^3\"\nviscosity = \"20 mPa*s\"\nsurface_tension = \"30 mN/m\"\n";
    line.film = "dripping = false\nsurface_tension = true\n";
    FilmRig rig(line.text());
    rig.coat([&](double s) {
        const double x = (s - 0.5 * length) / reach;
        return std::abs(x) < 1 ? 0.15 * reach * reach * (1 + std::cos(kPi * x)) : 0.0;
    });
    EnergyWatch energy(rig);
    rig.run(o.quick ? 3.0 : 10.0, [&] { energy.look(); });

    const film::FilmState& film = rig.film();
    const auto outer = [&](std::size_t v) { return std::sqrt(a * a + film.area[v] / kPi); };
    double volume = 0, centre = 0;
    for (std::size_t v = 0; v < film.size(); ++v) {
        volume += film.area[v] * film.length[v], centre += film.area[v] * film.length[v] * rig.along(v);
    }
    centre /= volume;
    const double b = greatest_radius(a, volume), exact = 2 * tension / (a + b);
    Curve computed{"computed", {}, {}, true}, unduloid{"Carroll 1976", {}, {}};
    double greatest = 0, least_pressure = 1e30, most_pressure = 0, speed = 0;
    for (std::size_t v = 1; v + 1 < film.size(); ++v) {
        computed.x.push_back(rig.along(v) - centre), computed.y.push_back(outer(v));
        greatest = std::max(greatest, outer(v));
        if (outer(v) < 1.05 * a) continue;
        const double p =
            tension *
            film::curvature({outer(v - 1), outer(v), outer(v + 1)}, segment, segment, segment).value;
        least_pressure = std::min(least_pressure, p), most_pressure = std::max(most_pressure, p);
        speed = std::max(speed, std::abs(film.speed[v]));
    }
    const Carroll bead = carroll(a, b);
    double worst = 0;  // of the radius within the bead
    for (std::size_t i = 0; i < bead.radius.size(); ++i)
        unduloid.x.push_back(bead.from_middle[i]), unduloid.y.push_back(bead.radius[i]);
    for (std::size_t i = 0; i < computed.x.size(); ++i) {
        const double x = std::abs(computed.x[i]);
        const auto at = std::lower_bound(bead.from_middle.begin(), bead.from_middle.end(), x);
        const double r =
            at == bead.from_middle.end() ? a : bead.radius[std::size_t(at - bead.from_middle.begin())];
        worst = std::max(worst, std::abs(computed.y[i] - r) / b);
    }
    Outcome out;
    out.quantities.push_back({"greatest radius [m]", greatest, b, 0.02});
    out.quantities.push_back({"pressure [Pa]", 0.5 * (least_pressure + most_pressure), exact, 0.03});
    out.quantities.push_back(
        {"evenness of the pressure", most_pressure / least_pressure - 1, 0.02, 0, Kind::at_most});
    out.quantities.push_back({"outline, worst over the radius", worst, 0.03, 0, Kind::at_most});
    out.quantities.push_back({"fastest at the end [m/s]", speed, 1e-5, 0, Kind::at_most});
    out.quantities.push_back(
        {"energy beyond its start, over all lost", energy.gained() / energy.lost(), 0, 0, Kind::at_most});
    out.plots.push_back(
        {"bead at rest on a fibre", "distance from its middle [m]", "radius [m]", {computed, unduloid}});
    return out;
}

}  // namespace

std::vector<Case> film_bead_cases() {
    return {{"film", "bead_shape", "Carroll 1976", run_bead_shape}};
}

}  // namespace rivulet::verify
