#include <rivulet/world/liquid_scratch.h>

#include <algorithm>
#include <cmath>

#include <rivulet/liquid/free_surface.h>
#include <rivulet/liquid/particles.h>
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

void limit_step(const Model& model, const liquid::LiquidState& now, const LiquidScratch& s,
                StepLimits& limits) {
    const double way = model.step.courant * model.cell, speed = liquid::max_speed(now);
    // Waves one cell long run at about sqrt(g cell): liquid at rest must not outpace them either.
    const double wave_speed_squared = now.size() == 0 ? 0 : length(model.gravity) * model.cell;
    limits.add_speed("liquid", std::sqrt(speed * speed + wave_speed_squared), way);
    for (const auto& source : s.sources) limits.add_speed("inflow", source.speed(), way);
    for (const auto& m : model.liquid.materials) {
        if (model.liquid.surface_tension && m.surface_tension > 0)
            limits.add("capillary waves", liquid::capillary_step(m.density, model.cell, m.surface_tension));
        if (m.remembers()) limits.add("shear waves", liquid::longest_shear_step(m, model.cell));
    }
}

}  // namespace rivulet::world
