#include <cmath>
#include <numbers>
#include <string>

#include <rivulet/strand/energy.h>
#include <rivulet/verify/strand_rig.h>

/// Rods that move.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi;

/// Angular frequency from the times at which a signal passes zero, by straight lines between steps.
double frequency(const std::vector<double>& time, const std::vector<double>& signal) {
    std::vector<double> zeros;
    for (std::size_t i = 1; i < time.size(); ++i)
        if (signal[i - 1] * signal[i] < 0)
            zeros.push_back(time[i - 1] +
                            (time[i] - time[i - 1]) * signal[i - 1] / (signal[i - 1] - signal[i]));
    return zeros.size() < 2 ? 0 : kPi * double(zeros.size() - 1) / (zeros.back() - zeros.front());
}

/// Shape of a clamped beam's mode at x of length 1 (free end at 1).
double beam_mode(double beta, double x) {
    const double s = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
    return (std::cosh(beta * x) - std::cos(beta * x)) - s * (std::sinh(beta * x) - std::sin(beta * x));
}

Outcome run_beam_modes(const Options& o) {
    const std::size_t n = o.quick ? 50 : 100;
    const int steps_per_period = o.quick ? 200 : 400;
    Outcome out;
    Plot plot{"Clamped beam, tip", "periods", "tip over first tip", {}};
    int mode = 0;
    for (const double over_pi : {0.596864, 1.49418, 2.50025}) {
        ++mode;
        const double beta = over_pi * kPi, omega = beta * beta, dt = 2 * kPi / omega / steps_per_period;
        StrandRig rig(clamped_line(n, 1, {1, 0, 0}), 1e-3, {});
        for (std::size_t i = 2; i < rig.state.vertex_count(); ++i)
            rig.state.velocity[i].y = 1e-4 * omega * beam_mode(beta, rig.state.position[i].x);
        std::vector<double> time, tip;
        for (int k = 1; k <= 2 * steps_per_period + steps_per_period / 4; ++k) {
            rig.step(dt);
            time.push_back(k * dt);
            tip.push_back(rig.state.position[rig.last()].y);
        }
        out.quantities.push_back({"mode " + std::to_string(mode), frequency(time, tip), omega, 0.01});
        Curve c{"mode " + std::to_string(mode), {}, {}, false};
        for (std::size_t i = 0; i < time.size(); ++i) {
            c.x.push_back(time[i] * omega / (2 * kPi));
            c.y.push_back(tip[i] / 2e-4);
        }
        plot.curves.push_back(c);
    }
    out.plots.push_back(plot);
    return out;
}

/// First mode of a hanging chain: deflection J₀(2ω√(x/g)), x from the free end, ω = 1.2024 √(g/L).
Outcome run_hanging_chain(const Options& o) {
    const int n = o.quick ? 50 : 100, steps_per_period = o.quick ? 300 : 600;
    strand::MakeOptions pinned;
    pinned.root = strand::EndKind::pin;
    std::vector<Vec3d> points;
    for (int i = 0; i <= n; ++i) points.push_back({0, -double(i) / n, 0});
    StrandRig rig(points, 1e-4, pinned, 1e-5);
    const double g = 10, omega = 1.2024 * std::sqrt(g), dt = 2 * kPi / omega / steps_per_period;
    rig.gravity = {0, -g, 0};
    rig.settle();
    for (int i = 0; i <= n; ++i) {
        const double x = 1 - double(i) / n;
        rig.state.velocity[std::size_t(i)] = {1e-3 * std::cyl_bessel_j(0, 2 * omega * std::sqrt(x / g)), 0,
                                              0};
    }
    std::vector<double> time, tip;
    for (int k = 1; k <= 2 * steps_per_period + steps_per_period / 4; ++k) {
        rig.step(dt);
        time.push_back(k * dt);
        tip.push_back(rig.state.position[rig.last()].x);
    }
    Outcome out;
    out.quantities.push_back({"", frequency(time, tip), omega, 0.01});
    out.plots.push_back({"Hanging chain, tip", "time [s]", "x [m]", {{"computed", time, tip, false}}});
    return out;
}

/// Energy that implicit Euler takes from the first beam mode per period.
double loss_per_period(std::size_t segments, int steps_per_period) {
    const double beta = 0.596864 * kPi, omega = beta * beta, dt = 2 * kPi / omega / steps_per_period;
    StrandRig rig(clamped_line(segments, 1, {1, 0, 0}), 1e-3, {});
    for (std::size_t i = 2; i < rig.state.vertex_count(); ++i)
        rig.state.velocity[i].y = 0.05 * omega * beam_mode(beta, rig.state.position[i].x);
    const auto energy = [&] {
        const auto t = strand::totals(rig.state, rig.materials, {});
        return t.kinetic + t.elastic;
    };
    for (int k = 0; k < steps_per_period / 2; ++k) rig.step(dt);
    const double before = energy();
    for (int k = 0; k < steps_per_period; ++k) rig.step(dt);
    return 1 - energy() / before;
}

