#include <cmath>
#include <string>
#include <vector>

#include <rivulet/scene/build.h>
#include <rivulet/verify/contact_audit.h>
#include <rivulet/verify/contact_rig.h>

/// Two crossed bundles, dry and in thick liquids: what the liquid holds moves less (Fei 2019, fig. 13).
namespace rivulet::verify {
namespace {

using Kind = Quantity::Kind;

/// As scenes/contact/bundles_*.toml, with fewer strands: the lower bundle is held at both ends, the upper one
/// at its roots; it falls across the lower.
std::string bundles(int count, double end, const std::string& film) {
    const double width = 11 * std::sqrt(count / 1096.0);  // mm: strands as close as there
    const auto bundle = [&](const std::string& name, const std::string& place, const std::string& tip) {
        return "[strands." + name +
               "]\nmaterial = \"strand\"\nradius = { root = \"50 um\" }\nsegment = \"3 mm\"\n" + tip + film +
               "groom = { type = \"brush\", count = " + std::to_string(count) + ", " + place +
               ", width = \"" + std::to_string(width) + " mm\", length = \"6 cm\" }\n";
    };
    return "format = 1\ntime = { fps = 100, end = \"" + std::to_string(end) +
           " s\" }\nstep = { max = \"1 ms\" }\nworld = { air = { density = \"1.2 kg/m^3\" } }\n"
           "[material.strand]\ntype = \"strand\"\nbase = \"human_hair\"\nyoungs_modulus = \"1 GPa\"\n"
           "friction = { dry = 0.16, wet = 0.16 }\n" +
           bundle("lower", "center = \"-3, 0, 0 cm\", direction = [1, 0, 0], side = [0, 1, 0], seed = 1",
                  "tip = { type = \"clamp\" }\n") +
           bundle("upper", "center = \"0, 0.3, -2.5 cm\", direction = [0, 0, 1], side = [1, 0, 0], seed = 2",
                  "");
}

struct Moved {
    Curve way;       // mean way of the upper bundle's vertices [mm] over time
    double end = 0;  // from when they met on [mm]
    StepTally tally;
    std::int64_t crossings = 0;
};

/// `met`: from when on the way counts; before, the bundle falls and strands in it draw together.
Moved fall(const std::string& text, double met) {
    scene::Built built = scene::build(scene::read_scene_text(text, "bundles.toml", "."));
    world::Stepper stepper(built.model);
    const strand::StrandState& s = built.world.strands;
    const std::size_t upper = s.begin(s.strand_count() / 2), count = s.vertex_count() - upper;
    Moved moved;
    CrossingAudit audit;
    double way = 0, until_met = 0;
    while (built.world.clock.frame < built.model.last_frame()) {
        const std::vector<Vec3d> before = s.position;
        moved.tally.add(stepper.advance(built.world));
        audit.look(s, before);
        for (std::size_t v = upper; v < s.vertex_count(); ++v)
            way += 1e3 * length(s.position[v] - before[v]) / double(count);
        if (built.world.clock.time < met) until_met = way;
        moved.way.x.push_back(built.world.clock.time), moved.way.y.push_back(way);
    }
    moved.end = way - until_met;
    moved.crossings = audit.crossings();
    return moved;
}

Outcome run_bundles(const Options& o) {
    Outcome out;
    Plot plot{"way of the upper bundle", "time [s]", "way [mm]", {}};
    const int count = o.quick ? 7 : 19;
    const double end = o.quick ? 0.25 : 0.4, met = 0.1;
    std::vector<double> ways;
    for (const std::string name : {"dry", "drilling_mud", "milk_cream"}) {
        const std::string film =
            name == "dry" ? "" : "film = { liquid = \"" + name + "\", thickness = \"70 um\" }\n";
        Moved moved = fall(bundles(count, end, film), met);
        ways.push_back(moved.end);
        out.quantities.push_back({name + ": crossings", double(moved.crossings), 0, 0, Kind::absolute});
        out.remark += name + ": " + moved.tally.text() + "; ";
        moved.way.label = name;
        plot.curves.push_back(std::move(moved.way));
    }
    out.plots.push_back(std::move(plot));
    out.remark += "way in mud over dry " + std::to_string(ways[1] / ways[0]);
    out.quantities.push_back({"way in cream over mud", ways[2] / ways[1], 1, 0, Kind::at_most});
    return out;
}

}  // namespace

std::vector<Case> contact_bundles_cases() {
    return {{"contact", "bundles", "Fei 2019 fig. 13: bundles in cream move less than in mud", run_bundles}};
}

}  // namespace rivulet::verify
