#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <rivulet/scene/build.h>
#include <rivulet/strand/energy.h>
#include <rivulet/verify/contact_audit.h>
#include <rivulet/verify/contact_rig.h>

/// Contact takes energy out, never in.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi;

/// Kinetic, elastic and gravity's energy of strands that nobody moves, step by step.
struct Rest {
    Curve energy;       // over time, less the lowest, over the start's
    double growth = 0;  // the most by which it was above an earlier value, over the start's
    double speed = 0;   // at the end [m/s]
    StepTally tally;
    std::int64_t crossings = 0;
};

/// `still`: when the ends stand still; the energy is watched from then on. The start's is what it has then in
/// motion and tension, or what it has lost in the end: gravity's has no zero.
Rest watch(const world::Model& model, world::World& world, double still, double end,
           const std::function<world::StepCounts(double time)>& step) {
    Rest rest;
    CrossingAudit audit;
    const auto energy = [&] { return strand::totals(world.strands, model.strands.materials, model.gravity); };
    strand::Totals start = energy(), now = start;
    const auto sum = [](const strand::Totals& t) { return t.kinetic + t.elastic + t.gravity; };
    double lowest = sum(start), time = 0;
    while (time < end - 1e-9) {
        const std::vector<Vec3d> before = world.strands.position;
        const world::StepCounts counts = step(time);
        time += counts.dt;
        audit.look(world.strands, before);
        rest.tally.add(counts);
        now = energy();
        if (time < still + 1e-9) {
            start = now, lowest = sum(now);
            continue;
        }
        rest.growth = std::max(rest.growth, sum(now) - lowest);
        lowest = std::min(lowest, sum(now));
        rest.energy.x.push_back(time), rest.energy.y.push_back(sum(now));
    }
    const double scale = std::max(start.kinetic + start.elastic, sum(start) - lowest);
    rest.growth /= scale;
    rest.speed = now.max_speed;
    rest.crossings = audit.crossings();
    for (double& e : rest.energy.y) e = (e - lowest) / scale;
    return rest;
}

Rest watch_scene(const std::string& text, double still) {
    scene::Built built = scene::build(scene::read_scene_text(text, "energy.toml", "."));
    world::Stepper stepper(built.model);
    return watch(built.model, built.world, still, built.model.end_time,
                 [&](double) { return stepper.advance(built.world); });
}

std::string soft(const std::string& viscosity) {
    return "[material.soft]\ntype = \"strand\"\nbase = \"human_hair\"\nyoungs_modulus = \"1 MPa\"\n"
           "internal_viscosity = \"" +
           viscosity + "\"\n";
}

/// Soft hair on a ball falls together below it, in a gas a hundred times as thick as air: hairs swing side by
/// side as pendulums, and air alone would take half a minute to stop them.
std::string ball(int count, double end) {
    return R"(format = 1
time = { fps = 50, end = ")" +
           std::to_string(end) + R"( s" }
step = { max = "1 ms" }
world = { air = { density = "1.2 kg/m^3", viscosity = "2 mPa*s" } }
[obstacle.ball]
shape = { type = "sphere", center = "0, 0, 0 m", radius = "1 cm" }
[strands.hair]
material = "soft"
radius = { root = "0.25 mm" }
segment = "4 mm"
root = { type = "clamp", to = "ball" }
groom = { type = "ball", count = )" +
           std::to_string(count) + R"(, radius = "1 cm", length = "6 cm", length_spread = 0.2,
          lean = { spread = "10 deg" }, curl = { radius = "3 mm", pitch = "2 cm" }, seed = 5 }
)" + soft("1 kPa*s");
}

