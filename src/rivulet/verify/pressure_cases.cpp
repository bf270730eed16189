#include <algorithm>
#include <cmath>
#include <functional>

#include <rivulet/grid/topology.h>
#include <rivulet/liquid/surface_tension.h>
#include <rivulet/liquid/viscous_projection.h>
#include <rivulet/verify/case.h>

/// The liquid's operators on given fields, without particles: pressure, viscosity, surface tension.
namespace rivulet::verify {
namespace {

const liquid::PressureOptions kTight{1e-10, 200, 0};

/// Fields over the box [0, n) of cells and one block around it.
struct Rig {
    grid::Topology topology;
    grid::Field phi, pressure, solid_distance;
    grid::FaceField velocity, density;
    grid::FaceBoundary boundary;
    double dt = 1;

    Rig(const Vec3i& n, double cell, const Vec3i& period) {
        grid::TopologyBuilder builder;
        builder.start(cell, period);
        const int e = grid::kBlockEdge;
        for (int k = 0; k < n.z; k += e)
            for (int j = 0; j < n.y; j += e)
                for (int i = 0; i < n.x; i += e) builder.add_block({i, j, k});
        builder.build(topology, 1);
        grid::fill(phi, topology.cells(), -cell);
        grid::fill(solid_distance, topology.cells(), 3 * cell);
        grid::fill(velocity, topology.cells(), 0.0);
        grid::fill(density, topology.cells(), 1.0);
        boundary.clear(topology.cells());
        boundary.rules.push_back({grid::WallKind::no_slip, 0, false, 0});
    }
    mutable grid::FaceFlow flow;  // made anew for every domain
    liquid::PressureDomain domain() const {
        flow.start(boundary, density);
        return {topology, phi, boundary, flow, dt};
    }

