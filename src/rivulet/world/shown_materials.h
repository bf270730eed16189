#pragma once

#include <rivulet/world/model.h>

namespace rivulet::world {

/// What those who show a run need to know of materials: visit(name, unit, member). static.npz lists it.
template <class Visit>
void visit_shown(const liquid::LiquidMaterial*, Visit&& visit) {
    using M = liquid::LiquidMaterial;
    visit("color", "", &M::color);
    visit("density", "kg/m^3", &M::density);
    visit("viscosity", "Pa*s", &M::viscosity);
    visit("absorption", "1/m", &M::absorption);
    visit("opacity", "", &M::opacity);
}
template <class Visit>
void visit_shown(const strand::StrandMaterial*, Visit&& visit) {
    visit("color", "", &strand::StrandMaterial::color);
    visit("density", "kg/m^3", &strand::StrandMaterial::density);
}

/// visit(kind, materials) for every room that has some.
template <class Visit>
void visit_materials(const Model& model, Visit&& visit) {
    visit("liquid", model.liquid.materials);
    visit("strand", model.strands.materials);
}

}  // namespace rivulet::world
