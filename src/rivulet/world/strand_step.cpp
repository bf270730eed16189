#include <rivulet/world/strand_step.h>

#include <rivulet/strand/air_drag.h>
#include <rivulet/strand/commit.h>

namespace rivulet::world {

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
