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

/// Where the film is along its strand: part of its volume beyond `from` [m].
double beyond(const FilmRig& rig, double from) {
    double part = 0, all = 0;
    for (std::size_t v = 0; v < rig.world.film.size(); ++v) {
        const double volume = rig.world.film.area[v] * rig.world.film.length[v];
        all += volume, part += rig.along(v) > from ? volume : 0;
    }
    return all > 0 ? part / all : 0;
}

/// 2017 fig. 8: what a spinning hair swings outwards.
double flung(const std::string& inertia) {
    LineScene line{.radius = 50e-6, .length = 0.05, .segment = 1e-3, .step = 5e-4};
    line.direction = "1, 0, 0", line.gravity = "0, 0, 0 m/s^2";
    line.film = "dripping = false\ninertia = " + inertia + "\n";
    line.more =
        "[[strands.rod.motion]]\ntype = \"spin\"\npivot = \"0, 0, 0 m\"\naxis = [0, 1, 0]\nrate = \"40 "
        "rad/s\"\n";
    FilmRig rig(line.text());
    rig.coat([](double s) { return s < 0.02 ? 3e-8 : 0.0; });
    rig.run(0.3);
    return beyond(rig, 0.0205);
}

/// 2017 figs. 12 and 13: water on a hanging curl.
struct Curl {
    double tip = 0;            // lowest place of the strand at the end [m]
    double highest = 0;        // and how far it has come up again since it hung lowest [m]
    double left = 0, low = 0;  // part of the film that is left, and of it in the lower half
};
Curl hang(const std::string& film, double end) {
    LineScene line{.radius = 40e-6, .length = 0.06, .segment = 1.5e-3, .step = 1e-3};
    line.film = film;
    std::string text = line.text();
    const std::string groom = "length = \"0.06 m\"";
    text.insert(text.find(groom) + groom.size(), ", curl = { radius = \"4 mm\", pitch = \"1.5 cm\" }");
    const std::string world = "world = { ";
    text.insert(
        text.find(world) + world.size(),
        "air = { density = \"1.2 kg/m^3\" }, keep = { min = \"-3, -9, -3 cm\", max = \"3, 2, 3 cm\" }, ");
    FilmRig rig(text + "[grid]\ncell = \"0.7 mm\"\n");
    rig.coat([](double) { return 8e-8; });
    const double start = rig.metrics().volume_film;
    double lowest = 0;
    Curl curl;
    rig.run(end, [&] {
        curl.tip = 0;
        for (const Vec3d& x : rig.strands().position) curl.tip = std::min(curl.tip, x.y);
        lowest = std::min(lowest, curl.tip);
    });
    curl.highest = curl.tip - lowest;
    curl.left = rig.metrics().volume_film / start;
    curl.low = beyond(rig, 0.03);
    return curl;
}

Outcome run_figures(const Options& o) {
    Outcome out;
    out.quantities.push_back({"fig. 8, flung outwards with inertia", flung("true"), 0.3, 0, Kind::at_least});
    out.quantities.push_back({"fig. 8, flung outwards without", flung("false"), 0, 1e-9, Kind::absolute});
    const double end = o.quick ? 0.8 : 2;
    const Curl still = hang("flow = false\ndripping = false\n", end), flows = hang("dripping = false\n", end),
               drips = hang("dripping = true\n", end);
    out.quantities.push_back({"fig. 13, film of the lower half without flow", still.low, 0.5, 0.03});
    out.quantities.push_back({"fig. 13, with flow", flows.low, 0.55, 0, Kind::at_least});
    out.quantities.push_back(
        {"fig. 13, flow pulls the curl down by [m]", still.tip - flows.tip, 1e-4, 0, Kind::at_least});
    out.quantities.push_back({"fig. 12, film left when it drips", drips.left, 0.95, 0, Kind::at_most});
    out.quantities.push_back({"fig. 12, film left when it does not", flows.left, 1, 1e-12});
    out.quantities.push_back(
        {"fig. 13, dripping lets the curl up by [m]", drips.tip - flows.tip, 1e-4, 0, Kind::at_least});
    return out;
}

}  // namespace

std::vector<Case> film_drip_cases() {
    return {{"film", "drop_on_fibre", "Lorenceau et al. 2004", run_drop_on_fibre},
            {"film", "conservation", "nothing is lost", run_conservation},
            {"film", "figures", "Fei et al. 2017, figs. 8, 12, 13", run_figures}};
}

}  // namespace rivulet::verify
