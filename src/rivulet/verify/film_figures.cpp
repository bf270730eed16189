#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <rivulet/verify/film_rig.h>

/// The comparisons that Fei et al. 2017 and 2019 show as figures, each with its key on and off.
namespace rivulet::verify {
namespace {

using Kind = Quantity::Kind;

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

/// 2017 fig. 11: how many times the oil of the third of three hairs side by side, the first wet, has grown.
double crept(const std::string& across) {
    std::string text = R"(format = 1
time = { fps = 10, end = "10 s" }
step = { max = "1 ms" }
world = { gravity = "0, 0, 0 m/s^2" }
)";
    text += "film = { dripping = false, flow = false, across = " + across + " }\n";
    for (const int k : {0, 1, 2})
        text += fmt::format(R"([strands.hair{}]
material = "human_hair"
radius = {{ root = "50 um" }}
segment = "1.5 mm"
tip = {{ type = "clamp" }}
film = {{ liquid = "olive_oil", thickness = "{} um" }}
groom = {{ type = "rows", origin = "0, {}, 0 mm", direction = [1, 0, 0], length = "1 cm" }}
)",
                            k, k == 0 ? 60 : 1, 0.12 * k);
    FilmRig rig(text);
    const std::size_t middle = (rig.strands().begin(2) + rig.strands().end(2)) / 2;
    const double start = rig.film().area[middle];
    rig.run(0.5);
    return rig.film().area[middle] / start;
}

void add_across(Outcome& out) {
    out.quantities.push_back({"fig. 11, oil of the third hair grows", crept("true"), 2, 0, Kind::at_least});
    out.quantities.push_back({"fig. 11, without flow across", crept("false"), 1, 1e-12});
}

/// Centre of the film on the only strand, from its root [m].
double centre(FilmRig& rig) {
    double all = 0, sum = 0;
    for (std::size_t v = 0; v < rig.film().size(); ++v) {
        const double volume = rig.film().area[v] * rig.film().length[v];
        all += volume, sum += volume * rig.along(v);
    }
    return sum / all;
}

std::string liquid_like(const std::string& preset) {
    return "base = \"" + preset + "\"\n";
}

/// 2019 fig. 2: how far a large drop slides down in a quarter of a second [m].
double slid(const std::string& liquid, const std::string& flow) {
    LineScene line{.radius = 60e-6, .length = 0.06, .segment = 1.2e-3, .step = 1e-3};
    line.liquid = liquid_like(liquid), line.film = "dripping = false\nflow = " + flow + "\n";
    FilmRig rig(line.text());
    rig.coat([](double s) { return s > 6e-3 && s < 13e-3 ? 9.7e-7 : 0.0; });
    const double start = centre(rig);
    rig.run(0.25);
    return centre(rig) - start;
}

void add_drops(Outcome& out) {
    const double water = slid("water", "true"), mud = slid("drilling_mud", "true"),
                 cream = slid("milk_cream", "true");
    out.quantities.push_back({"2019 fig. 2, water slides [m]", water, 0.02, 0, Kind::at_least});
    out.quantities.push_back({"2019 fig. 2, mud slides, over water", mud / water, 0.9, 0, Kind::at_most});
    out.quantities.push_back({"2019 fig. 2, milk cream stays [m]", cream, 0, 1e-4, Kind::absolute});
    out.quantities.push_back(
        {"2019 fig. 2, water without flow [m]", slid("water", "false"), 0, 1e-15, Kind::absolute});
}

