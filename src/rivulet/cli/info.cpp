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
#include <rivulet/scene/costs.h>
#include <rivulet/scene/forecast.h>

namespace rivulet::cli {

namespace {

/// Two digits: more is not known.
std::string rounded_count(double n) {
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(n, 1.0))) - 1));
    return count_text(static_cast<long long>(std::round(n / unit) * unit));
}

/// Of this machine's threads.
double wall_seconds(double core_seconds) {
    return core_seconds * (1 - scene::kSharedWork + scene::kSharedWork / thread_count());
}

void print_costs(const scene::Forecast& f) {
    const double wall = wall_seconds(f.core_seconds);
    if (f.particles_most > f.particles_at_start)
        say("  later       up to about {} particles\n", rounded_count(f.particles_most));
    if (f.contacts >= 1) say("  contacts    about {} at once\n", rounded_count(f.contacts));
    say("  memory      about {}\n  disk        about {}\n", bytes_text(f.memory_bytes),
        bytes_text(f.disk_bytes));
    say("  steps       about {} ({} to {})\n", rounded_count(f.steps), rounded_count(f.steps / f.factor),
        rounded_count(f.steps * f.factor));
    say("  time        about {} ({} to {}) with {} threads\n", duration_text(wall),
        duration_text(wall / f.factor), duration_text(wall * f.factor), thread_count());
    std::string why;
    for (const std::string& reason : f.reasons) why += (why.empty() ? ": " : ", ") + reason;
    say("  sure        within a factor {:.2g}{}\n", f.factor, why);
}

}  // namespace

void print_scene_info(const std::string& path, const std::vector<std::string>& settings, bool json) {
    const scene::Scene scene = scene::read_scene(path, settings);
    const scene::Built built = scene::build(scene);
    const scene::Forecast f = scene::forecast(scene, built);
    const double litres = 1e3 * built.world.ledger.total_initial();
    if (json) {
        say_json(nlohmann::ordered_json{{"scene", path},
                                        {"title", scene.title},
                                        {"frames", built.model.last_frame()},
                                        {"cell", built.model.cell},
                                        {"particles", f.particles_at_start},
                                        {"particles_most", f.particles_most},
                                        {"vertices", f.vertices},
                                        {"contacts", f.contacts},
                                        {"obstacles", scene.obstacles.size()},
                                        {"liquid_volume", built.world.ledger.total_initial()},
                                        {"memory_bytes", f.memory_bytes},
                                        {"disk_bytes", f.disk_bytes},
                                        {"estimated_steps", f.steps},
                                        {"estimated_seconds", wall_seconds(f.core_seconds)},
                                        {"core_seconds", f.core_seconds},
                                        {"factor", f.factor},
                                        {"reasons", f.reasons},
                                        {"warnings", built.warnings}});
        return;
    }
    say("{}{}\n", path, scene.title.empty() ? "" : ": " + printable(scene.title));
    say("  frames      {} at {:.6g} per second ({:.6g} s)\n", built.model.last_frame(), scene.time.fps,
        scene.time.end);
    say("  cell        {:.6g} m\n  particles   {}\n  vertices    {}\n  obstacles   {}\n", built.model.cell,
        count_text(static_cast<long long>(f.particles_at_start)),
        count_text(static_cast<long long>(f.vertices)), scene.obstacles.size());
    say("  liquid      {:.6g} L\n", litres);
    print_costs(f);
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
