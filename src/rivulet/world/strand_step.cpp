#include <rivulet/world/strand_step.h>

#include <algorithm>

#include <rivulet/strand/air_drag.h>
#include <rivulet/strand/commit.h>

namespace rivulet::world {
namespace {

/// Most that a root may do in a step: it is seen at the ends of steps only, and strands follow it along a
/// straight way.
constexpr double kMostTurn = 0.15;  // rad
constexpr double kMostTravel = 1;   // lengths of its edge
constexpr double kStepsPerGust = 8;

}  // namespace

void StrandStep::gather_roots(const strand::StrandState& now, double time) {
    const StrandModel& model = model_.strands;
    roots_.assign(model.carriers.size(), {});
    const auto rest_of = [&](std::size_t s, std::int32_t c) {
        if (model.roots.corner[s].x < 0) return model.roots.position[s];
        const auto i = static_cast<std::size_t>(model.carriers[std::size_t(c)].obstacle);
        return inverse(model_.obstacles.pose_at(i, time)).apply(now.root_target.position[s]);
    };
    for (std::size_t s = 0; s < model.roots.size(); ++s) {
        const std::int32_t c = model.roots.carrier[s];
        if (c < 0 || model.roots.kind[s] == std::uint8_t(strand::EndKind::free)) continue;
        Roots& roots = roots_[std::size_t(c)];
        roots.rest.include(rest_of(s, c));
        roots.length += now.rest_length[now.begin(s)];
        ++roots.count;
    }
}

double StrandStep::longest_step(const strand::StrandState& now, double time, double longest) {
    if (now.strand_count() == 0) return longest;
    const StrandModel& model = model_.strands;
    double step = longest;
    if (model.has_air && model.wind.gust != 0) step = std::min(step, model.wind.gust_period / kStepsPerGust);
    gather_roots(now, time);
    for (std::size_t c = 0; c < roots_.size(); ++c) {
        if (roots_[c].count == 0 || time >= model.carriers[c].release) continue;
        const double edge = roots_[c].length / double(roots_[c].count);
        if (const int i = model.carriers[c].obstacle; i >= 0)
            step = std::min(step, model_.obstacles.frame_interval(std::size_t(i)));
        // The bounds grow with the step, in proportion to it while a motion is even.
        for (int tries = 0; tries < 60; ++tries) {
            const obstacle::Reach reach =
                model.carriers[c].reach(roots_[c].rest, model_.obstacles, time, time + step);
            const double much = std::max(reach.turn / kMostTurn, reach.travel / (kMostTravel * edge));
            if (much <= 1) break;
            step *= std::clamp(1 / much, 0.1, 0.9);
        }
    }
    return step;
}

void StrandStep::drive(strand::StrandState& next, const StepView& view) const {
    if (next.strand_count() > 0) drive_roots(model_.strands, model_.obstacles, view.time + view.dt, next);
}

void StrandStep::solve(const strand::StrandState& next, const StepView& view, StepCounts& counts) {
    if (next.strand_count() == 0) return;
    strand::Loads loads;
    loads.gravity = view.gravity;
    if (model_.strands.has_air) {
        force_.assign(next.vertex_count(), Vec3d{});
        slope_.assign(next.vertex_count(), Mat3d{});
        const Vec3d wind = model_.strands.wind.at(view.time + view.dt);
        strand::add_air_drag(next, model_.strands.air, std::span(&wind, 1), force_, slope_);
        loads.force = force_;
        loads.force_slope = slope_;
    }
    const strand::SolveReport report = solver_.solve(next, model_.strands.materials, loads, view.dt, motion_);
    counts.newton_iterations += static_cast<std::int64_t>(report.iterations);
}

void StrandStep::move(strand::StrandState& next, const StepView& view) const {
    if (next.strand_count() > 0) strand::commit(next, motion_, view.dt);
}

}  // namespace rivulet::world
