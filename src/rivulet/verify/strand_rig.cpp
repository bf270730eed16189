#include <rivulet/verify/strand_rig.h>

#include <algorithm>
#include <cmath>

#include <rivulet/elastic/cross_section.h>
#include <rivulet/strand/commit.h>

namespace rivulet::verify {

StrandRig::StrandRig(const std::vector<Vec3d>& points, double radius, const strand::MakeOptions& options,
                     double bending_stiffness) {
    strand::Curves curves;
    curves.add_strand(points, std::vector<double>(points.size(), radius));
    state = strand::make_strands(curves, options);
    const elastic::CrossSection<double> section{radius, options.aspect * radius};
    strand::StrandMaterial material;
    material.density = 1 / section.area();
    material.youngs_modulus = bending_stiffness / section.bending_moment_1();
    material.poisson_ratio = 0.5;
    materials = {material};
    force.resize(points.size());
}

void StrandRig::step(double dt) {
    strand::Loads loads;
    loads.gravity = gravity;
    loads.force = force;
    strand::SolveOptions options;
    options.tolerance = tolerance;
    solver_.solve(state, materials, loads, dt, motion_, options);
    strand::commit(state, motion_, dt);
}

void StrandRig::settle() {
    double dt = 0.05;
    for (int k = 0; k < 400; ++k) {
        std::fill(state.velocity.begin(), state.velocity.end(), Vec3d{});
        std::fill(state.twist_velocity.begin(), state.twist_velocity.end(), 0.0);
        step(dt);
        double way = 0;
        for (const Vec3d& v : state.velocity) way = std::max(way, dt * length(v));
        if (way < 1e-9 && dt > 50) return;
        if (way < 0.1) dt = std::min(2 * dt, 100.0);
    }
}

std::vector<Vec3d> clamped_line(std::size_t segments, double length, const Vec3d& direction) {
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < segments + 2; ++i)
        points.push_back((length * (double(i) - 1) / double(segments)) * direction);
    return points;
}

double threshold(double low, double high, int bisections, const std::function<bool(double)>& grows) {
    for (int k = 0; k < bisections; ++k) {
        const double middle = 0.5 * (low + high);
        (grows(middle) ? high : low) = middle;
    }
    return 0.5 * (low + high);
}

bool disturbance_grows(StrandRig& rig, double dt, int steps, double buckled,
                       const std::function<double(const StrandRig&)>& measure) {
    double early = 0, late = 0;
    for (int k = 0; k < steps; ++k) {
        rig.step(dt);
        const double size = std::abs(measure(rig));
        if (k < steps / 4) early = std::max(early, size);
        if (k >= steps - steps / 4) late = std::max(late, size);
        if (size > buckled) return true;
    }
    return late > early;
}

double convergence_order(const std::vector<double>& size, const std::vector<double>& error) {
    return std::log(error.back() / error.front()) / std::log(size.back() / size.front());
}

}  // namespace rivulet::verify
