#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/coupling/capture.h>
#include <rivulet/coupling/strand_drag.h>
#include <rivulet/grid/kernel.h>
#include <rivulet/grid/submerged_elements.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {

namespace {

constexpr double kCell = 0.005;
constexpr std::size_t kPointsPerHair = 80;  // half a cell apart

/// Hair in a tank: straight strands that start anywhere in a cube and run anyhow, some of them out of it.
grid::SubmergedElements hair(std::size_t strands, int edge_cells) {
    const Random random(3, 0);
    grid::SubmergedElements e;
    e.resize(strands * kPointsPerHair);
    for (std::size_t s = 0; s < strands; ++s) {
        const Vec3d root = random.uniform3(2 * s) * (edge_cells * kCell);
        const Vec3d axis = normalized(random.uniform3(2 * s + 1) - Vec3d{0.5, 0.5, 0.5});
        for (std::size_t k = 0; k < kPointsPerHair; ++k) {
            const std::size_t i = s * kPointsPerHair + k;
            e.position[i] = root + axis * (0.5 * kCell * double(k));
            e.velocity[i] = {axis.y, -axis.x, 0.1};
            e.axis[i] = axis;
            e.radius[i] = 4e-5;
            e.volume[i] = 3.14159 * e.radius[i] * e.radius[i] * 0.5 * kCell;
            e.drag[i] = {1e-5, 2e-5};
            e.owner[i] = std::uint32_t(i);
        }
    }
    return e;
}

/// The tank's blocks, whole and one more around.
grid::Topology tank(int edge_cells) {
    grid::TopologyBuilder builder;
    builder.start(kCell, {});
    for (int k = 0; k < edge_cells; k += grid::kBlockEdge)
        for (int j = 0; j < edge_cells; j += grid::kBlockEdge)
            for (int i = 0; i < edge_cells; i += grid::kBlockEdge) builder.add_block({i, j, k});
    grid::Topology topology;
    builder.build(topology);
    return topology;
}

/// The baseline: the same sums by a plain scalar loop over a dense grid, one core. Points outside are
/// skipped.
struct DenseGrid {
    int n;
    std::vector<double> sums[3][4];

    explicit DenseGrid(int edge_cells) : n(edge_cells + 4) {
        for (auto& component : sums)
            for (auto& s : component) s.assign(std::size_t(n) * std::size_t(n) * std::size_t(n), 0);
    }
    void add(const grid::SubmergedElements& e) {
        for (std::size_t i = 0; i < e.size(); ++i)
            for (int a = 0; a < 3; ++a) add(e, i, a);
    }
    void add(const grid::SubmergedElements& e, std::size_t point, int component) {
        int node[3];
        double d[3];
        for (int a = 0; a < 3; ++a) {
            const double s = e.position[point][a] * (1 / kCell) - (a == component ? 0 : 0.5) + 2;
            if (!(s >= 1 && s < n - 2)) return;
            node[a] = static_cast<int>(std::floor(s + 0.5));
            d[a] = s - node[a];
        }
        const grid::QuadraticWeights wx(d[0]), wy(d[1]), wz(d[2]);
        const double volume = e.volume[point], u = e.velocity[point][component];
        const double drag = e.drag[point].diagonal(e.axis[point])[component];
        auto& s = sums[component];
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i) {
                    const std::size_t at =
                        std::size_t((node[2] + k - 1) * n + node[1] + j - 1) * std::size_t(n) +
                        std::size_t(node[0] + i - 1);
                    const double w = wx[i] * wy[j] * wz[k];
                    s[0][at] += w * volume;
                    s[1][at] += w * (volume * u);
                    s[2][at] += w * drag;
                    s[3][at] += w * (drag * u);
                }
    }
};

struct Seconds {
    double sort, rasterise, hand_back;
    std::size_t points, wet;
};

Seconds measure(const grid::Topology& topology, const grid::SubmergedElements& elements) {
    grid::WetElements wet;
    grid::SubmergedFields fields;
    std::vector<Vec3d> impulse(elements.size());
    Seconds s{};
    s.points = elements.size();
    s.sort = best_seconds(5, [&] { wet.sort(topology, elements); });
    s.rasterise = best_seconds(5, [&] { grid::rasterise(topology, wet, elements, fields); });
    s.hand_back = best_seconds(5, [&] {
        grid::hand_to_elements(topology, wet, elements, fields, grid::Share::drag, fields.pull, impulse);
    });
    s.wet = wet.count();
    return s;
}

