#include <rivulet/scene/catalogue.h>
#include <rivulet/scene/thick_liquids.h>

namespace rivulet::scene {

const std::vector<liquid::LiquidMaterial>& liquid_catalogue() {
    static const std::vector<liquid::LiquidMaterial> list = with_thick_liquids({
        {.name = "water",
         .density = 998.2,
         .viscosity = 1.0016e-3,
         .surface_tension = 72.75e-3,
         .color = {0.35, 0.6, 0.9},
         .absorption = 2,
         .source = "20 °C: density and viscosity IAPWS R6-95 and R12-08; surface tension IAPWS R1-76"},
    });
    return list;
}

const liquid::LiquidMaterial* find_liquid(const std::string& name) {
    for (const liquid::LiquidMaterial& material : liquid_catalogue())
        if (material.name == name) return &material;
    return nullptr;
}

}  // namespace rivulet::scene