/// Two bundles are pushed through each other until their roots meet.
std::string bundles(int rows, double end) {
    const auto bundle = [&](const std::string& name, double side) {
        const std::string way = std::to_string(-8 * side);
        return "[strands." + name +
               "]\nmaterial = \"soft\"\nradius = { root = \"0.25 mm\" }\nsegment = \"3 mm\"\n" +
               "groom = { type = \"rows\", origin = \"" + std::to_string(10 * side) +
               ", 0, 0 mm\", columns = " + std::to_string(rows) + ", rows = " + std::to_string(rows) +
               ", column_step = \"0.7, 0, 0 mm\", row_step = \"0, 0, 0.7 mm\", direction = [0, -1, 0], "
               "length = \"5 cm\", lean = { spread = \"2 deg\" }, noise = { amplitude = \"1 mm\", length = "
               "\"2 cm\" }, seed = 3 }\n[[strands." +
               name + ".motion]]\ntype = \"translate\"\nkeys = [[\"0 s\", \"0, 0, 0 mm\"], [\"0.3 s\", \"" +
               way + ", 0, 0 mm\"]]\n";
    };
    return "format = 1\ntime = { fps = 50, end = \"" + std::to_string(end) +
           " s\" }\nstep = { max = \"1 ms\" }\nworld = { air = { density = \"1.2 kg/m^3\" } }\n" +
           bundle("left", -1) + bundle("right", 1) + soft("100 Pa*s");
}

/// Three strands braided, then drawn tight by their tips until `still`.
Rest braid(int periods, double still, double end, double tolerance) {
    constexpr double r = 0.5e-3, pitch = 40 * r;
    strand::StrandMaterial rubber;
    rubber.density = 1000, rubber.youngs_modulus = 5e6, rubber.internal_viscosity = 100;
    ContactRig rig(rubber, 0.3);
    strand::MakeOptions options;
    options.rest = strand::RestShape::straight;
    options.tip = strand::EndKind::clamp;
    const int n = 24 * periods;
    for (int k = 0; k < 3; ++k) {
        std::vector<Vec3d> points;
        for (int i = 0; i <= n; ++i) {
            const double at = double(i) / n, phase = 2 * kPi * (periods * at + k / 3.0);
            points.push_back({6 * r * std::sin(phase), pitch * periods * at, 3 * r * std::sin(2 * phase)});
        }
        rig.add_strand(points, r, options);
    }
    rig.model.contact.tolerance = tolerance;
    const std::vector<Vec3d> tips = rig.model.strands.tips.position;
    const double dt = 1e-3, way = 0.04 * pitch * periods;
    return watch(rig.model, rig.world, still, end, [&](double time) {
        for (std::size_t k = 0; k < 3; ++k)
            rig.hold_tip(k, tips[k] + Vec3d{0, way * std::min(1.0, (time + dt) / still), 0});
        return rig.step(dt);
    });
}

Outcome run_energy(const Options& o) {
    Outcome out;
    using Kind = Quantity::Kind;
    Plot plot{"energy of strands left alone", "time [s]", "E − E_end, over the start's", {}};
    plot.log_y = true;
    const auto report = [&](const std::string& name, Rest rest, double growth, bool rests) {
        out.quantities.push_back({name + ": growth of energy", rest.growth, growth, 0, Kind::at_most});
        if (rests)
            out.quantities.push_back({name + ": speed at the end [m/s]", rest.speed, 1e-3, 0, Kind::at_most});
        out.quantities.push_back({name + ": crossings", double(rest.crossings), 0, 0, Kind::absolute});
        out.remark += name + ": " + rest.tally.text() + "; ";
        rest.energy.label = name;
        plot.curves.push_back(std::move(rest.energy));
    };
    report("ball", watch_scene(ball(o.quick ? 40 : 150, o.quick ? 0.4 : 3), 0), 1e-6, !o.quick);
    report("bundles", watch_scene(bundles(o.quick ? 4 : 6, o.quick ? 0.4 : 0.8), 0.3), 1e-6, false);
    // A tight braid stands under tension: what the cones miss must not pump it.
    const double end = o.quick ? 0.3 : 1;
    report("braid, cones to 1e-7", braid(o.quick ? 2 : 4, 0.2, end, 1e-7), 1e-6, true);
    report("braid, cones to 1e-4", braid(o.quick ? 2 : 4, 0.2, end, 1e-4), 1e-4, false);
    out.plots.push_back(std::move(plot));
    return out;
}

}  // namespace

std::vector<Case> contact_energy_cases() {
    return {
        {"contact", "energy", "contact gives nothing, friction takes: fixed ends, air at rest", run_energy}};
}

}  // namespace rivulet::verify
