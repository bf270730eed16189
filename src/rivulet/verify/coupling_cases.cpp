#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/coupling/strand_drag.h>
#include <rivulet/verify/film_rig.h>

/// Strands in liquid.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
using Kind = Quantity::Kind;

/// Text of a scene with one liquid and one entity of straight strands, without air and contact.
struct WetScene {
    double cell = 5e-3, step = 2e-3;  // m, s
    std::string gravity = "0, -9.81, 0 m/s^2", period = "0, 0, 0 m";
    std::string tank =
        "[obstacle.tank]\nside = \"inside\"\nshape = { type = \"box\", min = \"-4, 0, -4 cm\", "
        "max = \"4, 14, 4 cm\" }\n";
    std::string liquid = "density = \"1000 kg/m^3\"\nviscosity = \"1 mPa*s\"\n";
    std::string fill = "min = \"-4, 0, -4 cm\", max = \"4, 9, 4 cm\"";
    std::string wetting = "capture = \"none\"\n";
    double density = 1300, modulus = 1e7, radius = 1e-3, segment = 4e-3;  // of the strands
    std::string root = "clamp", tip = "free", groom;
    std::string more = {};

    std::string text() const {
        return fmt::format(R"(format = 1
time = {{ fps = 10, end = "1000 s" }}
step = {{ max = "{} s" }}
grid = {{ cell = "{} m" }}
world = {{ gravity = "{}", period = "{}" }}
contact = {{ law = "none" }}
[wetting]
{}
{}
[material.liquid]
type = "liquid"
{}
[liquid.pool]
material = "liquid"
fill = {{ type = "box", {} }}
[material.rod]
type = "strand"
density = "{} kg/m^3"
youngs_modulus = "{} Pa"
poisson_ratio = 0.4
[strands.rod]
material = "rod"
radius = {{ root = "{} m" }}
segment = "{} m"
root = {{ type = "{}" }}
tip = {{ type = "{}" }}
groom = {{ type = "rows", {} }}
{}
)",
                           step, cell, gravity, period, wetting, tank, liquid, fill, density, modulus, radius,
                           segment, root, tip, groom, more);
    }
};

double mean_height(const strand::StrandState& s) {
    double sum = 0;
    for (const Vec3d& x : s.position) sum += x.y;
    return sum / double(s.vertex_count());
}

/// Light strands rise, those as dense as the liquid hover, heavy ones sink.
Outcome strand_buoyancy(const Options& o) {
    Outcome out;
    const auto climb = [&](double ratio) {
        WetScene scene;
        scene.root = "free", scene.density = 1000 * ratio, scene.modulus = 3e9;
        scene.groom = "origin = \"0, 4.5, -2 cm\", direction = [0, 0, 1], length = \"4 cm\"";
        FilmRig rig(scene.text());
        const double before = mean_height(rig.strands());
        rig.run(o.quick ? 0.2 : 0.3);
        return mean_height(rig.strands()) - before;
    };
    const double time = o.quick ? 0.2 : 0.3;
    out.quantities.push_back({"rise of ratio 0.25", climb(0.25) / time, 0.05, 0, Kind::at_least});
    out.quantities.push_back({"drift of ratio 1", std::abs(climb(1)) / time, 1e-3, 0, Kind::at_most});
    out.quantities.push_back({"sinking of ratio 4", -climb(4) / time, 0.1, 0, Kind::at_least});
    out.remark = "mean speeds, m/s";
    return out;
}

/// A strand that hangs in liquid pulls at its root with (ρ_s − ρ_f) V g.
Outcome submerged_weight(const Options& o) {
    Outcome out;
    for (const double density : {1300.0, 4000.0}) {
        WetScene scene;
        scene.density = density, scene.modulus = 1e7;
        scene.groom = "origin = \"0.1, 7, 0.2 cm\", direction = [0, -1, 0], length = \"5 cm\"";
        FilmRig rig(scene.text());
        double sum = 0;
        int n = 0;
        const double until = o.quick ? 0.4 : 1;
        const strand::StrandState& s = rig.strands();
        rig.run(until, [&] {
            if (rig.time() < 0.5 * until) return;
            sum += length(s.position[3] - s.position[2]) / s.rest_length[2] - 1, ++n;
        });
        const double tension = scene.modulus * kPi * scene.radius * scene.radius * sum / n;
        double below = 0;
        for (std::size_t v = 3; v < s.vertex_count(); ++v)
            below += 0.5 * (s.rest_length[v - 1] + (v + 1 < s.vertex_count() ? s.rest_length[v] : 0.0));
        const double weight = (density - 1000) * kPi * scene.radius * scene.radius * below * kGravity;
        out.quantities.push_back(
            {fmt::format("density ratio {:.1f}", density / 1000), tension, weight, 0.02});
    }
    return out;
}

