#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/coupling/strand_drag.h>
#include <rivulet/verify/coupling_rig.h>

/// Drag between strands and liquid.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
using Kind = Quantity::Kind;

/// Force per length over viscosity and speed across fibres of radius kBox/100, one in every periodic box
/// (Hasimoto 1959; Sangani & Acrivos 1982), and along them (Drummond & Tahir 1984).
constexpr double kBoxFraction = kPi * 1e-4;
double hasimoto_across() {
    return 4 * kPi / (std::log(100.0) - 1.3104 + kBoxFraction - 0.887 * kBoxFraction * kBoxFraction);
}
double hasimoto_along() {
    return 4 * kPi / (-std::log(kBoxFraction) - 1.476 + 2 * kBoxFraction);
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
    const double radius = kBox / 100, viscosity = 100, push = 1;
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
        const double force = 1000 * push * kBox * kBox * (1 - kBoxFraction);  // per length of fibre
        sum += force / (viscosity * mean_flow(rig, is_across ? 0 : 2));
    }
    return sum / double(std::size(places));
}

Outcome fibre_in_periodic_box(const Options& o) {
    Outcome out;
    const double across = hasimoto_across(), along = hasimoto_along();
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

/// A heavy fibre lies across a channel that repeats to both sides and sinks: its weight in the liquid against
/// the force of the flow that rises around it. Other rows of fibres would change it by exp(−2π) only, so that
/// the force is that of a square array.
Outcome sinking_fibre(const Options& o) {
    const double radius = kBox / 100, viscosity = 10, excess = 3e4;  // m, Pa s, kg/m^3
    double sum = 0;
    const std::vector<double> places = o.quick ? std::vector{0.25} : std::vector{0.0, 0.25, 0.5};
    for (const double place : places) {
        WetScene scene = box_scene(8);
        scene.tank =
            "[obstacle.floor]\nshape = { type = \"plane\", point = \"0, 0, 0 m\", normal = [0, 1, 0] }\n";
        scene.period = "4, 0, 2 cm", scene.fill = "min = \"0, 0, 0 cm\", max = \"4, 12, 2 cm\"";
        scene.liquid = fmt::format("density = \"1000 kg/m^3\"\nviscosity = \"{} Pa*s\"\n", viscosity);
        scene.radius = radius, scene.density = 1000 + excess, scene.root = scene.tip = "free";
        scene.groom = fmt::format("origin = \"{}, 0.0625, 0 m\", direction = [0, 0, 1], length = \"2 cm\"",
                                  0.5 * kBox + place * scene.cell);
        FilmRig rig(scene.text());
        rig.run(0.3);
        const double before = mean_height(rig.strands());
        rig.run(0.5);
        sum += (before - mean_height(rig.strands())) / 0.2;
    }
    const double weight = excess * kPi * radius * radius * kGravity;
    Outcome out;
    out.quantities.push_back(
        {"speed", sum / double(places.size()), weight / (viscosity * hasimoto_across()), 0.03});
    return out;
}

/// With drag beyond all inertia liquid and strands share one velocity after one step, that of their common
/// momentum, and keep it.
Outcome impermeable_limit(const Options&) {
    Outcome out;
    for (const double viscosity : {1e4, 1e6}) {
        WetScene scene = box_scene(8);
        scene.liquid = fmt::format("density = \"1000 kg/m^3\"\nviscosity = \"{} Pa*s\"\n", viscosity);
        scene.gravity = "0, 0, 0 m/s^2", scene.root = scene.tip = "free";
        scene.radius = 4e-4, scene.density = 13000;
        scene.groom =
            "origin = \"2.5, 2.5, 5 mm\", columns = 8, rows = 8, column_step = \"5, 0, 0 mm\", row_step = "
            "\"0, 5, 0 mm\", direction = [0, 0, 1], length = \"3 cm\"";
        FilmRig rig(scene.text());
        const double thrown = 0.1;
        for (Vec3d& v : rig.strands().velocity) v = {0, thrown, 0};
        const double strands = 64 * kPi * scene.radius * scene.radius * 0.03 * scene.density,
                     liquid = 1000 * rig.metrics().volume_bulk;
        const Vec3d common{0, thrown * strands / (strands + liquid), 0};
        const auto furthest = [&] {
            double most = 0;
            for (const auto* all : {&rig.strands().velocity, &rig.world.liquid.velocity})
                for (const Vec3d& v : *all) most = std::max(most, length(v - common));
            return most / common.y;
        };
        rig.step();
        const double once = furthest();
        for (int i = 0; i < 50; ++i) rig.step();
        out.quantities.push_back({fmt::format("off the common velocity after a step, {:g} Pa s", viscosity),
                                  once, 0.02, 0, Kind::at_most});
        out.quantities.push_back({"... after 50 more", furthest(), 1e-3, 0, Kind::at_most});
    }
    return out;
}

/// Drag coefficient as the dissertation plots it: one parameter of shaving cream varied, the others kept. It
/// grows with consistency, yield stress and exponent, and falls with the speed.
Outcome drag_curves(const Options&) {
    Outcome out;
    const coupling::DragLiquid cream{200, 17.82, 18.42, 0.22};
    const double radius = 5e-5, usual_speed = 0.1;
    const auto coefficient = [&](const coupling::DragLiquid& liquid, double speed) {
        // No cell: the law alone, without the grid's part.
        const double drag = coupling::line_drag(coupling::DragLaw::di_felice, liquid,
                                                {radius, {0, 0, 1}, {speed, 0, 0}, 1e3, 0}, 1)
                                .across;
        return drag * speed / (0.5 * liquid.density * 2 * radius * speed * speed);
    };
    struct Parameter {
        const char* name;
        double low, high;
        int sign;
        std::function<double(double)> at;
    };
    const Parameter parameters[] = {
        {"consistency [Pa*s^n]", 1, 100, +1,
         [&](double k) {
             return coefficient({200, k, 18.42, 0.22}, usual_speed);
         }},
        {"yield stress [Pa]", 1, 100, +1,
         [&](double y) {
             return coefficient({200, 17.82, y, 0.22}, usual_speed);
         }},
        {"flow index", 0.2, 1, +1,
         [&](double n) {
             return coefficient({200, 17.82, 18.42, n}, usual_speed);
         }},
        {"speed [m/s]", 0.01, 10, -1, [&](double u) { return coefficient(cream, u); }},
    };
    for (const Parameter& p : parameters) {
        Curve curve{"Di Felice, Renaud", {}, {}};
        int wrong = 0;
        for (int i = 0; i <= 40; ++i) {
            curve.x.push_back(p.low * std::pow(p.high / p.low, i / 40.0));
            curve.y.push_back(p.at(curve.x.back()));
            if (i > 0 && !(p.sign * (curve.y[std::size_t(i)] - curve.y[std::size_t(i) - 1]) > 0)) ++wrong;
        }
        out.quantities.push_back(
            {fmt::format("points off the trend over the {}", p.name), double(wrong), 0, 0, Kind::at_most});
        out.plots.push_back(
            {"Drag coefficient of a strand in shaving cream", p.name, "C_d", {curve}, true, true});
    }
    return out;
}

}  // namespace

std::vector<Case> coupling_flow_cases() {
    return {
        {"coupling", "porous_bed", "drag balances the force", porous_bed},
        {"coupling", "fibre_in_periodic_box", "Hasimoto 1959; Sangani & Acrivos 1982; Drummond & Tahir 1984",
         fibre_in_periodic_box},
        {"coupling", "cylinder_drag", "Lamb 1911", cylinder_drag},
        {"coupling", "sinking_fibre", "Hasimoto 1959", sinking_fibre},
        {"coupling", "impermeable_limit", "common momentum", impermeable_limit},
        {"coupling", "drag_curves", "Fei 2019, dissertation fig. 13.8", drag_curves},
    };
}

}  // namespace rivulet::verify
