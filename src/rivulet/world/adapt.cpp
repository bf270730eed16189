#include <rivulet/world/adapt.h>

#include <algorithm>

namespace rivulet::world {

void adapt(const Model& model, World& world) {
    liquid::LiquidState& liquid = world.liquid;
    const auto& materials = model.liquid.materials;
    if (!model.liquid.remembers()) liquid.strain_diagonal.clear(), liquid.strain_off_diagonal.clear();
    if (std::none_of(materials.begin(), materials.end(), [](const auto& m) { return m.tears(); }))
        liquid.stretch_diagonal.clear(), liquid.stretch_off_diagonal.clear();
    for (std::size_t i = 0; i < liquid.size(); ++i)
        if (materials[liquid.material[i]].bulk_modulus == 0) liquid.volume_ratio[i] = 1;
    film::widen(world.film, materials.size());
}

}  // namespace rivulet::world