Counters rasterise_benchmark(const BenchOptions& options) {
    const int edge = options.quick ? 32 : 64;
    const std::size_t strands = options.quick ? 1500 : 12000;
    const grid::Topology topology = tank(edge);
    const grid::SubmergedElements elements = hair(strands, edge);
    const Seconds all = measure(topology, elements);
    const Seconds eighth = measure(topology, hair(strands / 8, edge));
    DenseGrid dense(edge);
    const double plain = best_seconds(3, [&] { dense.add(elements); });
    const double wet = double(all.wet), cores = thread_count();
    Counters counters;
    counters.add("points", double(all.points));
    counters.add("wet_points", wet);
    counters.add("cells", double(topology.cells()));
    counters.add("seconds", all.rasterise);
    counters.add("points_per_second_per_core", wet / all.rasterise / cores);
    counters.add("sorted_points_per_second_per_core", double(all.points) / all.sort / cores);
    counters.add("handed_back_points_per_second_per_core", wet / all.hand_back / cores);
    counters.add("points_per_second_per_core_of_an_eighth", double(eighth.wet) / eighth.rasterise / cores);
    counters.add("plain_dense_points_per_second", wet / plain);
    return counters;
}

/// Nanoseconds of one call of a drag law, over places with every speed and crowding.
double drag_nanoseconds(coupling::DragLaw law, const coupling::DragLiquid& liquid, std::size_t calls) {
    const Random random(4, 0);
    std::vector<coupling::DragPlace> places(1024);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double speed = std::pow(10.0, -5 + 6 * random.uniform(2 * i));
        const Vec3d way = normalized(random.uniform3(2 * i + 1) - Vec3d{0.5, 0.5, 0.5});
        places[i] = {4e-5, {0, 0, 1}, way * speed, kCell, 0.2 * random.uniform(9999 + i)};
    }
    double sum = 0;
    const double seconds = best_processor_seconds(5, [&] {
        for (std::size_t k = 0; k < calls; ++k)
            sum += coupling::line_drag(law, liquid, places[k % places.size()], 1).across;
    });
    return sum > 0 ? seconds / double(calls) * 1e9 : 0;
}

Counters drag_benchmark(const BenchOptions& options) {
    const std::size_t calls = options.quick ? 100'000 : 1'000'000;
    const coupling::DragLiquid water{1000, 1e-3}, cream{200, 17.821, 18.417, 0.22};
    Counters counters;
    counters.add("cylinder_ns", drag_nanoseconds(coupling::DragLaw::cylinder, water, calls));
    counters.add("di_felice_ns", drag_nanoseconds(coupling::DragLaw::di_felice, cream, calls));
    counters.add("darcy_ns", drag_nanoseconds(coupling::DragLaw::darcy, water, calls));
    counters.add("constant_ns", drag_nanoseconds(coupling::DragLaw::constant, water, calls));
    return counters;
}

/// A tank full of liquid, 8 particles in a cell, and hair in it every point of which asks.
Counters capture_benchmark(const BenchOptions& options) {
    const int edge = options.quick ? 24 : 40;
    const grid::Topology topology = tank(edge);
    const Random random(5, 0);
    std::vector<Vec3d> loose(8 * std::size_t(edge) * std::size_t(edge) * std::size_t(edge)), position;
    for (std::size_t i = 0; i < loose.size(); ++i) loose[i] = random.uniform3(i) * (edge * kCell);
    grid::ParticleSorter sorter;
    grid::ParticleOrder order;
    sorter.sort(topology, loose, order);
    grid::reorder(order, loose, position);
    const std::vector<Vec3d> velocity(position.size(), {1, 0, 0});
    const std::vector<double> volume(position.size(), kCell * kCell * kCell / 8), density{1000};
    const coupling::GivingParticles particles{position, velocity, volume, {}, density};
    const grid::SubmergedElements points = hair(options.quick ? 200 : 1000, edge);
    coupling::Askers askers;
    askers.position = points.position;
    askers.demand.assign(points.size(), 1e-3 * volume[0]);
    askers.reach.assign(points.size(), kCell);
    coupling::Capture capture;
    coupling::Captured out;
    const auto run = [&] { capture.run(topology, order, particles, askers, {}, out); };
    const double all = best_processor_seconds(5, run);
    askers.demand.assign(points.size(), 0);
    const double none = best_processor_seconds(5, run);
    std::size_t giving = 0, getting = 0;
    askers.demand.assign(points.size(), 1e-3 * volume[0]);
    run();
    for (const double v : out.given) giving += v > 0;
    for (const double v : out.volume) getting += v > 0;
    Counters counters;
    counters.add("particles", double(position.size()));
    counters.add("giving_particles", double(giving));
    counters.add("askers", double(askers.size()));
    counters.add("getting_askers", double(getting));
    counters.add("seconds", all);
    counters.add("core_ns_per_giving_particle", all / double(giving) * 1e9);
    counters.add("core_ns_per_getting_asker", all / double(getting) * 1e9);
    counters.add("core_ns_per_asker_when_none_asks", none / double(askers.size()) * 1e9);
    return counters;
}

}  // namespace

std::vector<BenchCase> coupling_benchmarks() {
    return {{"coupling", "rasterise", "points of strands to faces and impulses back; at least 2 M/s per core",
             rasterise_benchmark},
            {"coupling", "drag", "one call of each drag law of a strand", drag_benchmark},
            {"coupling", "capture", "liquid from particles to the hair among them, every point asking",
             capture_benchmark}};
}

}  // namespace rivulet::verify