/// Height of the surface: where the distance to it changes sign, mean over columns [m].
double surface_height(const FilmRig& rig) {
    const world::LiquidScratch& s = rig.liquid();
    double sum = 0;
    int n = 0;
    for (std::size_t b = 0; b < s.topology.size(); ++b)
        for (int k = 0; k < grid::kBlockEdge; ++k)
            for (int j = 0; j < grid::kBlockEdge; ++j)
                for (int i = 0; i < grid::kBlockEdge; ++i) {
                    const std::int64_t here = s.topology.index(b, i, j, k),
                                       above = s.topology.index(b, i, j + 1, k);
                    if (above < 0) continue;
                    const Vec3d x =
                        (to_double(s.topology.corner[b] + Vec3i{i, j, k}) + Vec3d{0.5, 0.5, 0.5}) *
                        s.topology.cell;
                    if (std::max(std::abs(x.x), std::abs(x.z)) > 0.03) continue;
                    const double low = s.liquid_distance[std::size_t(here)],
                                 high = s.liquid_distance[std::size_t(above)];
                    if (!(low < 0) || !(high >= 0)) continue;
                    sum += x.y + s.topology.cell * low / (low - high), ++n;
                }
    return n > 0 ? sum / n : 0;
}

/// Strands lowered into a tank raise its level by their volume over its area.
Outcome level_rise(const Options& o) {
    WetScene scene;
    scene.fill = "min = \"-4, 0, -4 cm\", max = \"4, 6, 4 cm\"";
    scene.radius = 1.5e-3, scene.modulus = 3e9, scene.density = 4000;
    scene.groom =
        "origin = \"-3.5, 11.5, -3.5 cm\", columns = 8, rows = 8, column_step = \"1, 0, 0 cm\", row_step = "
        "\"0, 0, 1 cm\", direction = [0, -1, 0], length = \"4 cm\"";
    scene.more =
        "[[strands.rod.motion]]\ntype = \"translate\"\nkeys = [[\"0.1 s\", \"0, 0, 0 cm\"], [\"0.7 s\", "
        "\"0, -6.5, 0 cm\"]]\n";
    FilmRig rig(scene.text());
    rig.run(0.1);
    const double before = surface_height(rig);
    double sum = 0;
    int n = 0;
    const double until = o.quick ? 1.1 : 2;
    rig.run(until, [&] {
        if (rig.time() > 0.8) sum += surface_height(rig), ++n;
    });
    const double area = 0.08 * 0.08, volume = 64 * kPi * scene.radius * scene.radius * 0.04;
    Outcome out;
    out.quantities.push_back({"rise", sum / n - before, volume / area, 0.02});
    return out;
}

/// A closed column with strands lighter than their part of the liquid: with the strands' velocity frozen in
/// the projection the relative velocity alternates and grows by 1.33 a step.
Outcome light_strands(const Options& o) {
    WetScene scene;
    scene.gravity = "0, 0, 0 m/s^2", scene.density = 250;
    scene.tank =
        "[obstacle.tank]\nside = \"inside\"\nshape = { type = \"box\", min = \"-2, 0, -2 cm\", max = \"2, 4, "
        "2 cm\" }\n";
    scene.fill = "min = \"-2, 0, -2 cm\", max = \"2, 4, 2 cm\"";
    scene.wetting = "capture = \"none\"\ndrag = false\n";
    scene.root = "free", scene.radius = 1.78e-3, scene.modulus = 1e6;
    scene.groom =
        "origin = \"-1.75, 0.25, -1.5 cm\", columns = 8, rows = 8, column_step = \"5, 0, 0 mm\", row_step = "
        "\"0, 5, 0 mm\", direction = [0, 0, 1], length = \"3 cm\"";
    FilmRig rig(scene.text());
    for (Vec3d& v : rig.strands().velocity) v = {0, 0.05, 0};
    double most = 0, last = 0;
    const int steps = o.quick ? 20 : 60;
    int passes = 0;
    for (int i = 0; i < steps; ++i) {
        passes = std::max(passes, int(rig.step().mixture_passes));
        last = 0;
        for (const Vec3d& v : rig.strands().velocity) last = std::max(last, std::abs(v.y));
        most = std::max(most, last);
    }
    Outcome out;
    out.quantities.push_back({"fastest strand over its start", most / 0.05, 1.02, 0, Kind::at_most});
    out.quantities.push_back({"passes of a step", double(passes), 6, 0, Kind::at_most});
    out.remark = fmt::format("after {} steps {:.3f} of the start", steps, last / 0.05);
    return out;
}

