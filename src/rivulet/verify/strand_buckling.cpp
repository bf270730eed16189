#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/verify/strand_rig.h>

/// Loads at which rods leave their shape. Both sides are dynamic: a small disturbance is watched as it dies
/// away or grows. Implicit Euler damps vibration but leaves the sign of growth as it is.
namespace rivulet::verify {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kBuckled = 0.02;  // m, of rods 1 m long

/// Pushes every free vertex across `axis` with small random velocities that a given stream of numbers
/// decides.
void disturb(StrandRig& rig, double speed) {
    const Random random(1, 2);
    for (std::size_t i = 2; i < rig.state.vertex_count(); ++i) {
        const double s = double(i) / double(rig.last());
        rig.state.velocity[i] +=
            speed * Vec3d{random.normal(3 * i), random.normal(3 * i + 1), random.normal(3 * i + 2)} +
            (4 * speed * s * s) * Vec3d{0.6, 0, 0.8};
    }
}

struct Search {
    double reference, tolerance;
    int bisections;
    Outcome outcome(const std::function<bool(double)>& grows) const {
        const double found = threshold(0.8 * reference, 1.2 * reference, bisections, grows);
        Outcome out;
        out.quantities.push_back({"", found, reference, tolerance});
        return out;
    }
};

/// Sideways distance of the tip from the vertical axis.
double tip_sideways(const StrandRig& rig) {
    const Vec3d& x = rig.state.position[rig.last()];
    return std::hypot(x.x, x.z);
}

Outcome run_greenhill(const Options& o) {
    const std::size_t n = o.quick ? 24 : 60;
    return Search{7.8373, 0.02, o.quick ? 5 : 8}.outcome([&](double weight) {
        StrandRig rig(clamped_line(n, 1, {0, 1, 0}), 1e-3, {});
        rig.gravity = {0, -weight, 0};
        disturb(rig, 1e-4);
        return disturbance_grows(rig, 0.1, o.quick ? 300 : 600, kBuckled, tip_sideways);
    });
}

Outcome run_euler(const Options& o) {
    const std::size_t n = o.quick ? 24 : 60;
    return Search{kPi * kPi / 4, 0.02, o.quick ? 5 : 8}.outcome([&](double load) {
        StrandRig rig(clamped_line(n, 1, {0, 1, 0}), 1e-3, {});
        rig.force[rig.last()] = {0, -load, 0};
        disturb(rig, 1e-4);
        return disturbance_grows(rig, 0.1, o.quick ? 300 : 600, kBuckled, tip_sideways);
    });
}

/// A strip on edge, loaded at its tip in its stiff plane. EI is that of the weak axis.
Outcome run_ribbon(const Options& o) {
    const std::size_t n = o.quick ? 24 : 60;
    const double aspect = 0.05, radius = 1e-2;
    strand::MakeOptions strip;
    strip.aspect = aspect;
    strip.director = {0, 1, 0};
    const double stiff = 1, weak = stiff * aspect * aspect;
    // E/G = 3 for the rig's material (Poisson's ratio 1/2); J of an ellipse over its weak I is 4 / (1 +
    // aspect²).
    const double twisting = weak / 3 * 4 / (1 + aspect * aspect);
    return Search{4.013 * std::sqrt(weak * twisting), 0.03, o.quick ? 5 : 8}.outcome([&](double load) {
        StrandRig rig(clamped_line(n, 1, {1, 0, 0}), radius, strip, stiff);
        rig.force[rig.last()] = {0, -load, 0};
        rig.settle();
        for (std::size_t i = 2; i < rig.state.vertex_count(); ++i) {
            const double s = double(i) / double(rig.last());
            rig.state.velocity[i] = {0, 0, 1e-5 * s * s};
        }
        return disturbance_grows(rig, 2.0, o.quick ? 300 : 600, kBuckled,
                                 [](const StrandRig& r) { return r.state.position[r.last()].z; });
    });
}

/// Twist that grows evenly from the first edge to the last, `turn` in all, with the last edge held there.
void twist_evenly(StrandRig& rig, double turn) {
    const std::size_t last_edge = rig.last() - 1;
    const double free_edges = double(last_edge) - 1;
    auto& s = rig.state;
    for (std::size_t i = 1; i < last_edge; ++i) s.twist[i] = turn * (double(i) - 0.5) / free_edges;
    s.twist[last_edge] = turn;
    const Vec3d t = normalized(s.position[last_edge + 1] - s.position[last_edge]),
                d = s.reference_director[last_edge];
    s.tip_target.director[0] = std::cos(turn) * d + std::sin(turn) * cross(t, d);
}

/// A naturally straight rod bent to a ring whose clamped ends meet: buckles out of its plane at a twist of
/// 2π √3 B/C (Michell 1889, Zajac 1962).
Outcome run_michell_ring(const Options& o) {
    const std::size_t n = o.quick ? 40 : 100;
    strand::MakeOptions both;
    both.tip = strand::EndKind::clamp;
    both.rest = strand::RestShape::straight;
    const double ratio = 1.5;  // B/C = E/2G for a round rod, Poisson's ratio 1/2
    return Search{2 * kPi * std::sqrt(3.0) * ratio, 0.02, o.quick ? 5 : 8}.outcome([&](double turn) {
        const double segment = 1.0 / double(n), radius = 0.5 * segment / std::sin(kPi / double(n));
        std::vector<Vec3d> points{{-segment, 0, 0}};
        for (std::size_t i = 0; i <= n; ++i) {
            const double a = 2 * kPi * double(i) / double(n);
            points.push_back({radius * std::sin(a), radius * (1 - std::cos(a)), 0});
        }
        points.push_back({segment, 0, 0});
        StrandRig rig(points, 1e-3, both);
        twist_evenly(rig, turn);
        for (std::size_t i = 2; i + 2 < points.size(); ++i)
            rig.state.velocity[i].z =
                1e-3 * (Random(1, 1).normal(i) + std::sin(4 * kPi * double(i) / double(n)));
        return disturbance_grows(rig, 0.02, o.quick ? 300 : 600, kBuckled, [](const StrandRig& r) {
            double most = 0;
            for (const Vec3d& x : r.state.position) most = std::max(most, std::abs(x.z));
            return most;
        });
    });
}

/// A straight rod between two clamps that do not move, twisted: leaves the line at a moment M with
/// tan(ML/2B) = ML/2B, ML/B = 8.98682, by linear theory (B w'''' = i M w''' across, no tension).
/// The ends being fixed, tension stops the growth at a few thousandths of the length; the rod is thicker than
/// others here so that this is well above the disturbance.
Outcome run_writhing(const Options& o) {
    const std::size_t n = o.quick ? 40 : 100;
    strand::MakeOptions both;
    both.tip = strand::EndKind::clamp;
    const double ratio = 1.5;
    return Search{8.98682 * ratio, 0.03, o.quick ? 5 : 8}.outcome([&](double turn) {
        std::vector<Vec3d> points = clamped_line(n, 1, {1, 0, 0});
        points.push_back({1 + 1.0 / double(n), 0, 0});
        StrandRig rig(points, 0.02, both);
        twist_evenly(rig, turn);
        for (std::size_t i = 2; i + 2 < points.size(); ++i) {
            rig.state.velocity[i].y =
                1e-5 * std::sin(kPi * double(i - 1) / double(n)) + 1e-6 * Random(1, 1).normal(i);
            rig.state.velocity[i].z = 1e-5 * std::sin(2 * kPi * double(i - 1) / double(n));
        }
        return disturbance_grows(rig, 0.02, o.quick ? 300 : 600, 1e-4, [](const StrandRig& r) {
            double most = 0;
            for (const Vec3d& x : r.state.position) most = std::max(most, std::hypot(x.y, x.z));
            return most;
        });
    });
}

}  // namespace

std::vector<Case> strand_buckling_cases() {
    return {{"strand", "greenhill", "Greenhill 1881: w L^3 = 7.8373 EI", run_greenhill},
            {"strand", "euler_buckling", "Euler: P = pi^2 EI / 4 L^2", run_euler},
            {"strand", "ribbon_buckling", "Prandtl, Michell 1899: P = 4.013 sqrt(EI GJ) / L^2", run_ribbon},
            {"strand", "michell_ring", "Michell 1889, Zajac 1962: 2 pi sqrt(3) B/C", run_michell_ring},
            {"strand", "writhing", "clamped twisted rod: 8.98682 B/C", run_writhing}};
}

}  // namespace rivulet::verify