/// Theory: an undamped mode loses 1 − (1 + (ω dt)²)^(−T/dt) ≈ 4π²/steps of its energy in a period.
Outcome run_numerical_loss(const Options& o) {
    const std::size_t n = o.quick ? 20 : 50;
    const std::vector<double> steps{500, 1000, 2000};
    std::vector<double> losses, dts;
    for (const double k : steps) {
        losses.push_back(loss_per_period(n, int(k)));
        dts.push_back(1 / k);
    }
    Outcome out;
    Quantity q{"energy per period at 1000 steps a period", losses[1], 0.045, 0, Quantity::Kind::at_most};
    q.order = convergence_order(dts, losses);
    q.order_least = 0.9;
    out.quantities.push_back(q);
    std::vector<double> theory;
    for (const double k : steps) theory.push_back(1 - std::pow(1 + std::pow(2 * kPi / k, 2), -k));
    out.quantities.push_back({"same, over theory", losses[1] / theory[1], 1, 0.05});
    out.plots.push_back({"Energy lost per period",
                         "steps per period",
                         "part lost",
                         {{"computed", steps, losses, false}, {"theory", steps, theory, true}}});
    return out;
}

std::vector<Vec3d> helix(std::size_t vertices, double radius, double pitch, double turns) {
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < vertices; ++i) {
        const double t = turns * double(i) / double(vertices - 1), a = 2 * kPi * t;
        points.push_back({radius * std::cos(a), pitch * t, radius * std::sin(a)});
    }
    return points;
}

double farthest_move(const StrandRig& rig, const std::vector<Vec3d>& from) {
    double way = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
        way = std::max(way, length(rig.state.position[i] - from[i]));
    return way;
}

/// A helix that was groomed so stays so without load, and comes back to it after a blow.
Outcome run_helix_rest(const Options& o) {
    StrandRig rig(helix(80, 0.05, 0.1, 5), 1e-3, {});
    rig.tolerance = 1e-5;
    const auto before = rig.state.position;
    const double dt = 1.0 / 240, end = o.quick ? 1 : 10;
    for (int k = 0; k * dt < end; ++k) rig.step(dt);
    Outcome out;
    out.quantities.push_back(
        {"distance moved at rest [m]", farthest_move(rig, before), 1e-9, 0, Quantity::Kind::at_most});

    rig.materials[0].internal_viscosity = 0.1 * rig.materials[0].youngs_modulus;
    for (std::size_t i = 2; i < before.size(); ++i) rig.state.velocity[i] = {0.5, 0.2, 0};
    double most = 0;
    for (int k = 0; k * dt < 10; ++k) {
        rig.step(dt);
        most = std::max(most, farthest_move(rig, before));
    }
    out.quantities.push_back({"thrown out of place by [m]", most, 0.02, 0, Quantity::Kind::at_least});
    out.quantities.push_back({"distance left after 10 s, viscous [m]", farthest_move(rig, before), 1e-6, 0,
                              Quantity::Kind::at_most});
    return out;
}

/// A free helix thrown and spun: momentum to Newton's tolerance, angular momentum to first order in dt.
Outcome run_momentum(const Options& o) {
    const std::vector<double> dts =
        o.quick ? std::vector<double>{4e-3, 2e-3} : std::vector<double>{4e-3, 2e-3, 1e-3};
    std::vector<double> drifts;
    double momentum_error = 0;
    for (const double dt : dts) {
        strand::MakeOptions free;
        free.root = strand::EndKind::free;
        StrandRig rig(helix(40, 0.05, 0.1, 3), 1e-3, free);
        for (std::size_t i = 0; i < rig.state.vertex_count(); ++i)
            rig.state.velocity[i] = Vec3d{0.3, -0.2, 0.5} + cross(Vec3d{0.5, 1, 0.4}, rig.state.position[i]);
        const auto before = strand::totals(rig.state, rig.materials, {});
        for (int k = 0; k * dt < 0.5; ++k) rig.step(dt);
        const auto after = strand::totals(rig.state, rig.materials, {});
        momentum_error =
            std::max(momentum_error, length(after.momentum - before.momentum) / length(before.momentum));
        drifts.push_back(length(after.angular_momentum - before.angular_momentum) /
                         length(before.angular_momentum));
    }
    Outcome out;
    out.quantities.push_back({"momentum, relative change", momentum_error, 1e-8, 0, Quantity::Kind::at_most});
    Quantity q{"angular momentum, relative change in 0.5 s", drifts.back(), 0.01, 0, Quantity::Kind::at_most};
    q.order = convergence_order(dts, drifts);
    q.order_least = 0.9;
    out.quantities.push_back(q);
    return out;
}

}  // namespace

std::vector<Case> strand_motion_cases() {
    return {{"strand", "beam_modes", "Euler-Bernoulli beam", run_beam_modes},
            {"strand", "hanging_chain", "Bernoulli: 1.2024 sqrt(g/L)", run_hanging_chain},
            {"strand", "numerical_loss", "implicit Euler, one oscillator", run_numerical_loss},
            {"strand", "helix_rest", "rest shape", run_helix_rest},
            {"strand", "momentum", "conservation", run_momentum}};
}

}  // namespace rivulet::verify