constexpr double kBox = 0.04;  // m, side of the periodic boxes

/// Mean velocity of the liquid along an axis [m/s].
double mean_flow(const FilmRig& rig, int axis) {
    double sum = 0, volume = 0;
    const liquid::LiquidState& l = rig.world.liquid;
    for (std::size_t p = 0; p < l.size(); ++p)
        sum += l.volume[p] * l.velocity[p][axis], volume += l.volume[p];
    return sum / volume;
}

WetScene box_scene(int cells) {
    WetScene scene;
    scene.cell = kBox / cells;
    scene.tank = {};
    scene.period = fmt::format("{0}, {0}, {0} m", kBox);
    scene.fill = fmt::format("min = \"0, 0, 0 m\", max = \"{0}, {0}, {0} m\"", kBox);
    scene.tip = "clamp", scene.modulus = 1e11;
    return scene;
}

/// Flow through fixed strands under a uniform force: it gets the speed at which drag balances it, whatever
/// the step.
Outcome porous_bed(const Options& o) {
    Outcome out;
    const double radius = 2e-4, spacing = 5e-3;
    for (const double stiffness :
         o.quick ? std::vector{0.1, 100.0} : std::vector{0.01, 0.1, 1.0, 10.0, 100.0, 1000.0}) {
        // Viscosity at which Δt D/(φ_f ρ) is what is asked, in creeping flow.
        const double fraction = kPi * radius * radius / (spacing * spacing), step = 2e-3;
        const auto drag = [&](double viscosity, double speed) {
            const coupling::LineDrag d =
                coupling::line_drag(coupling::DragLaw::cylinder, {1000, viscosity, 0, 1},
                                    {radius, {0, 0, 1}, {speed, 0, 0}, kBox / 8, fraction}, 1);
            return d.across / (spacing * spacing);  // per volume
        };
        const double viscosity = stiffness * (1 - fraction) * 1000 / step / drag(1, 0);
        const double push = 1e-3 * stiffness / step;  // m/s²: 1 mm/s
        WetScene scene = box_scene(8);
        scene.step = step;
        scene.liquid = fmt::format("density = \"1000 kg/m^3\"\nviscosity = \"{} Pa*s\"\n", viscosity);
        scene.gravity = fmt::format("{}, 0, 0 m/s^2", push);
        scene.radius = radius;
        scene.groom = fmt::format(
            "origin = \"2.5, 2.5, 0 mm\", columns = 8, rows = 8, column_step = \"5, 0, 0 mm\", "
            "row_step = \"0, 5, 0 mm\", direction = [0, 0, 1], length = \"{} m\"",
            kBox);
        FilmRig rig(scene.text());
        const int steps = int(std::clamp(8 / stiffness, 40.0, 1000.0));
        for (int i = 0; i < steps; ++i) rig.step();
        const double speed = mean_flow(rig, 0);
        const double balance = (1 - fraction) * 1000 * push / drag(viscosity, speed);
        out.quantities.push_back(
            {fmt::format("speed, drag over inertia {}", stiffness), speed, balance, 0.02});
    }
    return out;
}

/// Force per length over viscosity and mean speed of one fibre in a periodic box of creeping flow, mean over
/// places of the fibre between the cells, with which it varies by some per cent.
double box_resistance(int cells, bool is_across, double segment) {
    const double radius = kBox / 100, viscosity = 100, push = 1, c = kPi * 1e-4;
    double sum = 0;
    const double places[] = {0.0, 0.25, 0.5};
    for (const double place : places) {
        WetScene scene = box_scene(cells);
        scene.liquid = fmt::format("density = \"1000 kg/m^3\"\nviscosity = \"{} Pa*s\"\n", viscosity);
        scene.gravity = is_across ? fmt::format("{}, 0, 0 m/s^2", push) : fmt::format("0, 0, {} m/s^2", push);
        scene.radius = radius, scene.segment = segment;
        scene.groom =
            fmt::format("origin = \"{0}, {1}, 0 m\", direction = [0, 0, 1], length = \"{2} m\"",
                        0.5 * kBox + place * scene.cell, 0.5 * kBox + 0.5 * place * scene.cell, kBox);
        FilmRig rig(scene.text());
        for (int i = 0; i < 20; ++i) rig.step();
        const double force = 1000 * push * kBox * kBox * (1 - c);  // per length of fibre
        sum += force / (viscosity * mean_flow(rig, is_across ? 0 : 2));
    }
    return sum / double(std::size(places));
}

