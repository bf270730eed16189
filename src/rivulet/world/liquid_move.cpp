#include <span>

#include <rivulet/grid/paths.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/obstacle/collide.h>
#include <rivulet/world/liquid_stages.h>

namespace rivulet::world {
namespace {

/// Particles stop this far outside a wall, in cells.
constexpr double kWallMargin = 1e-3;

liquid::SolidDistance distance_at_end(const geometry::SolidField& solids) {
    return [&solids](const Vec3d& x) { return solids.distance(x, 1); };
}

}  // namespace

void move_liquid(const Model& model, liquid::LiquidState& next, const geometry::SolidField& solids,
                 const StepView& view, LiquidScratch& s) {
    s.relaxation.solve(s.topology, s.fraction, s.liquid_distance, &s.flow.carried(), model.liquid.relax,
                       s.work, s.shift);
    grid::grid_to_particle(s.topology, s.order, s.velocity, next.position, next.velocity, next.affine);
    if (s.remembers) liquid::deform_particles(s.tearing.laws(), s.tearing.law_of(next), view.dt, next);
    if (s.tearing.any()) s.tearing.deform(view.dt, next);
    liquid::fly(next, s.order.cell_start.back(), view);
    const bool at_rest = solids.at_rest();
    const double short_path = 2 * model.cell;
    const auto arrive = [&](std::size_t block, std::size_t first, std::span<const Vec3d> ends) {
        // No centre within three cells of a solid: no particle within two.
        const bool far = at_rest && coupling::far_from_solids(s.topology, s.boundary, block);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const std::size_t p = first + i;
            next.age[p] += static_cast<float>(view.dt);
            if (far && squared_length(ends[i] - next.position[p]) < short_path * short_path) {
                next.position[p] = ends[i];
                continue;
            }
            // NOTE: a particle that closing walls pin stays where it was pinned; the pressure solve, not the
            // particle, says whether liquid is squeezed without a way out.
            const obstacle::Moved moved = obstacle::move_point(solids, next.position[p], ends[i],
                                                               next.velocity[p], kWallMargin * model.cell);
            next.position[p] = moved.position;
            next.velocity[p] = moved.velocity;
        }
    };
    grid::trace_paths(s.topology, s.order, s.velocity, &s.shift, next.position, next.velocity, view.dt,
                      arrive);
}

void resample_particles(const Model& model, liquid::LiquidState& next, const geometry::SolidField& solids,
                        const StepView& view, LiquidScratch& s) {
    s.resampler.run(next, s.topology, s.order, s.fraction, distance_at_end(solids),
                    model.seed + static_cast<std::uint64_t>(view.step), model.liquid.resample,
                    s.tearing.law_of(next));
}

void feed_and_drain(const Model& model, liquid::LiquidState& next, const geometry::SolidField& solids,
                    const StepView& view, LiquidScratch& s, LedgerState& ledger) {
    const double end = view.time + view.dt;
    s.taken.clear();
    for (const auto& sink : model.liquid.sinks) liquid::drain(next, s.remover, sink, end, s.taken);
    if (model.liquid.keep) liquid::drop_outside(next, s.remover, *model.liquid.keep, s.taken);
    ledger.post_out(s.taken);
    const liquid::SolidDistance distance = distance_at_end(solids);
    for (auto& source : s.sources)
        ledger.post_in(source.material(), source.emit(next, distance, view.time, view.dt).volume);
}

}  // namespace rivulet::world
