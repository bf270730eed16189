#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/verify/coupling_rig.h>

/// What strands and liquid hand each other: momentum and films.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi;
using Kind = Quantity::Kind;

/// Part of the momentum that two strands, or streams of liquid in their place, bring into floating liquid and
/// that is lost, whatever the way: the liquid's own pressure loses some.
double momentum_defect(bool with_strands, const char* wetting, int seed, double until) {
    const double brought = 2 * kPi * 1e-6 * 0.04 * 1300 * 0.3;  // kg m/s
    WetScene scene;
    scene.seed = seed, scene.gravity = "0, 0, 0 m/s^2", scene.tank = {}, scene.wetting += wetting;
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
    rig.run(until);
    return length(rig.metrics().momentum - before) / brought;
}

/// Strands thrown through liquid that floats in space. Root mean squares over random placements of the
/// liquid's particles.
Outcome momentum(const Options& o) {
    const auto defect = [&](bool with_strands, const char* wetting) {
        const int seeds = o.quick ? 4 : 8;
        double sum = 0;
        for (int seed = 0; seed < seeds; ++seed) {
            const double one = momentum_defect(with_strands, wetting, seed, o.quick ? 0.02 : 0.1);
            sum += one * one;
        }
        return std::sqrt(sum / seeds);
    };
    Outcome out;
    const double alone = defect(false, ""), all = defect(true, "");
    out.quantities.push_back({"drag alone: defect over that of the liquid alone",
                              defect(true, "pressure = false\nvolume_fraction = false\n") / alone, 1, 0,
                              Kind::at_most});
    out.quantities.push_back({"with pressure and volume: part that is lost", all, 0.02, 0, Kind::at_most});
    out.remark = fmt::format(
        "the liquid alone loses {:.2g} of the momentum of its streams: with strands it is "
        "{:.2g} times as much",
        alone, all / alone);
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

/// Every litre is counted while strands are drawn through liquid, out of it, and drip; plotted as 2017 fig.
/// 21 does: what leaves the bulk is on the strands.
Outcome ledger(const Options&) {
    FilmRig rig(drawn("", "0, 7, 0"));
    const double start = rig.metrics().volume_bulk;
    double worst = 0, film = 0, apart = 0;
    Plot plot{"Volume over time",
              "time [s]",
              "deviation [mm^3]",
              {{"bulk", {}, {}}, {"films", {}, {}}, {"sum", {}, {}}}};
    rig.run(0.4, [&] {
        const world::Metrics m = rig.metrics();
        worst = std::max(worst, std::abs(m.volume_error) / start);
        film = std::max(film, m.volume_film);
        apart = std::max(apart, std::abs(m.volume_bulk + m.volume_film - start));
        const double lines[] = {m.volume_bulk - start, m.volume_film, m.volume_bulk + m.volume_film - start};
        for (std::size_t i = 0; i < 3; ++i)
            plot.curves[i].x.push_back(rig.time()), plot.curves[i].y.push_back(1e9 * lines[i]);
    });
    Outcome out;
    out.quantities.push_back({"ledger", worst, 1e-12, 0, Kind::at_most});
    out.quantities.push_back({"largest film [m^3]", film, 1e-9, 0, Kind::at_least});
    out.quantities.push_back(
        {"2017 fig. 21: sum off its start, over the bulk", apart / start, 1e-12, 0, Kind::at_most});
    out.plots.push_back(std::move(plot));
    return out;
}

}  // namespace

std::vector<Case> coupling_exchange_cases() {
    return {
        {"coupling", "ledger", "conservation of volume", ledger},
        {"coupling", "momentum", "Newton's third law", momentum},
        {"coupling", "figures", "Fei et al. 2017, 2019", figures},
    };
}

}  // namespace rivulet::verify