Outcome fibre_in_periodic_box(const Options& o) {
    Outcome out;
    const double c = kPi * 1e-4;
    const double across = 4 * kPi / (std::log(100.0) - 1.3104 + c - 0.887 * c * c),
                 along = 4 * kPi / (-std::log(c) - 1.476 + 2 * c);
    for (const int cells : o.quick ? std::vector{8} : std::vector{8, 16, 32})
        for (const bool is_across : {true, false})
            out.quantities.push_back({fmt::format("{}, {} cells", is_across ? "across" : "along", cells),
                                      box_resistance(cells, is_across, 4e-3), is_across ? across : along,
                                      0.03});
    return out;
}

/// The law against Lamb's, and the force on a strand however finely it is cut.
Outcome cylinder_drag(const Options&) {
    Outcome out;
    const double radius = 1e-4, viscosity = 1e-3, reynolds = 0.05;
    const double speed = reynolds * viscosity / (1000 * 2 * radius);
    const coupling::LineDrag drag = coupling::line_drag(coupling::DragLaw::cylinder, {1000, viscosity, 0, 1},
                                                        {radius, {0, 0, 1}, {speed, 0, 0}, 1.0, 0}, 1);
    out.quantities.push_back({"across at Re 0.05, over viscosity", drag.across / viscosity,
                              4 * kPi / (std::log(8 / reynolds) - 0.0772), 1e-3});
    out.quantities.push_back(
        {"cut eight times as fine", box_resistance(8, true, 1e-3), box_resistance(8, true, 8e-3), 1e-3});
    return out;
}

/// Strands thrown through liquid that floats in space: what is exchanged keeps its momentum. The liquid's own
/// pressure loses some; the same liquid with streams of its own in place of the strands says how much.
Outcome momentum(const Options& o) {
    const double brought = 2 * kPi * 1e-6 * 0.04 * 1300 * 0.3;  // kg m/s
    const auto defect = [&](bool with_strands) {
        WetScene scene;
        scene.gravity = "0, 0, 0 m/s^2", scene.tank = {};
        scene.fill = "min = \"-2, 0, -2 cm\", max = \"2, 4, 2 cm\"";
        scene.root = "free", scene.radius = 1e-3, scene.modulus = 3e9;
        scene.groom = fmt::format(
            "origin = \"{}, 2, -2 cm\", columns = 2, column_step = \"1, 0, 0 cm\", "
            "direction = [0, 0, 1], length = \"4 cm\"",
            with_strands ? -0.5 : 50);
        FilmRig rig(scene.text());
        if (with_strands) {
            for (Vec3d& v : rig.strands().velocity) v = {0, 0.3, 0};
        } else {
            // The liquid that is where the strands would be has their momentum.
            liquid::LiquidState& l = rig.world.liquid;
            const auto is_there = [&](std::size_t p) {
                const Vec3d x = l.position[p];
                return std::hypot(std::abs(x.x) - 0.005, x.y - 0.02) < 0.004;
            };
            double mass = 0;
            for (std::size_t p = 0; p < l.size(); ++p) mass += is_there(p) ? 1000 * l.volume[p] : 0;
            for (std::size_t p = 0; p < l.size(); ++p)
                if (is_there(p)) l.velocity[p].y = brought / mass;
        }
        const Vec3d before = rig.metrics().momentum;
        rig.run(o.quick ? 0.02 : 0.1);
        return length(rig.metrics().momentum - before) / brought;
    };
    Outcome out;
    const double alone = defect(false);
    out.quantities.push_back(
        {"defect over that of the liquid alone", defect(true) / alone, 2.0, 0, Kind::at_most});
    out.remark = fmt::format("the liquid alone loses {:.2g} of the momentum of its streams", alone);
    return out;
}

