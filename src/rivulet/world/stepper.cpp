#include <rivulet/world/stepper.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/obstacle/step_limit.h>
#include <rivulet/world/limit_reached.h>
#include <rivulet/world/liquid_stages.h>
#include <rivulet/world/stages.h>

namespace rivulet::world {

namespace {
/// After a failed step the step size recovers by this factor per good step.
constexpr double kRecovery = 1.1;

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
      films_(model),
      across_(model),
      drip_(model),
      strands_(model),
      wet_(model),
      capture_(model),
      contacts_(model) {}

double Stepper::wanted_step(const World& world) {
    limits_.clear();
    limits_.add("step.max", model_.step.max);
    limit_step(model_, world.liquid, world.clock.time, liquid_, limits_);
    limits_.add("obstacles", obstacle::longest_step(model_.obstacles, world.clock.time, model_.step.max,
                                                    model_.step.courant * model_.cell, occupied(world)));
    limits_.add("films", films_.longest_step(world.film, world.strands, model_.step.max));
    limits_.add("roots", strands_.longest_step(world.strands, world.clock.time, model_.step.max));
    limit_submerged(world);
    return std::min(std::max(limits_.shortest(), model_.step.min), world.clock.step_limit);
}

void Stepper::limit_submerged(const World& world) {
    if (!model_.wet.any() || world.strands.strand_count() == 0) return;
    const double way = model_.step.courant * model_.cell;
    limits_.add_speed(
        "submerged strands",
        submerged_.fastest(world.strands, world.liquid, model_.cell, model_.period, way / limits_.shortest()),
        way);
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
        } catch (const LimitReached&) {
            throw;
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

template <class F>
void Stepper::stage(const char* name, F&& work) {
    try {
        timers_.time(name, work);
    } catch (StepFailed& failure) {
        failure.in_stage(name);
        throw;
    }
}

void Stepper::attempt(const World& now, World& next, const StepView& view, StepCounts& counts, int number) {
    assert(view.dt > 0 && now.liquid.position.size() == now.liquid.size());
    geometry::SolidField solids;
    stage("carry_over", [&] { carry_over(now, next); });
    stage("drive", [&] {
        solids = model_.obstacles.field_over(view.time, view.dt);
        strands_.drive(next.strands, view);
    });
    stage("sort_particles", [&] { sort_particles(model_, now.liquid, next.liquid, solids, view, liquid_); });
    stage("capture", [&] {
        films_.remember(next.film);
        capture_.run(next.film, next.strands, next.liquid, view, liquid_);
    });
    stage("rasterise_solids", [&] { wet_.place(next.strands, liquid_); });
    stage("rasterise_liquid", [&] { rasterise_liquid(next.liquid, solids, view, liquid_); });
    stage("detect_tearing", [&] { detect_tearing(next.liquid, liquid_); });
    stage("advect_films", [&] {
        across_.run(next.film, next.strands, now.contacts, view);
        films_.advect(next.film, next.strands, view);
        strands_.carry(films_.loads(next.film));
    });
    stage("exchange_drag", [&] {
        wet_.resist(next.strands, next.liquid, view, liquid_);
        strands_.immerse(wet_.loads());
    });
    const StrandImpulses* touching = nullptr;  // impulses that contacts had in the last step
    stage("predict_solids", [&] {
        touching = &contacts_.begin(now.contacts, next.strands, view.dt);
        strands_.predict(next.strands, view, *touching, contacts_.active(next.strands) || wet_.active(),
                         counts);
        wet_.find_answers(next.strands, strands_, liquid_);
    });
    stage("detect_contacts", [&] {
        contacts_.detect(next.strands, strands_.motion(), solids, next.film, wet_.loads().dryness,
                         now.contacts, view);
    });
    solve_flow(next, view, *touching, counts);
    stage("resolve_contacts", [&] { contacts_.resolve(next.strands, solids, view, strands_, counts); });
    stage("settle_solids",
          [&] { contacts_.settle(next.strands, solids, view, strands_, next.contacts, counts); });
    stage("extend_flow", [&] {
        wet_.give_back(strands_.motion(), liquid_);
        extend_flow(model_, next.liquid, view, liquid_);
    });
    stage("flow_films", [&] {
        films_.flow(next.film, next.strands, strands_.motion(), view);
        drip_.find_due(next.film, next.strands, strands_.motion(), view);
    });
    stage("move", [&] {
        move_liquid(model_, next.liquid, solids, view, liquid_);
        strands_.move(next.strands, view, contacts_.shift());
        films_.turn(next.film, now.strands, next.strands);
        move_rooms(next, view);
    });
    stage("resample_particles", [&] { resample_particles(model_, next.liquid, solids, view, liquid_); });
    stage("drip", [&] { drip_.release(next.film, next.strands, solids, next.liquid); });
    stage("feed_and_drain", [&] {
        films_.feed(next.film, next.strands, view, next.ledger);
        feed_and_drain(model_, next.liquid, solids, view, liquid_, next.ledger);
    });
    if (test_stage_) stage("test", [&] { test_stage_(view, number, next); });
    stage("commit", [&] { commit(next); });
}

void Stepper::solve_flow(const World& next, const StepView& view, const StrandImpulses& touching,
                         StepCounts& counts) {
    stage("build_flow", [&] {
        start_flow(liquid_);
        wet_.mix(liquid_);
        build_flow(model_, next.liquid, view, liquid_);
    });
    bool settled = false;
    for (int pass = 0; !settled; ++pass) {
        if (pass > 0)
            stage("exchange_drag", [&] {
                start_flow(liquid_);
                wet_.mix(liquid_);
            });
        for (int round = 0; round < flow_rounds(model_, view, liquid_); ++round) {
            stage("solve_shear", [&] { solve_shear(model_, next.liquid, view, round, liquid_, counts); });
            stage("project", [&] { project(model_, view, round, liquid_, counts); });
        }
        stage("correct_solids",
              [&] { settled = wet_.correct(next.strands, view, touching, pass, liquid_, strands_, counts); });
    }
}

void Stepper::commit(const World& next) const {
    if (static_cast<std::int64_t>(next.liquid.size()) > model_.liquid.most_particles)
        throw LimitReached("liquid", fmt::format("{} particles, more than output.max_particles allows ({})",
                                                 next.liquid.size(), model_.liquid.most_particles));
    require_finite(next);
}

}  // namespace rivulet::world
