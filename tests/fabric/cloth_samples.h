#pragma once

#include <rivulet/base/random.h>
#include <rivulet/fabric/solve.h>

namespace rivulet::fabric::samples {

inline FabricMaterial cotton() {
    FabricMaterial m;
    m.areal_density = 0.15;
    m.stretch = {600, 500, 60, 60};
    m.bend = {8e-6, 6e-6, 1e-6, 2e-6};
    return m;
}

/// A mesh with its state, ready to step.
struct Cloth {
    std::vector<FabricMaterial> materials;
    FabricState state;
    Mesh mesh;

    explicit Cloth(Sheet sheet, FabricMaterial material = cotton()) : materials{std::move(material)} {
        const Piece piece{std::move(sheet), 0};
        mesh = make_mesh(std::span(&piece, 1), materials, state);
    }
    /// Puts it into waves of this height and sets it swirling.
    void crumple(double height, double speed) {
        const Random random(5, 1);
        for (std::size_t v = 0; v < state.vertex_count(); ++v) {
            Vec3d& p = state.position[v];
            p.z += height * std::sin(40 * p.x) * std::cos(30 * p.y);
            state.velocity[v] =
                speed * Vec3d{std::sin(25 * p.y), std::cos(35 * p.x), random.uniform(v, -1, 1)};
        }
        state.director = mean_directors(mesh.topology, state.position);
    }
    /// Holds a vertex where it is.
    void hold(std::size_t v) {
        state.held.vertex[v] = 1;
        state.held.position[v] = state.position[v];
    }
    SolveReport step(Solver& solver, double dt, const elastic::PointLoads& loads,
                     const SolveOptions& options = {}) {
        Motion motion;
        const SolveReport report = solver.solve(state, mesh, materials, loads, dt, motion, options);
        commit(state, mesh.topology, motion, dt);
        return report;
    }
};

}  // namespace rivulet::fabric::samples
