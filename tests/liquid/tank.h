#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include <liquid/all_cells.h>
#include <rivulet/grid/face_boundary.h>
#include <rivulet/liquid/pressure_system.h>

namespace rivulet::liquid {

/// Grid fields over the box [0, n) of cells plus one block around it, as tests of the projection need them.
/// The box is closed: faces on and outside its sides are walls of rule 0, except on periodic axes.
struct Tank {
    grid::Topology topology;
    Vec3i n;
    grid::Field phi, pressure;
    grid::FaceField velocity, density;
    grid::FaceBoundary boundary;
    mutable grid::FaceFlow flow;  // made anew for every domain
    double dt = 0.01;

    using CellFunction = std::function<double(const Vec3d&)>;
    using FaceFunction = std::function<double(const Vec3d&, int axis)>;

    Tank(const Vec3i& cells, double cell, const Vec3i& period = {}) : n(cells) {
        grid::TopologyBuilder builder;
        builder.start(cell, period);
        for (int k = 0; k < n.z; k += grid::kBlockEdge)
            for (int j = 0; j < n.y; j += grid::kBlockEdge)
                for (int i = 0; i < n.x; i += grid::kBlockEdge) builder.add_block({i, j, k});
        builder.build(topology, 1);
        const std::size_t entries = topology.cells();
        grid::fill(phi, entries, -cell);
        grid::fill(velocity, entries, 0.0);
        grid::fill(density, entries, 1000.0);
        boundary.clear(entries);
        boundary.rules.push_back({grid::WallKind::slip, 0, false, 0});
        for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            for (int a = 0; a < 3; ++a) {
                if (period[a] > 0) continue;
                const bool outside = a == axis ? at[a] <= 0 || at[a] >= n[a] : at[a] < 0 || at[a] >= n[a];
                if (!outside) continue;
                boundary.open[std::size_t(axis)][e] = 0;
                boundary.wall[std::size_t(axis)][e] = 0;
            }
        });
    }

    PressureDomain domain() const {
        flow.start(boundary, density);
        return {topology, phi, boundary, flow, dt};
    }

    /// body(entry, cell index) for all cells.
    template <class F>
    void for_cells(F&& body) const {
        liquid::for_cells(topology, body);
    }
    /// body(entry, cell index, axis) for all lower faces.
    template <class F>
    void for_faces(F&& body) const {
        for_cells([&](std::size_t e, const Vec3i& at) {
            for (int axis = 0; axis < 3; ++axis) body(e, at, axis);
        });
    }
    Vec3d centre(const Vec3i& at) const { return (to_double(at) + Vec3d{0.5, 0.5, 0.5}) * topology.cell; }
    Vec3d face_centre(const Vec3i& at, int axis) const {
        Vec3d c = centre(at);
        c[axis] -= 0.5 * topology.cell;
        return c;
    }
    void set_phi(const CellFunction& f) {
        for_cells([&](std::size_t e, const Vec3i& at) { phi[e] = f(centre(at)); });
    }
    void set_velocity(const FaceFunction& f) {
        for_faces([&](std::size_t e, const Vec3i& at, int axis) {
            velocity[std::size_t(axis)][e] = f(face_centre(at, axis), axis);
        });
    }
    bool inside(const Vec3i& at) const {
        return at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < n.x && at.y < n.y && at.z < n.z;
    }
};

}  // namespace rivulet::liquid
