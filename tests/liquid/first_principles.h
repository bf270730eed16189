#pragma once

#include <algorithm>
#include <cmath>

#include <liquid/all_cells.h>
#include <rivulet/liquid/free_surface.h>
#include <rivulet/liquid/pressure_system.h>

namespace rivulet::liquid {

/// Entry of the cell below a face; the grid has it.
inline std::size_t cell_below(const grid::Topology& topology, Vec3i at, int axis) {
    at[axis] -= 1;
    return std::size_t(topology.index(at));
}

/// Pressure above a face less that below [Pa], over the part of the way that is liquid; nothing pulls at the
/// surface.
inline double pressure_rise(const PressureDomain& domain, const PressureSystem& system,
                            const grid::Field& pressure, std::size_t e, std::size_t below) {
    const grid::Field& phi = domain.liquid_distance;
    const bool above = system.liquid[e], under = system.liquid[below];
    if (!above && !under) return 0;
    const double p_above = above ? pressure[e] : 0, p_under = under ? pressure[below] : 0;
    const double t = above && under ? 1
                     : above        ? surface_fraction(phi[e], std::max(0.0, phi[below]))
                                    : surface_fraction(phi[below], std::max(0.0, phi[e]));
    return (p_above - p_under) / t;
}

/// Largest divergence [1/s] of all that flows, from what the things are and not from face numbers: liquid
/// with the velocity found, walls, and what is submerged (null: nothing) after the pressure.
inline double largest_divergence(const PressureDomain& domain, const PressureSystem& system,
                                 const grid::FaceField& velocity, const grid::Field& pressure,
                                 const grid::FaceFlow::Submerged* submerged) {
    const grid::Topology& topology = domain.topology;
    const auto flux = [&](const Vec3i& at, int axis) {
        const std::size_t a = std::size_t(axis), e = std::size_t(topology.index(at));
        const double open = domain.boundary.open[a][e];
        const double walls = (1 - open) * domain.boundary.solid_speed(a, e);
        if (!submerged) return open * velocity[a][e] + walls;
        const double filled = open * submerged->fraction[a][e];
        double moved = submerged->velocity[a][e];
        if (!submerged->mobility[a].empty())
            moved -= domain.dt * submerged->mobility[a][e] / topology.cell *
                     pressure_rise(domain, system, pressure, e, cell_below(topology, at, axis));
        return (open - filled) * velocity[a][e] + filled * moved + walls;
    };
    double worst = 0;
    for_cells(topology, [&](std::size_t e, const Vec3i& at) {
        if (!system.liquid[e]) return;
        double sum = 0;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3i up = at;
            up[axis] += 1;
            sum += flux(up, axis) - flux(at, axis);
        }
        worst = std::max(worst, std::abs(sum / topology.cell));
    });
    return worst;
}

}  // namespace rivulet::liquid
