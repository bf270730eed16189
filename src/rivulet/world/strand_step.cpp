#include <rivulet/world/strand_step.h>

#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/air_drag.h>
#include <rivulet/strand/commit.h>

namespace rivulet::world {
namespace {

/// Most that a held end may do in a step: it is seen at the ends of steps only, and strands follow it along a
/// straight way.
constexpr double kMostTurn = 0.15;  // rad
constexpr double kMostTravel = 1;   // lengths of its edge
constexpr double kStepsPerGust = 8;

}  // namespace

void StrandStep::gather_ends(const strand::StrandState& now, double time, strand::End end) {
    const bool root = end == strand::End::root;
    const strand::EndBindings& bound = root ? model_.strands.roots : model_.strands.tips;
    const auto& carriers = root ? model_.strands.carriers : model_.strands.tip_carriers;
    const strand::EndTargets& target = root ? now.root_target : now.tip_target;
    ends_.assign(carriers.size(), {});
    const auto rest_of = [&](std::size_t s, std::int32_t c) {
        if (bound.corner[s].x < 0) return bound.position[s];
        const auto i = static_cast<std::size_t>(carriers[std::size_t(c)].obstacle);
        return inverse(model_.obstacles.pose_at(i, time)).apply(target.position[s]);
    };
    for (std::size_t s = 0; s < bound.size(); ++s) {
        const std::int32_t c = bound.carrier[s];
        if (c < 0 || bound.kind[s] == std::uint8_t(strand::EndKind::free)) continue;
        HeldEnds& ends = ends_[std::size_t(c)];
        ends.rest.include(rest_of(s, c));
        ends.length += now.rest_length[root ? now.begin(s) : now.end(s) - 2];
        ++ends.count;
    }
}

double StrandStep::step_for(const strand::StrandState& now, double time, double longest, strand::End end) {
    const auto& carriers = end == strand::End::root ? model_.strands.carriers : model_.strands.tip_carriers;
    double step = longest;
    gather_ends(now, time, end);
    for (std::size_t c = 0; c < ends_.size(); ++c) {
        if (ends_[c].count == 0 || time >= carriers[c].release) continue;
        const double edge = ends_[c].length / double(ends_[c].count);
        if (const int i = carriers[c].obstacle; i >= 0)
            step = std::min(step, model_.obstacles.frame_interval(std::size_t(i)));
        // The bounds grow with the step, in proportion to it while a motion is even.
        for (int tries = 0; tries < 60; ++tries) {
            const obstacle::Reach reach =
                carriers[c].reach(ends_[c].rest, model_.obstacles, time, time + step);
            const double much = std::max(reach.turn / kMostTurn, reach.travel / (kMostTravel * edge));
            if (much <= 1) break;
            step *= std::clamp(1 / much, 0.1, 0.9);
        }
    }
    return step;
}

double StrandStep::longest_step(const strand::StrandState& now, double time, double longest) {
    if (now.strand_count() == 0) return longest;
    const StrandModel& model = model_.strands;
    double step = longest;
    if (model.has_air && model.wind.gust != 0) step = std::min(step, model.wind.gust_period / kStepsPerGust);
    step = step_for(now, time, step, strand::End::root);
    return step_for(now, time, step, strand::End::tip);
}

void StrandStep::drive(strand::StrandState& next, const StepView& view) const {
    if (next.strand_count() > 0) drive_ends(model_.strands, model_.obstacles, view.time + view.dt, next);
}

strand::Loads StrandStep::loads(const StepView& view, const StrandImpulses& impulses) {
    strand::Loads loads;
    loads.gravity = view.gravity;
    if (model_.strands.has_air || !liquid_.force.empty()) {
        loads.force = force_;
        loads.force_slope = slope_;
    }
    loads.film = film_;
    const std::span<const Vec3d> parts[] = {impulses.impulse, liquid_.impulse};
    std::size_t given = 0;
    for (const std::span<const Vec3d> part : parts) {
        if (part.empty()) continue;
        if (++given == 1) {
            loads.impulse = part;
            continue;
        }
        if (given == 2) impulse_.assign(loads.impulse.begin(), loads.impulse.end());
        for (std::size_t v = 0; v < part.size(); ++v) impulse_[v] += part[v];
        loads.impulse = impulse_;
    }
    loads.angular_impulse = impulses.angular_impulse;
    return loads;
}

void StrandStep::predict(const strand::StrandState& next, const StepView& view,
                         const StrandImpulses& impulses, bool answers, StepCounts& counts) {
    if (next.strand_count() == 0) return;
    find_forces(next, view);
    const strand::SolveReport report = solver_.solve(next, model_.strands.materials, loads(view, impulses),
                                                     view.dt, motion_, {}, answers ? &mobility_ : nullptr);
    counts.newton_iterations += static_cast<std::int64_t>(report.iterations);
}

void StrandStep::find_forces(const strand::StrandState& next, const StepView& view) {
    if (!model_.strands.has_air && liquid_.force.empty()) return;
    force_.assign(next.vertex_count(), Vec3d{});
    slope_.assign(next.vertex_count(), Mat3d{});
    if (model_.strands.has_air) {
        const Vec3d wind = model_.strands.wind.at(view.time + view.dt);
        strand::add_air_drag(next, model_.strands.air, std::span(&wind, 1), force_, slope_);
    }
    if (liquid_.force.empty()) return;
    parallel_chunks(next.vertex_count(), 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            force_[v] = liquid_.dryness[v] * force_[v] + liquid_.force[v];
            slope_[v] = liquid_.dryness[v] * slope_[v] + liquid_.force_slope[v];
        }
    });
}

void StrandStep::correct(const strand::StrandState& next, const StepView& view,
                         const StrandImpulses& impulses, const LiquidLoads& liquid, StepCounts& counts) {
    immerse(liquid);
    find_forces(next, view);
    solve_again(next, view, impulses, {}, counts);
}

void StrandStep::solve_again(const strand::StrandState& next, const StepView& view,
                             const StrandImpulses& impulses, std::span<const std::uint8_t> only,
                             StepCounts& counts) {
    strand::SolveOptions options;
    options.guess_given = true;
    options.only = only;
    const strand::SolveReport report = solver_.solve(next, model_.strands.materials, loads(view, impulses),
                                                     view.dt, motion_, options, &mobility_);
    counts.newton_iterations += static_cast<std::int64_t>(report.iterations);
}

void StrandStep::move(strand::StrandState& next, const StepView& view, const strand::Motion& shift) {
    if (next.strand_count() == 0) return;
    if (shift.velocity.empty()) return strand::commit(next, motion_, view.dt);
    shifted_ = motion_;
    for (std::size_t v = 0; v < next.vertex_count(); ++v) {
        shifted_.velocity[v] += shift.velocity[v];
        shifted_.twist_velocity[v] += shift.twist_velocity[v];
    }
    strand::commit(next, shifted_, view.dt);
    next.velocity = motion_.velocity;
    next.twist_velocity = motion_.twist_velocity;
}

}  // namespace rivulet::world
