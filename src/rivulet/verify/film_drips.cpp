#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/film/hold.h>
#include <rivulet/verify/film_rig.h>

/// Liquid that leaves strands.
namespace rivulet::verify {
namespace {

using Kind = Quantity::Kind;

/// Whether a drop of this part of the largest one falls from a horizontal strand within half a second.
bool drips(double part) {
    const double a = 50e-6;
    LineScene line{.radius = a, .length = 0.02, .segment = 0.2e-3, .step = 1e-3};
    line.modulus = 1e13, line.direction = "1, 0, 0";
    line.film = "dripping = true\nflow = false\n";
    line.more = "[grid]\ncell = \"0.4 mm\"\n";
    FilmRig rig(line.text());
    const film::HoldLimit most = film::hold_limit(rig.model.film.liquids[0], a, 1, 9.81, 9.81);
    const double width = 0.25 * most.radius, volume = part * most.volume;
    const double peak = volume / (width * std::sqrt(std::numbers::pi));
    rig.coat([&](double s) { return peak * std::exp(-std::pow((s - 0.01) / width, 2)); });
    rig.run(0.5);
    return rig.world.liquid.size() > 0;
}

Outcome run_drop_on_fibre(const Options&) {
    Outcome out;
    const film::FilmLiquid water{1000, 0.072, 0, 1e-3, 1, 0};
    out.quantities.push_back(
        {"largest drop [m], a 50 um", film::hold_limit(water, 50e-6, 1, 9.81, 9.81).radius, 1.0326e-3, 1e-3});
    out.quantities.push_back({"drips at 0.95", drips(0.95) ? 1.0 : 0.0, 0, 0, Kind::absolute});
    out.quantities.push_back({"drips at 1.05", drips(1.05) ? 1.0 : 0.0, 1, 0, Kind::absolute});
    return out;
}

/// Curls with a film of two liquids that drip; the liquid of every step is counted.
std::string curls(int count) {
    return fmt::format(R"(format = 1
time = {{ fps = 50, end = "1000 s" }}
step = {{ max = "1 ms" }}
grid = {{ cell = "1 mm" }}
world = {{ keep = {{ min = "-5, -12, -5 cm", max = "10, 5, 10 cm" }} }}
[material.red]
type = "liquid"
density = "1200 kg/m^3"
viscosity = "2 mPa*s"
surface_tension = "40 mN/m"
[strands.upper]
material = "human_hair"
radius = {{ root = "50 um" }}
segment = "2 mm"
film = {{ liquid = "water", thickness = "60 um", to = 0.6 }}
groom = {{ type = "rows", origin = "0, 0, 0 m", columns = {}, column_step = "2, 0, 0 mm", direction = [0.3, -1, 0],
          length = "6 cm", curl = {{ radius = "4 mm", pitch = "2 cm" }} }}
[strands.lower]
material = "human_hair"
radius = {{ root = "50 um" }}
segment = "2 mm"
film = {{ liquid = "red", thickness = "80 um", from = 0.3 }}
groom = {{ type = "rows", origin = "0, 0, 8 mm", columns = {}, column_step = "2, 0, 0 mm", direction = [0.3, -1, 0],
          length = "6 cm", curl = {{ radius = "4 mm", pitch = "2 cm" }} }}
)",
                       count, count);
}

Outcome run_conservation(const Options& o) {
    FilmRig rig(curls(o.quick ? 3 : 8));
    // Both liquids on every strand.
    film::FilmState& film = rig.film();
    const std::size_t n = film.liquids();
    for (std::size_t v = 0; v < film.size(); v += 3)
        if (film.area[v] > 0)
            for (std::size_t l = 0; l < n; ++l) film.share[v * n + l] = 1.0 / double(n);
    rig.world.ledger.open(world::present_liquid(rig.world));
    double worst = 0, least = 0, moved = 0, before = rig.metrics().volume_film;
    const double whole = before;
    rig.run(o.quick ? 0.3 : 1.0, [&] {
        const world::Metrics m = rig.metrics();
        worst = std::max(worst, std::abs(m.volume_error));
        moved = std::max(moved, std::abs(m.volume_film - before) / whole);
        before = m.volume_film;
        for (const double a : film.area) least = std::min(least, a);
    });
    Outcome out;
    out.quantities.push_back({"ledger, worst of the liquids", worst, 1e-12, 0, Kind::at_most});
    out.quantities.push_back({"smallest area [m^2]", least, 0, 0, Kind::at_least});
    out.quantities.push_back({"drops", double(rig.world.liquid.size()), 1, 0, Kind::at_least});
    out.quantities.push_back({"part that left in one step", moved, 0.05, 0, Kind::at_most});
    return out;
}

/// The most that leaves one strand in a step, over a full cell's particle. Drops are born one by one, as soon
/// as there is enough for the smallest.
double largest_leap(double fps, double end) {
    std::string text = curls(2);
    const std::string rate = "fps = 50";
    text.replace(text.find(rate), rate.size(), fmt::format("fps = {}", fps));
    FilmRig rig(text);
    const strand::StrandState& s = rig.strands();
    const auto held = [&](std::size_t k) {
        double volume = 0;
        for (std::size_t v = s.begin(k); v < s.end(k); ++v)
            volume += rig.film().area[v] * rig.film().length[v];
        return volume;
    };
    std::vector<double> before;
    for (std::size_t k = 0; k < s.strand_count(); ++k) before.push_back(held(k));
    double most = 0;
    rig.run(end, [&] {
        for (std::size_t k = 0; k < before.size(); ++k) {
            const double now = held(k);
            most = std::max(most, before[k] - now);
            before[k] = now;
        }
    });
    const double cell = rig.model.cell;
    return most / (cell * cell * cell / rig.model.liquid.resample.in_full_cell(0));
}

/// However often one looks, films lose no more at once than a drop.
Outcome run_popping(const Options& o) {
    const double end = o.quick ? 0.3 : 1.0, at_50 = largest_leap(50, end), at_100 = largest_leap(100, end);
    Outcome out;
    out.quantities.push_back(
        {"leaves a strand in a step, over a particle, at 50 /s", at_50, 1, 0, Kind::at_most});
    out.quantities.push_back({"at twice the rate", at_100, 1, 0, Kind::at_most});
    out.quantities.push_back({"smallest drop", at_50, 0.375, 0, Kind::at_least});
    return out;
}

}  // namespace

std::vector<Case> film_drip_cases() {
    return {{"film", "drop_on_fibre", "Lorenceau et al. 2004", run_drop_on_fibre},
            {"film", "conservation", "nothing is lost", run_conservation},
            {"film", "popping", "drops leave bit by bit", run_popping}};
}

}  // namespace rivulet::verify
