#include <rivulet/liquid/shear_passes.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {
namespace {

/// body(axis, face) for every face.
template <class F>
void for_faces(std::size_t cells, F&& body) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        parallel_chunks(cells, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t e = begin; e < end; ++e) body(axis, e);
        });
}

}  // namespace

ShearReport ShearPasses::run(const ShearParticles& particles, const ShearOptions& options,
                             const PressureDomain& domain, const grid::Field& solid_distance,
                             const grid::FaceField& mass,
                             const std::function<void(grid::FaceField&)>& project,
                             grid::FaceField& velocity) {
    const std::size_t n = domain.topology.cells();
    solver_.start(domain.topology, domain.boundary, domain.liquid_distance, solid_distance, mass);
    for (auto* f : {&start_, &pressed_, &guess_})
        for (auto& component : *f) component.resize(n);
    solver_.faces().slide(velocity);
    solver_.predict(particles, pressed_);
    for_faces(n, [&](std::size_t axis, std::size_t e) {
        start_[axis][e] = velocity[axis][e];
        velocity[axis][e] += pressed_[axis][e];
        pressed_[axis][e] = velocity[axis][e];
    });
    project(velocity);
    ShearReport report;
    for (int pass = 0; pass < options.passes; ++pass) {
        // `pressed_` holds what the projection was given.
        for_faces(n, [&](std::size_t axis, std::size_t e) {
            guess_[axis][e] = velocity[axis][e];
            velocity[axis][e] -= pressed_[axis][e];
        });
        solver_.faces().carry(velocity);
        for_faces(n, [&](std::size_t axis, std::size_t e) {
            velocity[axis][e] += start_[axis][e];
            pressed_[axis][e] = velocity[axis][e];
        });
        // All but the last pass only serve to find the pressure. NOTE: their one step must be looked at, and
        // cut where it overshoots: else liquid that just rests trembles.
        ShearOptions now = options;
        if (pass + 1 < options.passes) now.newton_steps = 1;
        const ShearReport solved = solver_.solve(particles, now, velocity, &guess_);
        report.newton_steps += solved.newton_steps;
        report.iterations += solved.iterations;
        report.residual = solved.residual;
        for_faces(n, [&](std::size_t axis, std::size_t e) {
            velocity[axis][e] += start_[axis][e] - pressed_[axis][e];
            pressed_[axis][e] = velocity[axis][e];
        });
        project(velocity);
    }
    return report;
}

}  // namespace rivulet::liquid
