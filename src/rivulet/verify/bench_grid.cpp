#include <algorithm>
#include <cmath>
#include <memory>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {

namespace {

constexpr double kCell = 0.01;

/// A cube of jittered liquid, 8 particles per cell, sorted, turning about an axis.
struct Cube {
    liquid::LiquidState particles;
    grid::Topology topology;
    grid::ParticleOrder order;
    std::vector<double> density{1000};
    int cells;

    explicit Cube(int edge_cells) : cells(edge_cells) {
        const Random random(1, 0);
        std::vector<liquid::NewParticle> made;
        made.reserve(std::size_t(cells) * std::size_t(cells) * std::size_t(cells) * 8);
        const int sites = 2 * cells;
        for (int k = 0; k < sites; ++k)
            for (int j = 0; j < sites; ++j)
                for (int i = 0; i < sites; ++i) {
                    const Vec3d x =
                        (Vec3d{double(i), double(j), double(k)} + random.uniform3(made.size())) * (kCell / 2);
                    made.push_back({x, {-x.y, x.x, 1}, kCell * kCell * kCell / 8, 0, Mat3d{}});
                }
        liquid::LiquidState unsorted;
        liquid::add_particles(unsorted, made);
        grid::TopologyBuilder builder;
        builder.start(kCell, {});
        builder.add_points(unsorted.position);
        builder.build(topology);
        grid::ParticleSorter().sort(topology, unsorted.position, order);
        liquid::sort_particles(topology, order, unsorted, particles);
    }
    grid::ParticleView view() const {
        return {particles.position, particles.velocity, particles.affine,
                particles.volume,   particles.material, density};
    }
};

/// The baseline: a plain scalar loop over a dense grid, one core, no blocks, no colours.
struct DenseGrid {
    int n;
    std::vector<double> mass[3], momentum[3];

    explicit DenseGrid(int cells) : n(cells + 4) {
        const std::size_t size = std::size_t(n) * std::size_t(n) * std::size_t(n);
        for (int a = 0; a < 3; ++a) mass[a].assign(size, 0), momentum[a].assign(size, 0);
    }
    template <class F>
    void for_nodes(const Vec3d& x, int component, F&& body) const {
        int node[3];
        double d[3];
        for (int a = 0; a < 3; ++a) {
            const double s = x[a] * (1 / kCell) - (a == component ? 0 : 0.5) + 2;
            node[a] = static_cast<int>(std::floor(s + 0.5));
            d[a] = s - node[a];
        }
        const grid::QuadraticWeights wx(d[0]), wy(d[1]), wz(d[2]);
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j) {
                const std::size_t row = std::size_t(node[0] - 1) +
                                        std::size_t(n) * (std::size_t(node[1] + j - 1) +
                                                          std::size_t(n) * std::size_t(node[2] + k - 1));
                const double across = wy[j] * wz[k];
                for (int i = 0; i < 3; ++i)
                    body(row + std::size_t(i), wx[i] * across,
                         Vec3d{(i - 1 - d[0]) * kCell, (j - 1 - d[1]) * kCell, (k - 1 - d[2]) * kCell});
            }
    }
    void add(const Cube& cube) {
        const auto& p = cube.particles;
        for (std::size_t i = 0; i < p.size(); ++i)
            for (int a = 0; a < 3; ++a) {
                const double m = p.volume[i] * cube.density[0], u = p.velocity[i][a];
                const Vec3d c = p.affine[i].row(a);
                for_nodes(p.position[i], a, [&](std::size_t at, double w, const Vec3d& arm) {
                    mass[a][at] += w * m;
                    momentum[a][at] += w * m * (u + dot(c, arm));
                });
            }
    }
    void sample(const Cube& cube, std::vector<Vec3d>& velocity, std::vector<Mat3d>& affine) const {
        for (std::size_t i = 0; i < velocity.size(); ++i)
            for (int a = 0; a < 3; ++a) {
                double u = 0;
                Vec3d c;
                for_nodes(cube.particles.position[i], a, [&](std::size_t at, double w, const Vec3d& arm) {
                    const double v = w * momentum[a][at];
                    u += v;
                    c += arm * v;
                });
                velocity[i][a] = u;
                for (int b = 0; b < 3; ++b) affine[i](a, b) = c[b] * (grid::kAffineScale / (kCell * kCell));
            }
    }
};

int edge_of(const BenchOptions& options) {
    return options.quick ? 24 : 50;
}

