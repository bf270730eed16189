#include <rivulet/liquid/shear_passes.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {

using linear::for_entries;

/// Relative residual that is enough in linear solves of passes before the last.
constexpr double kRoughSolve = 0.3;

/// Velocities that no particle touches are 0 before a projection.
void ShearPasses::give(grid::FaceField& velocity) const {
    for (grid::Field& component : velocity) grid::fill(component, component.size(), 0.0);
    solver_.faces().scatter(from_, velocity);
}

void ShearPasses::start(const ShearParticles& particles, const PressureDomain& domain,
                        const grid::Field& solid_distance, const grid::FaceField& mass,
                        grid::FaceField& velocity) {
    solver_.start(domain.topology, domain.boundary, domain.liquid_distance, solid_distance, mass);
    const ShearFaces& faces = solver_.faces();
    const std::size_t n = faces.size();
    for (auto* v : {&before_, &from_, &u_}) v->resize(n);
    faces.gather(velocity, before_);
    faces.slide(before_);
    solver_.predict(particles, domain.skin, from_, u_);
    for_entries(n, [&](std::size_t i) {
        from_[i] += before_[i];
        before_[i] += u_[i];
    });
    give(velocity);
}

ShearReport ShearPasses::pass(const ShearParticles& particles, const ShearOptions& options, int number,
                              grid::FaceField& velocity) {
    const ShearFaces& faces = solver_.faces();
    const std::size_t n = faces.size();
    faces.gather(velocity, u_);
    for_entries(n, [&](std::size_t i) { from_[i] = u_[i] - from_[i]; });
    faces.carry(from_);
    for_entries(n, [&](std::size_t i) { from_[i] += before_[i]; });
    // All but the last pass only serve to find the pressure. NOTE: their one step must be looked at, and
    // cut where it overshoots: else liquid that just rests trembles.
    ShearOptions now = options;
    if (number < options.passes) {
        now.newton_steps = 1;
        now.linear = std::max(options.linear, kRoughSolve);
    }
    const ShearReport report = solver_.solve(particles, now, from_, u_);
    for_entries(n, [&](std::size_t i) { from_[i] = before_[i] + u_[i] - from_[i]; });
    give(velocity);
    return report;
}

void ShearPasses::hold(grid::FaceField& velocity, grid::FaceFlags& known) {
    solver_.faces().gather(velocity, u_);
    solver_.faces().hold(u_);
    solver_.faces().scatter(u_, velocity);
    solver_.faces().flag(1, kFollows, known);
}

}  // namespace rivulet::liquid