/// Hair drawn through a pool and out of it.
std::string drawn(const std::string& wetting, const char* motion) {
    WetScene scene;
    scene.liquid = "base = \"water\"\n";
    scene.radius = 6e-5, scene.modulus = 3e9, scene.density = 1320, scene.segment = 3e-3;
    scene.fill = "min = \"-4, 0, -4 cm\", max = \"4, 5, 4 cm\"";
    scene.groom =
        "origin = \"-2, 8, -1 cm\", columns = 6, column_step = \"0, 0, 4 mm\", direction = [0, -1, "
        "0], length = \"6 cm\"";
    scene.wetting = wetting;
    scene.more = fmt::format(
        "[[strands.rod.motion]]\ntype = \"translate\"\nease = \"linear\"\nkeys = [[\"0 s\", "
        "\"0, 0, 0 cm\"], [\"0.3 s\", \"{} cm\"]]\n",
        motion);
    return scene.text();
}

/// The papers' comparisons: each term on and off.
Outcome figures(const Options&) {
    const auto lag = [](const char* wetting) {
        FilmRig rig(drawn(wetting, "4, 0, 0"));
        rig.run(0.2);
        const strand::StrandState& s = rig.strands();
        return s.position[s.begin(0)].x - s.position[s.end(0) - 1].x;
    };
    const auto taken_up = [](const char* wetting) {
        FilmRig rig(drawn(wetting, "0, 6, 0"));
        rig.run(0.3);
        return rig.metrics().volume_film;
    };
    const auto climb = [](const char* wetting) {
        WetScene scene;
        scene.root = "free", scene.density = 500, scene.modulus = 3e9, scene.wetting = wetting;
        scene.groom = "origin = \"0, 4.5, -2 cm\", direction = [0, 0, 1], length = \"4 cm\"";
        FilmRig rig(scene.text());
        rig.run(0.1);
        return mean_height(rig.strands()) - 0.045;
    };
    Outcome out;
    out.quantities = {
        {"2017 fig. 14: tip behind the root [m]", lag("capture = \"none\"\n"), 5e-3, 0, Kind::at_least},
        {"... without drag", lag("capture = \"none\"\ndrag = false\n"), 2e-3, 0, Kind::at_most},
        {"2017 fig. 18: film [m^3]", taken_up(""), 1e-9, 0, Kind::at_least},
        {"... without capture", taken_up("capture = \"none\"\n"), 0, 0, Kind::at_most},
        {"2019 fig. 6: light strand rises [m]", climb("capture = \"none\"\n"), 2e-3, 0, Kind::at_least},
        {"... without pressure", climb("capture = \"none\"\npressure = false\n"), -2e-3, 0, Kind::at_most},
    };
    return out;
}

/// Every litre is counted while strands are drawn through liquid, out of it, and drip.
Outcome ledger(const Options&) {
    FilmRig rig(drawn("", "0, 7, 0"));
    const double start = rig.metrics().volume_bulk;
    double worst = 0, film = 0;
    rig.run(0.4, [&] {
        worst = std::max(worst, std::abs(rig.metrics().volume_error) / start);
        film = std::max(film, rig.metrics().volume_film);
    });
    Outcome out;
    out.quantities.push_back({"ledger", worst, 1e-12, 0, Kind::at_most});
    out.quantities.push_back({"largest film [m^3]", film, 1e-9, 0, Kind::at_least});
    return out;
}

}  // namespace

std::vector<Case> coupling_cases() {
    return {
        {"coupling", "strand_buoyancy", "Archimedes", strand_buoyancy},
        {"coupling", "submerged_weight", "Archimedes", submerged_weight},
        {"coupling", "level_rise", "volume of strands over area", level_rise},
        {"coupling", "light_strands", "frozen strands alternate and grow by 1.33 a step", light_strands},
        {"coupling", "porous_bed", "drag balances the force", porous_bed},
        {"coupling", "fibre_in_periodic_box", "Hasimoto 1959; Sangani & Acrivos 1982; Drummond & Tahir 1984",
         fibre_in_periodic_box},
        {"coupling", "cylinder_drag", "Lamb 1911", cylinder_drag},
        {"coupling", "ledger", "conservation of volume", ledger},
        {"coupling", "momentum", "Newton's third law", momentum},
        {"coupling", "figures", "Fei et al. 2017, 2019", figures},
    };
}

}  // namespace rivulet::verify