    /// body(entry, block, i, j, k)
    template <class F>
    void for_cells(F&& body) const {
        for (std::size_t b = 0; b < topology.size(); ++b)
            for (int k = 0; k < grid::kBlockEdge; ++k)
                for (int j = 0; j < grid::kBlockEdge; ++j)
                    for (int i = 0; i < grid::kBlockEdge; ++i)
                        body(b * grid::kBlockCells + std::size_t(grid::cell_in_block(i, j, k)), b, i, j, k);
    }
};

/// A pressure that vanishes on a wavy surface, in a closed tank with a ball in it.
struct WavyTank {
    static double height(double x, double z) { return 0.71 + 0.06 * std::sin(5 * x) * std::cos(4 * z); }
    static double pressure(const Vec3d& p) {
        return (height(p.x, p.z) - p.y) * (1 + 0.5 * std::sin(3 * p.x + p.y) * std::cos(2 * p.z));
    }
    static double slope(const Vec3d& p, int axis) {
        constexpr double h = 1e-5;
        Vec3d low = p, high = p;
        low[axis] -= h;
        high[axis] += h;
        return (pressure(high) - pressure(low)) / (2 * h);
    }
    static double ball(const Vec3d& p) { return length(p - Vec3d{0.47, 0.36, 0.53}) - 0.23; }
};

struct Flow {
    double open, mean;
};

/// Open part of a face and the mean of the pressure's slope over it, sampled where the ball cuts it.
Flow flow_through(const Vec3d& centre, int axis, double cell) {
    const double distance = WavyTank::ball(centre);
    if (distance >= cell) return {1, WavyTank::slope(centre, axis)};
    if (distance <= -cell) return {0, 0};
    constexpr int kSamples = 24;
    int count = 0;
    double sum = 0;
    for (int u = 0; u < kSamples; ++u)
        for (int v = 0; v < kSamples; ++v) {
            Vec3d p = centre;
            p[(axis + 1) % 3] += ((u + 0.5) / kSamples - 0.5) * cell;
            p[(axis + 2) % 3] += ((v + 0.5) / kSamples - 0.5) * cell;
            if (WavyTank::ball(p) < 0) continue;
            ++count;
            sum += WavyTank::slope(p, axis);
        }
    const double open = count / double(kSamples * kSamples);
    if (open < 0.01) return {0, 0};
    return {open > 0.99 ? 1.0 : open, sum / count};
}

struct Errors {
    double l2 = 0, largest = 0;
};

Errors pressure_errors(int n) {
    const double cell = 1.0 / n;
    Rig rig({n, n, n}, cell, {});
    rig.for_cells([&](std::size_t e, std::size_t b, int i, int j, int k) {
        const Vec3d c = rig.topology.cell_centre(b, i, j, k);
        rig.phi[e] = c.y - WavyTank::height(c.x, c.z);
        const Vec3i at = rig.topology.corner[b] + Vec3i{i, j, k};
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t a = std::size_t(axis);
            Flow flow = flow_through(rig.topology.face_centre(b, i, j, k, axis), axis, cell);
            for (int s = 0; s < 3; ++s)
                if ((s == axis ? at[s] <= 0 : at[s] < 0) || at[s] >= n) flow = {0, 0};
            rig.boundary.open[a][e] = flow.open;
            rig.velocity[a][e] = flow.mean;
        }
    });
    liquid::Projection projection;
    projection.project(rig.domain(), kTight, rig.velocity, rig.pressure);
    Errors errors;
    double count = 0;
    rig.for_cells([&](std::size_t e, std::size_t b, int i, int j, int k) {
        const Vec3d c = rig.topology.cell_centre(b, i, j, k);
        if (!projection.system().liquid[e] || WavyTank::ball(c) < 0) return;
        const double d = rig.pressure[e] - WavyTank::pressure(c);
        errors.l2 += d * d;
        errors.largest = std::max(errors.largest, std::abs(d));
        ++count;
    });
    errors.l2 = std::sqrt(errors.l2 / count);
    return errors;
}

Outcome pressure_order(const Options& options) {
    const std::vector<int> sizes =
        options.quick ? std::vector<int>{16, 32, 64} : std::vector<int>{16, 32, 64, 128};
    Plot plot{"pressure with cut cells and free surface", "cells per edge", "error", {}};
    Curve l2{"L2", {}, {}, true}, largest{"largest", {}, {}, true};
    for (const int n : sizes) {
        const Errors e = pressure_errors(n);
        l2.x.push_back(n), l2.y.push_back(e.l2);
        largest.x.push_back(n), largest.y.push_back(e.largest);
    }
    // Of the last refinement: the coarsest grid has only three cells per radius of the ball.
    const auto order = [&](const Curve& c) { return std::log2(c.y[sizes.size() - 2] / c.y.back()); };
    Outcome outcome;
    outcome.quantities.push_back({"order in L2", order(l2), 1.8, 0, Quantity::Kind::at_least, {}, {}});
    outcome.quantities.push_back(
        {"order of the largest error", order(largest), 1.8, 0, Quantity::Kind::at_least, {}, {}});
    plot.curves = {l2, largest};
    outcome.plots.push_back(plot);
    return outcome;
}

/// Steady flow along x between no-slip walls at y = offset and offset + 1: driven by `force` per volume, the
/// upper wall moving. Largest error against exact(y), and the profile.
struct Profile {
    double error = 0;
    Curve curve{"computed", {}, {}, true};
};
Profile channel(int cells, double force, double wall_speed, const std::function<double(double)>& exact) {
    const double cell = 1.0 / cells, low = 0.3 * cell;
    Rig rig({8, cells + 4, 8}, cell, {8, 0, 8});
    rig.dt = 1e5;
    rig.for_cells([&](std::size_t e, std::size_t b, int i, int j, int k) {
        const double y = rig.topology.cell_centre(b, i, j, k).y - low;
        rig.solid_distance[e] = std::min(y, 1 - y);
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t a = std::size_t(axis);
            const double at = rig.topology.face_centre(b, i, j, k, axis).y - low, half = 0.5 * cell;
            const double part = (std::clamp(at + half, 0.0, 1.0) - std::clamp(at - half, 0.0, 1.0)) / cell;
            const double open = axis == 1 ? double(at > 1e-9 && at < 1 - 1e-9) : part;
            rig.boundary.open[a][e] = open < 0.01 ? 0.0 : open > 0.99 ? 1.0 : open;
            rig.boundary.wall[a][e] = 0;
        }
        if (y > 0.5) rig.boundary.solid_velocity[0][e] = wall_speed;
        rig.velocity[0][e] = force * rig.dt;
    });
    liquid::PressureSystem system;
    liquid::assemble_matrix(rig.domain(), system);
    grid::Field viscosity;
    grid::fill(viscosity, rig.topology.cells(), 1.0);
    const liquid::PressureDomain flow = rig.domain();
    liquid::ViscousProjection().diffuse({flow, system.liquid, viscosity, &rig.solid_distance},
                                        {1e-12, 1e-3, 20000, 40, 0.5}, rig.velocity);
    Profile profile;
    rig.for_cells([&](std::size_t e, std::size_t b, int i, int j, int k) {
        const double y = rig.topology.cell_centre(b, i, j, k).y - low;
        if (y <= 0 || y >= 1) return;
        profile.error = std::max(profile.error, std::abs(rig.velocity[0][e] - exact(y)));
        const Vec3i at = rig.topology.corner[b] + Vec3i{i, j, k};
        if (at.x != 0 || at.z != 0) return;
        profile.curve.x.push_back(y);
        profile.curve.y.push_back(rig.velocity[0][e]);
    });
    return profile;
}

