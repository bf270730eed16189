#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/film/coat.h>
#include <rivulet/film/line_forces.h>
#include <rivulet/verify/bench_case.h>

/// Forces along the films of wet strands of 30 vertices, 15 cm long.
namespace rivulet::verify {
namespace {

using namespace film;

constexpr std::size_t kVertices = 30;
constexpr double kRadius = 45e-6, kSegment = 5e-3, kStep = 1e-3;

/// Films of 20 to 300 um that flow down.
struct WetStrands {
    std::size_t strands;
    std::vector<double> area, strain, speed, face_area, drive;
    std::vector<double> length, radius, edge_length;  // of one strand
    std::vector<double> friction, force, tension, end_speed;

    explicit WetStrands(std::size_t count) : strands(count) {
        const Random random(17, 1);
        const std::size_t vertices = strands * kVertices;
        for (std::size_t v = 0; v < vertices; ++v) {
            area.push_back(coat_area(kRadius, kRadius, 20e-6 + 280e-6 * random.uniform(2 * v)));
            strain.push_back(0.1 * random.uniform(2 * v + 1));
        }
        for (std::size_t v = 0; v < vertices; ++v) {
            speed.push_back(0.01 * random.uniform(2 * (vertices + v)));
            drive.push_back(9.81 * random.uniform(2 * (vertices + v) + 1));
            face_area.push_back(area[v]);
        }
        length.assign(kVertices, kSegment);
        length.front() = length.back() = 0.5 * kSegment;
        radius.assign(kVertices, kRadius);
        edge_length.assign(kVertices - 1, kSegment);
        for (auto* array : {&friction, &force, &tension, &end_speed}) array->resize(vertices);
    }

    void run(const std::vector<FilmLiquid>& liquids, const FlowOptions& options) {
        parallel_chunks(strands, 64, [&](std::size_t begin, std::size_t end, std::size_t) {
            LineScratch scratch;
            for (std::size_t s = begin; s < end; ++s) {
                const std::size_t at = s * kVertices, n = kVertices;
                const auto vertex = [&](auto& all) { return std::span(all).subspan(at, n); };
                const auto edge = [&](auto& all) { return std::span(all).subspan(at, n - 1); };
                const FilmLine line{vertex(area), length,          radius,      vertex(strain), edge_length,
                                    edge(speed),  edge(face_area), edge(drive), liquids,        {}};
                line_forces(line, options, kStep, scratch,
                            {edge(friction), edge(force), vertex(tension), edge(end_speed)});
            }
        });
    }
};

Counters run_flow(const BenchOptions& options, const FilmLiquid& liquid, bool beads) {
    WetStrands wet(options.quick ? 1000 : 10000);
    const std::vector<FilmLiquid> liquids{liquid};
    FlowOptions flow;
    flow.surface_tension = beads;
    const double seconds = best_processor_seconds(5, [&] { wet.run(liquids, flow); });
    Counters c;
    c.add("cells_per_second_per_core", double(wet.area.size()) / seconds);
    return c;
}

}  // namespace

std::vector<BenchCase> film_benchmarks() {
    const FilmLiquid water{1000, 0.072, 0, 1e-3, 1, 0}, cream{300, 0.03, 2, 1.5, 0.4, 300};
    const std::string lines = "forces along the films of 10000 strands of 30 vertices, ";
    return {
        {"film", "flow", lines + "water; at least 5 M cells/s per core",
         [=](const BenchOptions& options) { return run_flow(options, water, false); }},
        {"film", "flow_beads", lines + "water with surface tension",
         [=](const BenchOptions& options) { return run_flow(options, water, true); }},
        {"film", "flow_thick", lines + "cream that yields and remembers; at least 2 M cells/s per core",
         [=](const BenchOptions& options) { return run_flow(options, cream, false); }},
    };
}

}  // namespace rivulet::verify
