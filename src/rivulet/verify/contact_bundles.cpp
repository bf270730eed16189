#include <cmath>
#include <string>
#include <vector>

#include <rivulet/scene/build.h>
#include <rivulet/verify/contact_audit.h>
#include <rivulet/verify/contact_rig.h>

/// Two crossed bundles, dry and in thick liquids: what the liquid holds moves less against its neighbours
/// (Fei 2019, fig. 13). How far a bundle goes as a whole is a question of its weight: 70 µm of mud weigh 4.4
/// times what a strand of 50 µm weighs, cream as much as the strand.
namespace rivulet::verify {
namespace {

using Kind = Quantity::Kind;

/// As scenes/contact/bundles_*.toml, with fewer strands that are so close that their films touch: which of
/// them the liquid joins is then no matter of chance. The lower bundle is held at both ends, the upper one at
/// its roots; it falls across the lower.
std::string bundles(int count, double end, double step, const std::string& film) {
    const double width = 0.6 * 11 * std::sqrt(count / 1096.0);  // mm
    const auto bundle = [&](const std::string& name, const std::string& place, const std::string& tip) {
        return "[strands." + name +
               "]\nmaterial = \"strand\"\nradius = { root = \"50 um\" }\nsegment = \"3 mm\"\n" + tip + film +
               "groom = { type = \"brush\", count = " + std::to_string(count) + ", " + place +
               ", width = \"" + std::to_string(width) + " mm\", length = \"6 cm\" }\n";
    };
    return "format = 1\ntime = { fps = 100, end = \"" + std::to_string(end) + " s\" }\nstep = { max = \"" +
           std::to_string(step) +
           " s\" }\nworld = { air = { density = \"1.2 kg/m^3\" } }\n"
           "[material.strand]\ntype = \"strand\"\nbase = \"human_hair\"\nyoungs_modulus = \"1 GPa\"\n"
           "friction = { dry = 0.16, wet = 0.16 }\n" +
           bundle("lower", "center = \"-3, 0, 0 cm\", direction = [1, 0, 0], side = [0, 1, 0], seed = 1",
                  "tip = { type = \"clamp\" }\n") +
           bundle("upper", "center = \"0, 0.3, -2.5 cm\", direction = [0, 0, 1], side = [1, 0, 0], seed = 2",
                  "");
}

/// Mean ways of the upper bundle's vertices [mm].
struct Moved {
    Curve way;                    // over time, against the vertices of the same number on other strands
    double whole = 0, among = 0;  // from when they met on: as a whole and against each other
    StepTally tally;
    std::int64_t crossings = 0;
};

/// The mean of vertex k of the strands from `first` on, which have equally many vertices.
Vec3d mean_of(const strand::StrandState& s, const std::vector<Vec3d>& x, std::size_t first, std::size_t k) {
    Vec3d sum;
    for (std::size_t i = first; i < s.strand_count(); ++i) sum += x[s.begin(i) + k];
    return sum / double(s.strand_count() - first);
}

/// `met`: from when on the way counts; before, the bundle falls and strands in it draw together.
Moved fall(const std::string& text, double met) {
    scene::Built built = scene::build(scene::read_scene_text(text, "bundles.toml", "."));
    world::Stepper stepper(built.model);
    const strand::StrandState& s = built.world.strands;
    const std::size_t first = s.strand_count() / 2, vertices = s.end(first) - s.begin(first);
    const double part = 1e3 / double((s.strand_count() - first) * vertices);
    Moved moved;
    CrossingAudit audit;
    while (built.world.clock.frame < built.model.last_frame()) {
        const std::vector<Vec3d> before = s.position;
        moved.tally.add(stepper.advance(built.world));
        audit.look(s, before);
        if (built.world.clock.time < met) continue;
        for (std::size_t k = 0; k < vertices; ++k) {
            const Vec3d all = mean_of(s, s.position, first, k) - mean_of(s, before, first, k);
            moved.whole += 1e3 * length(all) / double(vertices);
            for (std::size_t i = first; i < s.strand_count(); ++i) {
                const std::size_t v = s.begin(i) + k;
                moved.among += part * length(s.position[v] - before[v] - all);
            }
        }
        moved.way.x.push_back(built.world.clock.time), moved.way.y.push_back(moved.among);
    }
    moved.crossings = audit.crossings();
    return moved;
}

Outcome run_bundles(const Options& o) {
    Outcome out;
    Plot plot{"way of the upper bundle's strands against each other", "time [s]", "way [mm]", {}};
    // The paper's steps are 0.2 ms.
    const double end = o.quick ? 0.25 : 0.4, met = 0.1, step = o.quick ? 1e-3 : 2e-4;
    const int count = 7;
    std::vector<Moved> all;
    for (const std::string name : {"dry", "drilling_mud", "milk_cream"}) {
        const std::string film =
            name == "dry" ? "" : "film = { liquid = \"" + name + "\", thickness = \"70 um\" }\n";
        all.push_back(fall(bundles(count, end, step, film), met));
        Moved& moved = all.back();
        out.quantities.push_back({name + ": crossings", double(moved.crossings), 0, 0, Kind::absolute});
        out.remark += name + ": " + moved.tally.text() + "; ";
        moved.way.label = name;
        plot.curves.push_back(std::move(moved.way));
    }
    out.plots.push_back(std::move(plot));
    out.remark += "way as a whole, mud over dry " + std::to_string(all[1].whole / all[0].whole);
    const auto less = [&](const std::string& name, double value) {
        out.quantities.push_back({name, value, 1, 0, Kind::at_most});
    };
    less("way against each other, mud over dry", all[1].among / all[0].among);
    less("way against each other, cream over mud", all[2].among / all[1].among);
    less("way as a whole, cream over mud", all[2].whole / all[1].whole);
    return out;
}

}  // namespace

std::vector<Case> contact_bundles_cases() {
    return {{"contact", "bundles",
             "Fei 2019 fig. 13: strands of bundles move less in cream than in mud, in mud than dry",
             run_bundles}};
}

}  // namespace rivulet::verify
