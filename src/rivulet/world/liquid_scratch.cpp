#include <rivulet/world/liquid_scratch.h>

#include <rivulet/world/liquid_flight.h>
#include <rivulet/world/liquid_limits.h>
#include <rivulet/world/liquid_stages.h>

namespace rivulet::world {

LiquidScratch::LiquidScratch(const Model& model)
    : remembers(model.liquid.remembers()),
      compression(model.liquid.materials),
      tearing(model.liquid.materials) {
    const auto& materials = model.liquid.materials;
    for (const auto& m : materials) {
        density.push_back(m.density);
        one_density = one_density && m.density == materials[0].density;
        one_viscosity = one_viscosity && m.viscosity == materials[0].viscosity;
    }
    for (std::size_t i = 0; i < model.obstacles.size(); ++i) walls.push_back(model.obstacles.wall(i));
    for (std::size_t i = 0; i < model.liquid.inflows.size(); ++i)
        sources.emplace_back(model.liquid.inflows[i], i, model.cell, model.seed,
                             static_cast<std::uint64_t>(model.liquid.most_particles));
}

void limit_step(const Model& model, const liquid::LiquidState& now, double time, LiquidScratch& s,
                StepLimits& limits) {
    limit_step(model, now.size() == 0 ? std::nullopt : std::optional(limiting_speed(model, now, time, s)),
               s.sources, limits);
}

}  // namespace rivulet::world
