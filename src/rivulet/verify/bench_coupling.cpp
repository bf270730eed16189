#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
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

}  // namespace

std::vector<BenchCase> coupling_benchmarks() {
    return {{"coupling", "rasterise", "points of strands to faces and impulses back; at least 2 M/s per core",
             rasterise_benchmark}};
}

}  // namespace rivulet::verify