/// 2019 fig. 4: how far a drop is flung outwards by a thick strand that spins [m].
double flung_drop(const std::string& liquid, const std::string& inertia) {
    LineScene line{.radius = 150e-6, .length = 0.05, .segment = 1e-3, .step = 5e-4};
    line.direction = "1, 0, 0", line.gravity = "0, 0, 0 m/s^2";
    line.liquid = liquid_like(liquid), line.film = "dripping = false\ninertia = " + inertia + "\n";
    line.more =
        "[[strands.rod.motion]]\ntype = \"spin\"\npivot = \"0, 0, 0 m\"\naxis = [0, 1, 0]\nrate = \"25 "
        "rad/s\"\n";
    FilmRig rig(line.text());
    rig.coat([](double s) { return s > 0.01 && s < 0.02 ? 1.7e-6 : 0.0; });
    const double start = centre(rig);
    rig.run(0.25);
    return centre(rig) - start;
}

void add_spinning_drops(Outcome& out) {
    out.quantities.push_back(
        {"2019 fig. 4, mud flung outwards [m]", flung_drop("drilling_mud", "true"), 5e-3, 0, Kind::at_least});
    out.quantities.push_back(
        {"2019 fig. 4, milk cream holds [m]", flung_drop("milk_cream", "true"), 0, 1e-4, Kind::absolute});
    out.quantities.push_back({"2019 fig. 4, mud without inertia [m]", flung_drop("drilling_mud", "false"), 0,
                              1e-15, Kind::absolute});
}

/// A slanted strand while a drop slides down on it.
struct Slanted {
    double fastest = 0;  // speed of a vertex [m/s]
    double gained = 0;   // energy beyond what there was, over that of the drop's fall
};
Slanted slide_down(const LineScene& given, const std::string& momentum, double area) {
    LineScene line = given;
    line.film = "dripping = false\nmomentum = \"" + momentum + "\"\n";
    FilmRig rig(line.text());
    rig.coat([&](double s) { return s > 6e-3 && s < 12e-3 ? area : 0.0; });
    EnergyWatch energy(rig);
    Slanted out;
    rig.run(0.2, [&] {
        for (const Vec3d& u : rig.strands().velocity) out.fastest = std::max(out.fastest, length(u));
        energy.look();
    });
    out.gained = energy.gained() / (1000 * rig.metrics().volume_film * 9.81 * line.length);
    return out;
}

/// 2017 fig. 10: water on a hair.
void add_slanted(Outcome& out) {
    LineScene line{.radius = 40e-6, .length = 0.07, .segment = 1e-3, .step = 1e-3};
    line.direction = "1, -0.5, 0";
    const Slanted on = slide_down(line, "transported", 1e-6), off = slide_down(line, "rescaled", 1e-6);
    out.quantities.push_back(
        {"fig. 10, energy gained, over that of the fall", on.gained, 1e-3, 0, Kind::at_most});
    out.quantities.push_back({"fig. 10, with momentum rescaled", off.gained, 0.1, 0, Kind::at_least});
    out.quantities.push_back({"fig. 10, fastest strand, rescaled over transported", off.fastest / on.fastest,
                              2, 0, Kind::at_least});
}

/// 2019 fig. 5: tetrachloroethylene, hundreds of times as heavy as the strand beneath it.
void add_heavy(Outcome& out) {
    LineScene line{.radius = 50e-6, .length = 0.06, .segment = 1e-3, .step = 1e-3};
    line.direction = "1, -0.6, 0", line.liquid = liquid_like("tetrachloroethylene");
    const Slanted on = slide_down(line, "transported", 1.76e-6), off = slide_down(line, "rescaled", 1.76e-6);
    out.quantities.push_back({"2019 fig. 5, fastest strand [m/s]", on.fastest, 5, 0, Kind::at_most});
    out.quantities.push_back(
        {"2019 fig. 5, momentum rescaled, over transported", off.fastest / on.fastest, 2, 0, Kind::at_least});
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
    add_slanted(out);
    add_across(out);
    add_drops(out);
    add_spinning_drops(out);
    add_heavy(out);
    return out;
}

}  // namespace

std::vector<Case> film_figure_cases() {
    return {{"film", "figures", "Fei et al. 2017, figs. 8, 10 to 13; 2019, figs. 2, 4, 5", run_figures}};
}

}  // namespace rivulet::verify
