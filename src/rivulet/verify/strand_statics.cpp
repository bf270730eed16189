#include <cmath>
#include <string>

#include <rivulet/verify/strand_rig.h>

/// Rods at rest under dead loads.
namespace rivulet::verify {
namespace {

strand::MakeOptions clamped_root() {
    return {};
}

std::string number(double value) {
    return std::to_string(int(value));
}

struct Tip {
    double drop, reach;
};

Tip heavy_cantilever(std::size_t segments, double gamma) {
    StrandRig rig(clamped_line(segments, 1, {1, 0, 0}), 1e-3, clamped_root());
    rig.gravity = {0, -gamma, 0};
    rig.settle();
    const Vec3d tip = rig.state.position[rig.last()];
    return {-tip.y, tip.x};
}

Tip end_loaded_cantilever(std::size_t segments, double load) {
    StrandRig rig(clamped_line(segments, 1, {1, 0, 0}), 1e-3, clamped_root());
    rig.force[rig.last()] = {0, -load, 0};
    rig.settle();
    const Vec3d tip = rig.state.position[rig.last()];
    return {-tip.y, tip.x};
}

Curve shape_of(const StrandRig& rig, const std::string& label) {
    Curve c{label, {}, {}, false};
    for (const Vec3d& x : rig.state.position) {
        c.x.push_back(x.x);
        c.y.push_back(x.y);
    }
    return c;
}

/// Meshes to run on, each twice as fine as the one before; the first is held against the reference.
std::vector<std::size_t> meshes(const Options& options) {
    return options.quick ? std::vector<std::size_t>{40, 80, 160} : std::vector<std::size_t>{100, 200, 400};
}

/// A tip on every mesh, and the order at which it converges: from the whole vector, since the error of a
/// single component may pass through zero.
struct Study {
    Tip tip;
    double order;
};
Study study(const Options& options, const std::function<Tip(std::size_t)>& run) {
    std::vector<Tip> tips;
    for (const std::size_t n : meshes(options)) tips.push_back(run(n));
    const auto apart = [&](std::size_t a, std::size_t b) {
        return std::hypot(tips[a].drop - tips[b].drop, tips[a].reach - tips[b].reach);
    };
    return {tips[0], std::log2(apart(0, 1) / apart(1, 2))};
}

Quantity converging(const std::string& name, double value, double reference, const Options& options,
                    double order) {
    Quantity q{name, value, reference, options.quick ? 0.01 : 0.005};
    q.order = order;
    q.order_least = options.quick ? 1.6 : 1.8;
    return q;
}

Outcome run_heavy_cantilever(const Options& options) {
    const std::vector<double> gammas{1, 5, 10, 50, 100};
    const std::vector<double> ratios{0.124562, 0.585721, 1.066802, 3.705561, 5.888105};
    Outcome out;
    Curve computed{"computed", {}, {}, false}, reference{"elastica", gammas, ratios, true};
    for (std::size_t k = 0; k < gammas.size(); ++k) {
        const Study found = study(options, [&](std::size_t n) { return heavy_cantilever(n, gammas[k]); });
        const double ratio = found.tip.drop / found.tip.reach;
        out.quantities.push_back(
            converging("drop over reach, load " + number(gammas[k]), ratio, ratios[k], options, found.order));
        computed.x.push_back(gammas[k]);
        computed.y.push_back(ratio);
    }
    out.plots.push_back({"Heavy cantilever", "w L^3 / E I", "tip drop / tip reach", {computed, reference}});
    return out;
}

Outcome run_end_loaded_cantilever(const Options& options) {
    const std::vector<double> loads{1, 2, 5, 10};
    const std::vector<double> drops{0.301721, 0.493457, 0.713792, 0.810609};
    const std::vector<double> shortenings{0.056433, 0.160642, 0.387628, 0.554996};
    Outcome out;
    Plot plot{"End-loaded cantilever", "P L^2 / E I", "over length", {}};
    Curve drop{"drop", loads, {}, false}, shortening{"shortening", loads, {}, false};
    for (std::size_t k = 0; k < loads.size(); ++k) {
        const Study found = study(options, [&](std::size_t n) { return end_loaded_cantilever(n, loads[k]); });
        const std::string load = ", load " + number(loads[k]);
        const double back = 1 - found.tip.reach;
        out.quantities.push_back(converging("drop" + load, found.tip.drop, drops[k], options, found.order));
        out.quantities.push_back(converging("shortening" + load, back, shortenings[k], options, found.order));
        drop.y.push_back(found.tip.drop);
        shortening.y.push_back(back);
    }
    plot.curves = {drop,
                   {"drop, exact", loads, drops, true},
                   shortening,
                   {"shortening, exact", loads, shortenings, true}};
    out.plots.push_back(plot);
    return out;
}

/// A hanging rod stretches by its weight: ρ g L² / 2E; here the strain at the root is 1e-3.
Outcome run_self_stretch(const Options&) {
    strand::MakeOptions pinned;
    pinned.root = strand::EndKind::pin;
    std::vector<Vec3d> points;
    for (int i = 0; i <= 40; ++i) points.push_back({0, -i / 40.0, 0});
    StrandRig rig(points, 1e-3, pinned);
    const double stretching_stiffness = 4e6;  // E A = 4 EI / r²
    rig.gravity = {0, -1e-3 * stretching_stiffness, 0};
    rig.settle();
    Outcome out;
    out.quantities.push_back({"", -rig.state.position[rig.last()].y - 1, 0.5e-3, 1e-3});
    return out;
}

/// Points of a circular arc of length 1 (counted along its chords) over a span.
std::vector<Vec3d> arc(std::size_t segments, double span) {
    const double n = double(segments);
    double low = 0.01, high = 6.2;  // opening angle: span/length = sin(angle/2) / (n sin(angle/2n))
    for (int k = 0; k < 60; ++k) {
        const double angle = 0.5 * (low + high);
        (std::sin(angle / 2) / (n * std::sin(angle / (2 * n))) > span ? low : high) = angle;
    }
    const double radius = 0.5 * span / std::sin(low / 2);
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i <= segments; ++i) {
        const double a = low * (double(i) / n - 0.5);
        points.push_back({radius * std::sin(a), radius * (std::cos(low / 2) - std::cos(a)), 0});
    }
    return points;
}

/// A slack rod of negligible bending stiffness between two pins.
Outcome run_catenary(const Options& options) {
    const std::size_t n = options.quick ? 60 : 200;
    const double span = 0.6;
    double a = 0.2;  // length 2 a sinh(span / 2a) = 1
    for (int k = 0; k < 100; ++k) {
        const double h = span / (2 * a), f = 2 * a * std::sinh(h) - 1;
        a -= f / (2 * std::sinh(h) - 2 * h * std::cosh(h));
    }
    strand::MakeOptions pinned;
    pinned.root = pinned.tip = strand::EndKind::pin;
    pinned.rest = strand::RestShape::straight;
    StrandRig rig(arc(n, span), 1e-5, pinned, 1e-6);
    rig.gravity = {0, -10, 0};
    rig.settle();
    Outcome out;
    double worst = 0;
    const double top = a * std::cosh(span / (2 * a));
    Curve exact{"a cosh(x/a)", {}, {}, true};
    for (const Vec3d& x : rig.state.position) {
        const double y = a * std::cosh(x.x / a) - top;
        worst = std::max(worst, std::abs(x.y - y));
        exact.x.push_back(x.x);
        exact.y.push_back(y);
    }
    out.quantities.push_back(
        {"largest distance over length", worst, 0, options.quick ? 2e-3 : 5e-4, Quantity::Kind::absolute});
    out.plots.push_back({"Catenary", "x [m]", "y [m]", {shape_of(rig, "computed"), exact}});
    return out;
}

}  // namespace

std::vector<Case> strand_static_cases() {
    return {{"strand", "heavy_cantilever", "elastica, integrated numerically", run_heavy_cantilever},
            {"strand", "end_loaded_cantilever", "elastica, elliptic integrals", run_end_loaded_cantilever},
            {"strand", "self_stretch", "rho g L^2 / 2 E", run_self_stretch},
            {"strand", "catenary", "a cosh(x/a)", run_catenary}};
}

}  // namespace rivulet::verify
