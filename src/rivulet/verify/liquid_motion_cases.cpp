#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <rivulet/verify/case.h>
#include <rivulet/verify/liquid_rig.h>

/// What moving liquid must keep: momentum, energy, volume, and its place inside walls.
namespace rivulet::verify {
namespace {

/// A drop that turns about the z axis, far from walls and without gravity.
LiquidRig spinning_drop(double cell, double rate, const Vec3d& drift) {
    LiquidRig rig(cell);
    rig.model.gravity = {};
    geometry::ShapeDescription ball;
    ball.type = geometry::ShapeType::cylinder;
    ball.from = {0, 0, -4 * cell};
    ball.to = {0, 0, 4 * cell};
    ball.radius = 8 * cell;
    rig.add_liquid(ball, 0);
    rig.push([&](const Vec3d& x) { return cross(Vec3d{0, 0, rate}, x) + drift; });
    Mat3d turn;
    turn(0, 1) = -rate;
    turn(1, 0) = rate;
    rig.set_affine([&](const Vec3d&) { return turn; });
    return rig;
}

/// Largest distance between the particles of two runs, matched by id, after taking away `drift`.
double largest_difference(const LiquidRig& a, const LiquidRig& b, const Vec3d& drift) {
    const auto by_id = [](const LiquidRig& r) {
        std::vector<std::pair<std::uint64_t, Vec3d>> list;
        for (std::size_t i = 0; i < r.world.liquid.size(); ++i)
            list.emplace_back(r.world.liquid.id[i], r.world.liquid.position[i]);
        std::sort(list.begin(), list.end(), [](const auto& l, const auto& r2) { return l.first < r2.first; });
        return list;
    };
    const auto first = by_id(a), second = by_id(b);
    double worst = first.size() == second.size() ? 0 : 1e300;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
        worst = std::max(worst, length(second[i].second - drift - first[i].second));
    return worst;
}

/// A full turn of liquid in a round slip-walled pipe, full, without gravity: rigid rotation for ever.
LiquidRig turning_pipe(double cell, double rate) {
    LiquidRig rig(cell);
    rig.model.gravity = {};
    rig.model.period = {0, 0, 8};
    obstacle::ObstacleDescription pipe;
    pipe.name = "pipe";
    pipe.side = obstacle::Side::inside;
    pipe.shape.type = geometry::ShapeType::cylinder;
    pipe.shape.from = {0, 0, -100 * cell};
    pipe.shape.to = {0, 0, 100 * cell};
    pipe.shape.radius = 10 * cell;
    rig.add_obstacle(pipe);
    geometry::ShapeDescription column = pipe.shape;
    column.from = {0, 0, 0};
    column.to = {0, 0, 8 * cell};
    rig.add_liquid(column, 0);
    rig.push([&](const Vec3d& x) { return cross(Vec3d{0, 0, rate}, Vec3d{x.x, x.y, 0}); });
    Mat3d turn;
    turn(0, 1) = -rate;
    turn(1, 0) = rate;
    rig.set_affine([&](const Vec3d&) { return turn; });
    return rig;
}

struct Kept {
    double spin, energy, most_energy;  // of the start
};

/// Runs a turning rig with steps of dt; curves of what is kept go to `plot`.
Kept run_turning(LiquidRig rig, double end, double dt, const std::string& name, Plot& plot) {
    rig.model.step.max = dt;
    rig.start();
    const world::Metrics before = rig.metrics();
    Curve spin{name, {0}, {1}, false};
    Kept kept{1, 1, 1};
    rig.run_until(end, [&] {
        const world::Metrics m = rig.metrics();
        kept.spin = m.angular_momentum.z / before.angular_momentum.z;
        kept.energy = m.energy_kinetic / before.energy_kinetic;
        kept.most_energy = std::max(kept.most_energy, kept.energy);
        spin.x.push_back(rig.time()), spin.y.push_back(kept.spin);
    });
    plot.curves.push_back(spin);
    return kept;
}

/// The step moves velocities along, then projects them: of a rigid rotation each step so keeps cos(rate dt),
/// a loss of first order in the step. With steps of dt and dt/2 what is lost at dt → 0 can be told.
void add_turning(const std::string& name, double rate, double end, double dt,
                 const std::function<LiquidRig()>& make, Outcome& outcome) {
    Plot plot{name + ": angular momentum", "t / s", "of the start", {}};
    const Kept coarse = run_turning(make(), end, dt, "step dt", plot);
    const Kept fine = run_turning(make(), end, dt / 2, "step dt/2", plot);
    const double splitting = std::pow(std::cos(rate * dt / 2), 2 * end / dt);
    outcome.quantities.push_back(near(name + ": angular momentum kept at dt/2, over cos(rate dt/2)^steps",
                                      fine.spin / splitting, 1, 0.02));
    outcome.quantities.push_back(
        near(name + ": angular momentum kept, dt -> 0", 2 * fine.spin - coarse.spin, 1, 0.02));
    outcome.quantities.push_back(
        near(name + ": energy kept, dt -> 0", 2 * fine.energy - coarse.energy, 1, 0.04));
    outcome.quantities.push_back(at_most(name + ": largest energy, of the start",
                                         std::max(coarse.most_energy, fine.most_energy), 1.001));
    outcome.plots.push_back(plot);
}

Outcome rotating_column(const Options& options) {
    const double cell = 0.05, rate = 2 * std::numbers::pi;
    Outcome outcome;
    add_turning(
        "pipe", rate, options.quick ? 0.5 : 1, options.quick ? 0.01 : 0.005,
        [&] { return turning_pipe(cell, rate); }, outcome);
    // Free, held together by tension: p = rho rate^2 (r^2 - R^2)/2.
    add_turning(
        "free column", rate, options.quick ? 0.1 : 0.2, options.quick ? 0.01 : 0.005,
        [&] { return spinning_drop(cell, rate, {}); }, outcome);
    {
        LiquidRig rig = spinning_drop(cell, 0, {});
        rig.model.gravity = {0, -9.81, 0};
        rig.start();
        const Vec3d centre = rig.centre();
        LiquidRig still = spinning_drop(cell, 0, {});
        const double end = 0.3;
        rig.run_until(end);
        outcome.quantities.push_back(
            near("free fall: speed / (g t)", rig.max_speed() / (9.81 * rig.time()), 1, 1e-9));
        outcome.quantities.push_back(at_most("free fall: change of shape / cell",
                                             largest_difference(still, rig, rig.centre() - centre) / cell,
                                             1e-6));
    }
    {
        // Two cells, then one cell per step sideways: the grid sees the same liquid. Paths are of second
        // order through a field that stands still; that the field moves along is met to first order in the
        // step.
        const double dt = 0.01;
        const Vec3d drift{2 * cell / dt, 0, 0};
        const auto difference = [&](double step) {
            LiquidRig still = spinning_drop(cell, 1, {}), moving = spinning_drop(cell, 1, drift);
            for (LiquidRig* rig : {&still, &moving}) {
                rig->model.step.courant = 10;
                rig->model.step.max = step;
                rig->start();
                rig->run_until(0.1);
            }
            return largest_difference(still, moving, drift * still.time()) / cell;
        };
        const double coarse = difference(dt), fine = difference(dt / 2);
        outcome.quantities.push_back(
            at_least("moving frame: order in the step", std::log2(coarse / fine), 0.9));
        outcome.quantities.push_back(
            at_most("moving frame: difference / cell, dt -> 0", std::abs(2 * fine - coarse), 0.01));
    }
    return outcome;
}

obstacle::Motion shake(const Vec3d& amplitude, double period) {
    obstacle::Motion m;
    m.type = obstacle::MotionType::oscillate;
    m.amplitude = amplitude;
    m.period = period;
    return m;
}

Outcome tank_volume(const Options& options) {
    Outcome outcome;
    Plot plot{"geometric volume of liquid in shaken tanks", "t / s", "volume, of the particles'", {}};
    const auto run = [&](const std::string& name, double cell, double depth, double amplitude, double period,
                         double end, double bound) {
        LiquidRig rig(cell);
        rig.add_tank({0, 0, 0}, {1, 1, 0.25}, {shake({amplitude, 0, 0}, period)});
        rig.add_box_of_liquid({0, 0, 0}, {1, depth, 0.25}, 0.5);
        rig.start();
        const double start = rig.geometric_volume();
        Curve curve{name, {0}, {1}, false};
        int count = 0;
        double late = 0, late_count = 0;
        rig.run_until(end, [&] {
            if (++count % 10) return;
            curve.x.push_back(rig.time());
            curve.y.push_back(rig.geometric_volume() / start);
            if (rig.time() > 0.8 * end) late += curve.y.back(), ++late_count;
        });
        outcome.quantities.push_back(near(name + ": geometric volume", late / late_count, 1, bound));
        outcome.quantities.push_back(ledger_residual(rig));
        plot.curves.push_back(curve);
    };
    run("sloshing tank", 1.0 / 16, 0.4, 0.03, 1.2, options.quick ? 4 : 20, 0.01);
    run("layer two cells thick", 1.0 / 16, 2.0 / 16, 0.01, 1.5, options.quick ? 4 : 20, 0.01);
    outcome.plots.push_back(plot);
    return outcome;
}

Outcome slosh_container(const Options& options) {
    const double cell = 0.05, end = options.quick ? 5 : 60;
    LiquidRig rig(cell);
    rig.model.fps = 10;
    rig.model.step.max = 0.1;
    rig.model.step.courant = 2;
    obstacle::Motion tilt;
    tilt.type = obstacle::MotionType::oscillate;
    tilt.axis = {0, 0, 1};
    tilt.pivot = {0.5, 0.5, 0.25};
    tilt.angle_amplitude = 0.5;
    tilt.period = 1.7;
    rig.add_tank({0, 0, 0}, {1, 1, 0.5}, {tilt, shake({0.3, 0.1, 0}, 1.1)});
    rig.add_box_of_liquid({0, 0, 0}, {1, 0.45, 0.5}, 0.5);
    rig.start();
    const std::size_t particles = rig.world.liquid.size();
    std::size_t outside = 0;
    double most_cells = 0, retries = 0;
    const geometry::Bounds box{{0, 0, 0}, {1, 1, 0.5}};
    rig.run_until(end, [&] {
        outside += rig.outside();
        const double dt = rig.metrics().dt;
        retries += double(rig.metrics().retries);
        most_cells =
            std::max(most_cells, rig.model.obstacles.max_speed(rig.time() - dt, dt, box) * dt / cell);
    });
    Outcome outcome;
    // In the middle of a splash spray finer than a cell counts for less than it holds.
    outcome.quantities.push_back(at_most("particles outside, all steps", double(outside), 0));
    outcome.quantities.push_back(at_least("fastest wall [cells per step]", most_cells, 1.5));
    outcome.quantities.push_back(
        near("geometric volume", rig.geometric_volume() / rig.world.ledger.total_initial(), 1, 0.05));
    outcome.quantities.push_back(ledger_residual(rig));
    outcome.remark = std::to_string(rig.world.clock.step) + " steps, " + std::to_string(particles) +
                     " particles at the start, " + std::to_string(int(retries)) + " retries";
    return outcome;
}

}  // namespace

std::vector<Case> liquid_motion_cases() {
    return {{"liquid", "rotating_column", "conservation: Jiang et al. 2015", rotating_column},
            {"liquid", "tank_volume", "volume of the particles' level set", tank_volume},
            {"liquid", "slosh_container", "no particle leaves closed walls", slosh_container}};
}

}  // namespace rivulet::verify