void add_rates(Counters& counters, std::size_t particles, double seconds, double baseline_seconds) {
    const double n = double(particles), cores = std::min(thread_count(), 64);
    counters.add("particles", n);
    counters.add("seconds", seconds);
    counters.add("particles_per_second_per_core", n / seconds / cores);
    counters.add("plain_dense_particles_per_second", n / baseline_seconds);
}

Counters particle_to_grid_benchmark(const BenchOptions& options) {
    const Cube cube(edge_of(options));
    grid::FaceField mass, momentum, volume;
    const auto run = [&] { grid::particle_to_grid(cube.topology, cube.order, cube.view(), mass, momentum); };
    const double seconds = best_seconds(5, run);
    const double with_volume = best_seconds(
        5, [&] { grid::particle_to_grid(cube.topology, cube.order, cube.view(), mass, momentum, &volume); });
    DenseGrid dense(cube.cells);
    const double plain = best_seconds(3, [&] { dense.add(cube); });
    Counters counters;
    add_rates(counters, cube.particles.size(), seconds, plain);
    counters.add("several_liquids_particles_per_second_per_core",
                 double(cube.particles.size()) / with_volume / thread_count());
    return counters;
}

Counters grid_to_particle_benchmark(const BenchOptions& options) {
    const Cube cube(edge_of(options));
    grid::FaceField mass, velocity;
    grid::particle_to_grid(cube.topology, cube.order, cube.view(), mass, velocity);
    grid::velocity_from_momentum(mass, velocity);
    std::vector<Vec3d> u(cube.particles.size());
    std::vector<Mat3d> affine(u.size()), gradient(u.size());
    const double seconds = best_seconds(5, [&] {
        grid::grid_to_particle(cube.topology, cube.order, velocity, cube.particles.position, u, affine);
    });
    const double with_gradient = best_seconds(5, [&] {
        grid::grid_to_particle(cube.topology, cube.order, velocity, cube.particles.position, u, affine,
                               gradient);
    });
    DenseGrid dense(cube.cells);
    dense.add(cube);
    const double plain = best_seconds(3, [&] { dense.sample(cube, u, affine); });
    Counters counters;
    add_rates(counters, cube.particles.size(), seconds, plain);
    counters.add("with_gradient_particles_per_second_per_core",
                 double(u.size()) / with_gradient / thread_count());
    return counters;
}

Counters sort_benchmark(const BenchOptions& options) {
    const Cube cube(edge_of(options));
    grid::TopologyBuilder builder;
    grid::Topology topology;
    grid::ParticleSorter sorter;
    grid::ParticleOrder order;
    liquid::LiquidState back;
    const double grid_seconds = best_seconds(5, [&] {
        builder.start(kCell, {});
        builder.add_points(cube.particles.position);
        builder.build(topology);
    });
    const double sort_seconds =
        best_seconds(5, [&] { sorter.sort(topology, cube.particles.position, order); });
    const double copy_seconds =
        best_seconds(5, [&] { liquid::sort_particles(topology, order, cube.particles, back); });
    std::size_t bytes = 0;
    liquid::for_particle_arrays(back, [&](auto& array) { bytes += array.size() * sizeof(array[0]); });
    Counters counters;
    const double n = double(cube.particles.size());
    counters.add("particles", n);
    counters.add("blocks", double(topology.size()));
    counters.add("grid_seconds", grid_seconds);
    counters.add("order_seconds", sort_seconds);
    counters.add("copy_seconds", copy_seconds);
    counters.add("particles_per_second_per_core",
                 n / (grid_seconds + sort_seconds + copy_seconds) / thread_count());
    if (options.copy_bytes_per_second > 0)
        counters.add("copy_share_of_bandwidth",
                     2 * double(bytes) / copy_seconds / options.copy_bytes_per_second);
    return counters;
}

}  // namespace

std::vector<BenchCase> grid_benchmarks() {
    return {
        {"liquid", "particle_to_grid", "APIC particles to faces, sorted, 8 per cell; at least 8 M/s per core",
         particle_to_grid_benchmark},
        {"liquid", "grid_to_particle",
         "APIC faces to particles, sorted, 8 per cell; at least 12 M/s per core", grid_to_particle_benchmark},
        {"liquid", "sort", "block list, particle order and copy of all particle arrays", sort_benchmark}};
}

}  // namespace rivulet::verify
