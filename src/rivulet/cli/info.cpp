#include <rivulet/cli/info.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/printable.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/io/lock_file.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/scene/build.h>

namespace rivulet::cli {

namespace {

/// Measured on 2 cores (rivulet bench), for estimates only.
constexpr double kSecondsPerParticleStep = 2e-6, kSecondsPerVertexStep = 6e-6;  // core seconds
constexpr double kBytesPerParticle = 400, kBytesPerVertex = 1500;

struct Sizes {
    double particles, vertices, cells, bytes, steps, seconds;
};

Sizes estimate(const scene::Scene& scene, const scene::Built& built) {
    Sizes s{};
    s.particles = static_cast<double>(built.world.liquid.size());
    s.vertices = static_cast<double>(built.world.strands.vertex_count());
    s.cells = s.particles / 8;
    s.bytes = kBytesPerParticle * s.particles + kBytesPerVertex * s.vertices + 5e7;
    // Speeds are not known before the run: a fall through the box around everything gives their size.
    geometry::Bounds box;
    for (const Vec3d& x : built.world.liquid.position) box.include(x);
    for (const Vec3d& x : built.world.strands.position) box.include(x);
    const double height = box.is_empty() ? 0 : std::max(0.05, box.size().y);
    const double speed = std::sqrt(2 * length(scene.world.gravity) * height);
    double step = built.model.step.max;
    if (speed > 0 && s.particles > 0) step = std::min(step, scene.step.courant * built.model.cell / speed);
    s.steps = static_cast<double>(built.model.last_frame()) * std::ceil(1 / scene.time.fps / step);
    s.seconds = s.steps * (kSecondsPerParticleStep * s.particles + kSecondsPerVertexStep * s.vertices) /
                thread_count();
    return s;
}

}  // namespace

void print_scene_info(const std::string& path, const std::vector<std::string>& settings, bool json) {
    const scene::Scene scene = scene::read_scene(path, settings);
    const scene::Built built = scene::build(scene);
    const Sizes s = estimate(scene, built);
    const double litres = 1e3 * built.world.ledger.total_initial();
    if (json) {
        say_json(nlohmann::ordered_json{{"scene", path},
                                        {"title", scene.title},
                                        {"frames", built.model.last_frame()},
                                        {"cell", built.model.cell},
                                        {"particles", s.particles},
                                        {"vertices", s.vertices},
                                        {"obstacles", scene.obstacles.size()},
                                        {"liquid_volume", built.world.ledger.total_initial()},
                                        {"memory_bytes", s.bytes},
                                        {"estimated_steps", s.steps},
                                        {"estimated_seconds", s.seconds},
                                        {"warnings", built.warnings}});
        return;
    }
    say("{}{}\n", path, scene.title.empty() ? "" : ": " + printable(scene.title));
    say("  frames      {} at {:.6g} per second ({:.6g} s)\n", built.model.last_frame(), scene.time.fps,
        scene.time.end);
    say("  cell        {:.6g} m\n  particles   {}\n  vertices    {}\n  obstacles   {}\n", built.model.cell,
        count_text(static_cast<long long>(s.particles)), count_text(static_cast<long long>(s.vertices)),
        scene.obstacles.size());
    say("  liquid      {:.6g} L\n  memory      about {}\n  time        about {} with {} threads\n", litres,
        bytes_text(s.bytes), duration_text(s.seconds), thread_count());
    for (const auto& m : scene.materials)
        say("  material    {}: {:.5g} kg/m^3, {:.4g} Pa*s\n", m.name, m.density, m.viscosity);
    for (const std::string& n : built.notes) say("  note        {}\n", n);
    for (const std::string& w : built.warnings) say("  warning     {}\n", w);
}

void print_run_info(const std::string& out, bool json) {
    const output::RunPaths paths{out};
    const output::RunRecord r = output::read_run_record(paths.record().string());
    const bool held = io::lock_holder(paths.lock()).has_value();
    std::string status = output::to_text(r.status);
    if (r.status == output::RunStatus::running && !held) status = "died (resume continues it)";
    if (json) {
        nlohmann::ordered_json line = nlohmann::ordered_json::parse(output::to_json(r));
        line["alive"] = held;
        say_json(line);
        return;
    }
    say("{}: {}\n", out, status);
    if (r.error)
        say("  error       frame {}, stage {}, {}: {}\n", r.error->frame, r.error->stage, r.error->entity,
            r.error->message);
    say("  scene       {}\n  frames      {} of {}\n  simulated   {:.6g} s in {} steps\n", r.scene, r.frames,
        r.last_frame, r.simulated_seconds, r.steps);
    say("  wall time   {} with {} threads on {}\n  memory      {} at most\n", duration_text(r.wall_seconds),
        r.threads, r.host, bytes_text(double(r.peak_memory_bytes)));
    say("  particles   {} at most\n  vertices    {}\n", count_text(r.particles_max), count_text(r.vertices));
    double all = 0;
    for (const auto& s : r.stages) all += s.seconds;
    for (const auto& s : r.stages)
        say("  {:22} {:>9}  {:4.1f} %\n", s.name, duration_text(s.seconds),
            all > 0 ? 100 * s.seconds / all : 0);
    for (const std::string& w : r.warnings) say("  warning     {}\n", w);
}

}  // namespace rivulet::cli
