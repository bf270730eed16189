#include <rivulet/world/liquid_limits.h>

#include <cmath>

#include <rivulet/liquid/free_surface.h>
#include <rivulet/liquid/shear_solver.h>

namespace rivulet::world {

void limit_step(const Model& model, std::optional<double> fastest,
                std::span<const liquid::InflowSource> sources, StepLimits& limits) {
    const double way = model.step.courant * model.cell;
    // Waves one cell long run at about sqrt(g cell): liquid at rest must not outpace them either.
    if (fastest)
        limits.add_speed("liquid", std::sqrt(*fastest * *fastest + length(model.gravity) * model.cell), way);
    for (const auto& source : sources) limits.add_speed("inflow", source.speed(), way);
    for (const auto& m : model.liquid.materials) {
        if (model.liquid.surface_tension && m.surface_tension > 0)
            limits.add("capillary waves", liquid::capillary_step(m.density, model.cell, m.surface_tension));
        if (m.remembers()) limits.add("shear waves", liquid::longest_shear_step(m, model.cell));
    }
}

}  // namespace rivulet::world
