#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/verify/liquid_rig.h>
#include <rivulet/verify/list.h>

namespace rivulet::verify {
namespace {

struct Measured {
    double seconds_per_step = 0, processor_seconds_per_step = 0;
    std::vector<std::pair<std::string, double>> stages;  // seconds per step
    std::size_t particles = 0;
    double pressure_iterations = 0, grid_cells = 0;
};

/// A column of `cells`³·2 cells, 8 particles each, breaks in a tank; timed after the first steps.
Measured dam_break_steps(int cells, int warm_up, int steps) {
    LiquidRig rig(1.0 / cells);
    rig.model.step.max = 1.0 / 200;
    rig.model.fps = 200;
    rig.add_tank({0, 0, 0}, {4, 3, 1});
    rig.add_box_of_liquid({0, 0, 0}, {1, 2, 1}, 0.5);
    rig.start();
    for (int i = 0; i < warm_up; ++i) rig.step();
    Measured m;
    const double processor_before = processor_seconds();
    for (int i = 0; i < steps; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const world::StepCounts counts = rig.step();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        m.seconds_per_step += spent.count() / steps;
        m.pressure_iterations += double(counts.pressure_iterations) / steps;
        m.grid_cells = double(counts.grid_cells);
        for (const auto& s : rig.stepper().timers().stages()) {
            auto it = std::find_if(m.stages.begin(), m.stages.end(),
                                   [&](const auto& known) { return known.first == s.name; });
            if (it == m.stages.end()) it = m.stages.insert(m.stages.end(), {s.name, 0.0});
            it->second += s.seconds / steps;
        }
    }
    m.processor_seconds_per_step = (processor_seconds() - processor_before) / steps;
    m.particles = rig.world.liquid.size();
    return m;
}

Counters dam_break_step(const BenchOptions& options) {
    // 2·40³·8 = 1.02 M particles, 2·19³·8 = 110 k (the 119 k of the published dragging test, nearly).
    const int cells = options.quick ? 19 : 40, warm_up = options.quick ? 20 : 10,
              steps = options.quick ? 10 : 5;
    const double memory_before = double(restart_peak_memory());
    const Measured all = dam_break_steps(cells, warm_up, steps);
    const double memory = double(peak_memory_bytes()) - memory_before;
    Counters counters;
    counters.add("particles", double(all.particles));
    counters.add("seconds_per_step", all.seconds_per_step);
    const Measured one = thread_count() == 1 ? all : with_threads(1, [&] {
        return dam_break_steps(cells, warm_up, std::max(2, steps / 2));
    });
    const double particles = double(all.particles);
    counters.add("microseconds_per_particle_step_one_core", 1e6 * one.seconds_per_step / particles);
    counters.add("processor_microseconds_per_particle_step",
                 1e6 * one.processor_seconds_per_step / particles);
    counters.add("thread_speedup", one.seconds_per_step / all.seconds_per_step);
    counters.add("grid_cells_per_particle", all.grid_cells / particles);
    counters.add("pressure_iterations_per_step", all.pressure_iterations);
    for (std::size_t i = 0; i < all.stages.size(); ++i) {
        const auto& [name, seconds] = all.stages[i];
        if (seconds <= 0.005 * all.seconds_per_step) continue;
        counters.add("share_" + name, seconds / all.seconds_per_step);
        if (thread_count() > 1) counters.add("thread_speedup_" + name, one.stages[i].second / seconds);
    }
    counters.add("bytes_per_particle", memory / double(all.particles));
    counters.remark =
        "processor time is that of one thread: other work on the machine does not count in it; bytes per "
        "particle are the growth of the peak memory, roll-back copy and grid included";
    return counters;
}

}  // namespace

std::vector<BenchCase> liquid_benchmarks() {
    return {{"liquid", "dam_break_step",
             "whole step of a 1 M-particle dam break: at most 0.7 us per particle-step and core, 400 B per "
             "particle, 1.8 times faster with 2 threads",
             dam_break_step}};
}

}  // namespace rivulet::verify
