#include <fmt/format.h>

#include <string>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/film/coat.h>
#include <rivulet/film/line_forces.h>
#include <rivulet/scene/build.h>
#include <rivulet/verify/bench_case.h>
#include <rivulet/world/stepper.h>

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

/// Hair of 15 cm in rows, 30 vertices each, hanging aslant; the whole step without contact.
std::string hair(std::size_t side, const std::string& film) {
    return fmt::format(R"(format = 1
time = {{ fps = 50, end = "10 s" }}
step = {{ max = "1 ms" }}
contact = {{ law = "none" }}
[strands.hair]
material = "human_hair"
radius = {{ root = "45 um" }}
segment = "5.1724 mm"
{}
groom = {{ type = "rows", columns = {}, rows = {}, column_step = "2, 0, 0 mm", row_step = "0, 0, 2 mm",
          direction = [0.3, -1, 0.1], length = "15 cm" }}
)",
                       film, side, side);
}

struct Stepped {
    double seconds = 0;  // of processor time, per step
    std::size_t vertices = 0;
    double film_bytes = 0;  // per vertex
};
Stepped time_steps(const std::string& text, int steps) {
    scene::Built built = scene::build(scene::read_scene_text(text, "bench.toml", "."));
    world::Stepper stepper(built.model);
    for (int i = 0; i < 5; ++i) stepper.advance(built.world);
    Stepped out;
    out.vertices = built.world.strands.vertex_count();
    out.seconds = best_processor_seconds(3,
                                         [&] {
                                             for (int i = 0; i < steps; ++i) stepper.advance(built.world);
                                         }) /
                  steps;
    // The state stands twice: as it was and as it becomes.
    std::size_t state = 0;
    film::FilmState::fields(built.world.film,
                            [&](const FieldInfo&, auto& f) { state += 2 * f.capacity() * sizeof(f[0]); });
    out.film_bytes = double(state + stepper.films().memory()) / double(out.vertices);
    return out;
}

Counters run_step(const BenchOptions& options) {
    const std::size_t side = options.quick ? 30 : 100;
    const int steps = options.quick ? 5 : 10;
    const Stepped dry = time_steps(hair(side, ""), steps);
    const Stepped wet = time_steps(hair(side, "film = { liquid = \"water\", thickness = \"20 um\" }"), steps);
    Counters c;
    c.add("vertices", double(wet.vertices));
    c.add("dry_us_per_vertex", 1e6 * dry.seconds / double(dry.vertices));
    c.add("wet_us_per_vertex", 1e6 * wet.seconds / double(wet.vertices));
    c.add("wet_over_dry", wet.seconds / dry.seconds);
    c.add("film_bytes_per_vertex", wet.film_bytes);
    return c;
}

/// Against libWetHair's dripping test: one strand of 41 vertices, 53 ms per step on two cores.
Counters run_one_strand(const BenchOptions&) {
    std::string text = hair(1, "film = { liquid = \"water\", thickness = \"60 um\" }");
    text.replace(text.find("5.1724 mm"), 9, "3.75 mm");
    const Stepped one = time_steps(text, 200);
    Counters c;
    c.add("vertices", double(one.vertices));
    c.add("us_per_step", 1e6 * one.seconds);
    c.add("times_published", 53e-3 / one.seconds);
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
        {"film", "step", "whole step of 10000 wet strands of 30 vertices; at most 1.5 times the dry one",
         run_step},
        {"film", "one_strand", "whole step of one wet strand of 41 vertices; at least 100 times published",
         run_one_strand},
    };
}

}  // namespace rivulet::verify
