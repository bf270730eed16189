#include <cmath>
#include <numbers>

#include <rivulet/verify/case.h>
#include <rivulet/verify/liquid_rig.h>

/// Liquids of different densities on one grid: a heavy layer under a light one, both in one pressure solve.
namespace rivulet::verify {
namespace {

constexpr double kGravity = 9.81, kWidth = 1, kLower = 0.3125, kUpper = 0.1875;
constexpr double kHeavy = 1000, kLight = 500;

LiquidRig two_layers(int cells) {
    LiquidRig rig(kWidth / cells);
    liquid::LiquidMaterial heavy, light;
    heavy.density = kHeavy;
    light.density = kLight;
    rig.model.liquid.materials = {heavy, light};
    rig.model.period = {0, 0, 4};
    const double thick = 4 * rig.model.cell;
    rig.add_tank({0, 0, -1}, {kWidth, 1, 2});
    rig.add_box_of_liquid({0, 0, 0}, {kWidth, kLower, thick}, 0, 0);
    rig.add_box_of_liquid({0, kLower, 0}, {kWidth, kLower + kUpper, thick}, 0, 1);
    return rig;
}

/// Centre of the heavy liquid along x [m].
double heavy_centre(const LiquidRig& rig) {
    const auto& l = rig.world.liquid;
    double sum = 0, volume = 0;
    for (std::size_t i = 0; i < l.size(); ++i)
        if (l.material[i] == 0) {
            sum += l.volume[i] * l.position[i].x;
            volume += l.volume[i];
        }
    return sum / volume;
}

/// The slower standing wave of two layers under a free surface, k = π/width (Lamb 1932 §231):
/// φ = F(y) cos kx with F = A cosh ky below the interface, B cosh k(y − h) + C sinh k(y − h) above.
struct InternalWave {
    double k = std::numbers::pi / kWidth, omega, a, b, c;

    explicit InternalWave(double speed) {
        const double lower = 1 / std::tanh(k * kLower), upper = 1 / std::tanh(k * kUpper);
        // ω⁴ (ρ₁ coth kh₁ coth kh₂ + ρ₂) − ω² ρ₁ gk (coth kh₁ + coth kh₂) + g²k² (ρ₁ − ρ₂) = 0
        const double p = kHeavy * lower * upper + kLight, q = kHeavy * kGravity * k * (lower + upper),
                     r = kGravity * kGravity * k * k * (kHeavy - kLight);
        const double square = (q - std::sqrt(q * q - 4 * p * r)) / (2 * p);
        omega = std::sqrt(square);
        // Both layers have the interface's speed across it; at the free surface ω² F = g F'.
        c = speed / k;
        a = speed / (k * std::sinh(k * kLower));
        const double ch = std::cosh(k * kUpper), sh = std::sinh(k * kUpper);
        b = -c * (square * sh - kGravity * k * ch) / (square * ch - kGravity * k * sh);
    }
    double f(double y) const {
        return y < kLower ? a * std::cosh(k * y)
                          : b * std::cosh(k * (y - kLower)) + c * std::sinh(k * (y - kLower));
    }
    double slope(double y) const {
        return y < kLower ? a * k * std::sinh(k * y)
                          : b * k * std::sinh(k * (y - kLower)) + c * k * std::cosh(k * (y - kLower));
    }
    Vec3d velocity(const Vec3d& x) const {
        return {-k * f(x.y) * std::sin(k * x.x), slope(x.y) * std::cos(k * x.x), 0};
    }
    Mat3d gradient(const Vec3d& x) const {
        Mat3d g;
        g(0, 0) = -k * k * f(x.y) * std::cos(k * x.x);
        g(0, 1) = g(1, 0) = -k * slope(x.y) * std::sin(k * x.x);
        g(1, 1) = -g(0, 0);
        return g;
    }
};

void rest(const Options& options, Outcome& outcome) {
    LiquidRig rig = two_layers(32);
    rig.start();
    double fastest = 0;
    rig.run_until(options.quick ? 0.5 : 5, [&] { fastest = std::max(fastest, rig.max_speed()); });
    outcome.quantities.push_back(at_most("rest: speed / sqrt(g cell)",
                                         fastest / std::sqrt(kGravity * rig.model.cell),
                                         10 * rig.model.liquid.pressure.tolerance));
    const grid::Topology& topology = rig.stepper().liquid().topology;
    const double half = 0.5 * rig.model.cell;
    const std::int64_t bottom = topology.index(Vec3i{16, 0, 0});
    outcome.quantities.push_back(near("rest: pressure on the floor [Pa]",
                                      rig.stepper().liquid().pressure[std::size_t(bottom)],
                                      kGravity * (kHeavy * (kLower - half) + kLight * kUpper), 0.01));
}

double measured_frequency(int cells, const InternalWave& wave, double periods, Outcome& outcome, Plot& plot) {
    LiquidRig rig = two_layers(cells);
    rig.push([&](const Vec3d& x) { return wave.velocity(x); });
    rig.set_affine([&](const Vec3d& x) { return wave.gradient(x); });
    rig.start();
    const double start = heavy_centre(rig);
    Curve computed{std::to_string(cells) + " cells", {0}, {0}, false};
    rig.run_until(periods * 2 * std::numbers::pi / wave.omega, [&] {
        computed.x.push_back(rig.time());
        computed.y.push_back(heavy_centre(rig) - start);
    });
    plot.curves.push_back(computed);
    outcome.quantities.push_back(ledger_residual(rig));
    return frequency_of_crossings(computed);
}

Outcome layers(const Options& options) {
    Outcome outcome;
    rest(options, outcome);
    const InternalWave wave(0.01 * InternalWave(1).omega);
    const double periods = options.quick ? 1.6 : 3.1;
    Plot plot{"internal wave of two layers", "t / s", "centre of the heavy liquid / m", {}};
    // Momentum on faces mixes the layers over about two cells: the wave is slower by a part of first order.
    const double coarse = measured_frequency(32, wave, periods, outcome, plot);
    outcome.quantities.push_back(near("internal wave: frequency, 32 cells [1/s]", coarse, wave.omega, 0.08));
    if (!options.quick) {
        const double fine = measured_frequency(64, wave, periods, outcome, plot);
        outcome.quantities.push_back(
            near("internal wave: frequency, 64 cells [1/s]", fine, wave.omega, 0.05));
        outcome.quantities.push_back(
            at_least("internal wave: order in the cell",
                     std::log2(std::abs(coarse - wave.omega) / std::abs(fine - wave.omega)), 0.7));
    }
    outcome.plots.push_back(plot);
    return outcome;
}

}  // namespace

std::vector<Case> liquid_layer_cases() {
    return {{"liquid", "layers", "two densities: rest, internal wave, Lamb 1932 §231", layers}};
}

}  // namespace rivulet::verify
