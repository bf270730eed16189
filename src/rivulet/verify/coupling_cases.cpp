#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/verify/coupling_rig.h>

/// Strands in liquid: what they weigh and what place they take.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
using Kind = Quantity::Kind;

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

/// Calls see(height, is_top) where the distance to the surface changes sign up a column, for cells whose
/// middles pass `counts` [m].
template <class Counts, class See>
void for_surface(const FilmRig& rig, Counts counts, See see) {
    const world::LiquidScratch& s = rig.liquid();
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
                    if (!counts(x)) continue;
                    const double low = s.liquid_distance[std::size_t(here)],
                                 high = s.liquid_distance[std::size_t(above)];
                    if ((low < 0) != (high < 0)) see(x.y + s.topology.cell * low / (low - high), low < 0);
                }
}

/// Mean height of the surface in the middle of a tank [m].
double surface_height(const FilmRig& rig) {
    double sum = 0;
    int n = 0;
    for_surface(
        rig, [](const Vec3d& x) { return std::max(std::abs(x.x), std::abs(x.z)) <= 0.03; },
        [&](double y, bool is_top) {
            if (is_top) sum += y, ++n;
        });
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

/// A sheet of liquid flies through fixed strands without drag: its speed stays, what it carries through every
/// section does, so it is deeper by 1/(1 − φ_s) between them.
Outcome volume_fraction(const Options& o) {
    const double fraction = 0.2, spacing = 5e-3, depth = 0.06, speed = 1;
    WetScene scene;
    scene.gravity = "0, 0, 0 m/s^2", scene.tank = {}, scene.period = "0, 0, 0.02 m";
    scene.fill = "min = \"-31, -3, 0 cm\", max = \"-1, 3, 2 cm\"", scene.flow = "1, 0, 0 m/s";
    scene.wetting = "capture = \"none\"\ndrag = false\n";
    scene.tip = "clamp", scene.modulus = 1e11;
    scene.radius = spacing * std::sqrt(fraction / kPi);
    scene.groom =
        "origin = \"2.5, -57.5, 0 mm\", columns = 24, rows = 24, column_step = \"5, 0, 0 mm\", row_step = "
        "\"0, 5, 0 mm\", direction = [0, 0, 1], length = \"2 cm\"";
    const auto look = [&](bool with_fraction) {
        if (!with_fraction) scene.wetting += "volume_fraction = false\n";
        FilmRig rig(scene.text());
        double top = 0, bottom = 0, flow = 0, volume = 0;
        int tops = 0, bottoms = 0;
        const auto is_inside = [](const Vec3d& x) { return x.x > 0.04 && x.x < 0.1; };
        rig.run(o.quick ? 0.22 : 0.26, [&] {
            if (rig.time() < 0.18) return;  // the front is through
            for_surface(rig, is_inside, [&](double y, bool is_top) {
                (is_top ? top : bottom) += y, ++(is_top ? tops : bottoms);
            });
            const liquid::LiquidState& l = rig.world.liquid;
            for (std::size_t p = 0; p < l.size(); ++p)
                if (is_inside(l.position[p])) flow += l.volume[p] * l.velocity[p].x, volume += l.volume[p];
        });
        return std::pair{top / tops - bottom / bottoms, flow / volume};
    };
    Outcome out;
    const auto [deep, between] = look(true);
    out.quantities.push_back(
        {"depth between strands over that before them", deep / depth, 1 / (1 - fraction), 0.05});
    out.quantities.push_back({"speed over that before them", between / speed, 1, 0.05});
    out.quantities.push_back({"depth with volume_fraction = false", look(false).first / depth, 1, 0.05});
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

}  // namespace

std::vector<Case> coupling_cases() {
    std::vector<Case> all = {
        {"coupling", "strand_buoyancy", "Archimedes", strand_buoyancy},
        {"coupling", "submerged_weight", "Archimedes", submerged_weight},
        {"coupling", "level_rise", "volume of strands over area", level_rise},
        {"coupling", "volume_fraction", "continuity", volume_fraction},
        {"coupling", "light_strands", "frozen strands alternate and grow by 1.33 a step", light_strands},
    };
    for (auto more : {coupling_flow_cases, coupling_exchange_cases})
        for (Case& one : more()) all.push_back(std::move(one));
    return all;
}

}  // namespace rivulet::verify