Outcome channel_flow(const Options& options, const std::string& title, double force, double wall_speed,
                     const std::function<double(double)>& exact, bool is_exact) {
    const Profile coarse = channel(8, force, wall_speed, exact);
    const Profile fine = channel(options.quick ? 32 : 64, force, wall_speed, exact);
    Curve reference{"exact", {}, {}, false};
    for (int i = 0; i <= 100; ++i) reference.x.push_back(0.01 * i), reference.y.push_back(exact(0.01 * i));
    Outcome outcome;
    Quantity error{"largest error", fine.error, 1e-3, 0, Quantity::Kind::at_most, {}, {}};
    if (!is_exact) {
        error.order = std::log2(coarse.error / fine.error) / (options.quick ? 2 : 3);
        error.order_least = 1.7;
    }
    outcome.quantities.push_back(error);
    outcome.plots.push_back({title, "y / m", "u / (m/s)", {reference, fine.curve}});
    outcome.remark = "walls 0.3 cells off the grid";
    return outcome;
}

/// Mean pressure in a resting drop of radius 1 mm, σ = 0.072 N/m.
double drop_pressure(int cells_per_radius) {
    const double radius = 1e-3, cell = radius / cells_per_radius;
    const int n = 4 * cells_per_radius;
    Rig rig({n, n, n}, cell, {});
    grid::fill(rig.density, rig.topology.cells(), 1000.0);
    rig.dt = 1e-5;
    const Vec3d centre = Vec3d{2.03, 1.98, 2.01} * radius;
    rig.for_cells([&](std::size_t e, std::size_t b, int i, int j, int k) {
        const double d = length(rig.topology.cell_centre(b, i, j, k) - centre) - radius;
        rig.phi[e] = std::clamp(d, -1.5 * cell, 1.5 * cell);
    });
    grid::Field surface;
    liquid::SurfaceTension().find_pressure(rig.topology, rig.phi, 0.072, surface);
    liquid::PressureDomain domain = rig.domain();
    domain.surface_pressure = &surface;
    liquid::Projection projection;
    projection.project(domain, kTight, rig.velocity, rig.pressure);
    double sum = 0, count = 0;
    for (std::size_t e = 0; e < rig.pressure.size(); ++e)
        if (projection.system().liquid[e]) sum += rig.pressure[e], ++count;
    return sum / count;
}

Outcome static_drop(const Options& options) {
    const int cells = options.quick ? 8 : 12;
    Outcome outcome;
    outcome.quantities.push_back(
        {"pressure, 5 cells per radius [Pa]", drop_pressure(5), 144, 0.03, Quantity::Kind::relative, {}, {}});
    outcome.quantities.push_back({"pressure, " + std::to_string(cells) + " cells per radius [Pa]",
                                  drop_pressure(cells),
                                  144,
                                  0.015,
                                  Quantity::Kind::relative,
                                  {},
                                  {}});
    return outcome;
}

}  // namespace

std::vector<Case> pressure_cases() {
    const auto parabola = [](double y) { return 0.5 * y * (1 - y); };
    const auto line = [](double y) { return 2 * y; };
    return {
        {"liquid", "pressure_order", "manufactured solution; Ng et al. 2009", pressure_order},
        {"liquid", "poiseuille", "parabola G y (1 - y) / 2 mu",
         [=](const Options& o) { return channel_flow(o, "Poiseuille flow", 1, 0, parabola, false); }},
        {"liquid", "couette", "straight line",
         [=](const Options& o) { return channel_flow(o, "Couette flow", 0, 2, line, true); }},
        {"liquid", "static_drop", "Young-Laplace, 2 sigma / R", static_drop},
    };
}

}  // namespace rivulet::verify
