#include <rivulet/world/stepper.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/world/stages.h>

namespace rivulet::world {

namespace {
/// After a failed step the step size recovers by this factor per good step.
constexpr double kRecovery = 1.1;

/// The liquid is left out: the sort writes it.
void copy_all_but_liquid(const World& now, World& next) {
    std::size_t at = 0;
    for_each_member(now, [&](const auto& from) {
        std::size_t here = 0;
        for_each_member(next, [&](auto& to) {
            using To = std::remove_reference_t<decltype(to)>;
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(from)>, To> &&
                          !std::is_same_v<To, liquid::LiquidState>)
                if (here == at) to = from;
            ++here;
        });
        ++at;
    });
}

/// Box around everything that moves freely.
geometry::Bounds occupied(const World& world) {
    const auto around = [](const std::vector<Vec3d>& points) {
        return ordered_reduce(
            points.size(), 8192, geometry::Bounds{},
            [&](std::size_t begin, std::size_t end) {
                geometry::Bounds b;
                for (std::size_t i = begin; i < end; ++i) b.include(points[i]);
                return b;
            },
            [](geometry::Bounds a, const geometry::Bounds& b) {
                a.include(b);
                return a;
            });
    };
    geometry::Bounds box = around(world.liquid.position);
    box.include(around(world.strands.position));
    return box;
}

}  // namespace

Stepper::Stepper(const Model& model, Log log, TestStage test_stage)
    : model_(model),
      log_(std::move(log)),
      test_stage_(std::move(test_stage)),
      liquid_(model),
      strands_(model) {}

double Stepper::wanted_step(const World& world) const {
    const double liquid_speed = liquid::max_speed(world.liquid);
    const double solid_speed = model_.obstacles.max_speed(world.clock.time, model_.step.max, occupied(world));
    // Waves one cell long run at about sqrt(g cell): liquid at rest must not outpace them either.
    const double wave_speed_squared = world.liquid.size() == 0 ? 0 : length(model_.gravity) * model_.cell;
    const double speed = std::max(
        {std::sqrt(liquid_speed * liquid_speed + wave_speed_squared), solid_speed, liquid_.inflow_speed()});
    double wanted = std::min(model_.step.max, liquid_.step_limit());
    if (speed > 0) wanted = std::min(wanted, model_.step.courant * model_.cell / speed);
    wanted = std::max(wanted, model_.step.min);
    return std::min(wanted, world.clock.step_limit);
}

StepCounts Stepper::advance(World& world) {
    timers_.start_step();
    const double next_frame = frame_time(world.clock.frame + 1, model_.fps);
    double dt = timers_.time("choose_step",
                             [&] { return fitted_step(next_frame - world.clock.time, wanted_step(world)); });
    StepCounts counts;
    for (int number = 0;; ++number, dt *= 0.5) {
        counts = {};
        counts.dt = dt;
        counts.retries = number;
        const StepView view{world.clock.time, dt, world.clock.step, model_.gravity, model_.seed};
        try {
            attempt(world, next_, view, counts, number);
            break;
        } catch (const StepFailed& failure) {
            log_.warning(fmt::format("step {} at {:.6g} s with dt {:.3g} s: {}", view.step, view.time, dt,
                                     failure.what()));
            if (number >= model_.step.retries || dt * 0.5 < model_.step.min) throw;
        }
    }
    ClockState& clock = next_.clock;
    if (ends_frame(clock.time, dt, next_frame)) {
        clock.time = next_frame;
        ++clock.frame;
    } else {
        clock.time += dt;
    }
    ++clock.step;
    clock.step_limit = counts.retries > 0 ? dt : std::min(clock.step_limit * kRecovery, 1e300);
    std::swap(world, next_);
    return counts;
}

void Stepper::attempt(const World& now, World& next, const StepView& view, StepCounts& counts, int number) {
    const auto stage = [&](const char* name, auto&& work) { timers_.time(name, work); };

    stage("begin", [&] { copy_all_but_liquid(now, next); });
    geometry::SolidField solids;
    stage("drive", [&] {
        solids = model_.obstacles.field_over(view.time, view.dt);
        strands_.drive(next.strands, view);
    });
    stage("rasterise_liquid", [&] { liquid_.rasterise(now.liquid, next.liquid, solids, view); });
    stage("predict_solids", [&] { strands_.solve(next.strands, view, counts); });
    stage("project", [&] { liquid_.project(next.liquid, view, counts); });
    stage("move", [&] {
        liquid_.move(next.liquid, solids, view);
        strands_.move(next.strands, view);
        move_rooms(next, view);
    });
    stage("resample_particles", [&] { liquid_.resample(next.liquid, solids, view); });
    stage("exchange", [&] { liquid_.exchange(next.liquid, solids, view, next.ledger); });
    if (test_stage_) stage("test", [&] { test_stage_(view, number, next); });
    stage("commit", [&] {
        if (static_cast<std::int64_t>(next.liquid.size()) > model_.most_particles)
            throw StepFailed("commit", "liquid",
                             fmt::format("{} particles, more than output.max_particles allows ({})",
                                         next.liquid.size(), model_.most_particles));
        require_finite(next);
    });
}

}  // namespace rivulet::world
