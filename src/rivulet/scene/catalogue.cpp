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
        {.name = "tetrachloroethylene",
         .density = 1623,
         .viscosity = 0.844e-3,
         .surface_tension = 31.3e-3,
         .color = {0.85, 0.88, 0.9},
         .absorption = 1,
         .source =
             "CRC Handbook of Chemistry and Physics: density at 20 °C, viscosity and surface tension at "
             "25 °C; not checked against the book"},
        {.name = "olive_oil",
         .density = 911,
         .viscosity = 84e-3,
         .surface_tension = 32e-3,
         .color = {0.75, 0.7, 0.15},
         .absorption = 15,
         .source =
             "20 °C: density and viscosity CRC Handbook of Chemistry and Physics; surface tension typical "
             "of vegetable oils, 31 to 33 mN/m; not checked against the books"},
        {.name = "acetaldehyde",
         .density = 783.4,
         .viscosity = 0.22e-3,
         .surface_tension = 21.2e-3,
         .color = {0.9, 0.92, 0.95},
         .absorption = 1,
         .source = "Density at 18 °C CRC Handbook of Chemistry and Physics; viscosity and surface tension at "
                   "20 °C Lange's Handbook of Chemistry; not checked against the books"},
        {.name = "honey",
         .density = 1420,
         .viscosity = 10,
         .surface_tension = 55e-3,
         .color = {0.85, 0.5, 0.1},
         .absorption = 60,
         .source = "20 °C, 17 to 18 % water, typical: viscosity 5 to 20 Pa*s, surface tension 50 to 60 mN/m "
                   "by kind of honey; no measured sample"},
        {.name = "glycerine",
         .density = 1261.3,
         .viscosity = 1.41,
         .surface_tension = 63.4e-3,
         .color = {0.92, 0.93, 0.95},
         .absorption = 1,
         .source = "20 °C: viscosity Segur and Oberstar 1951; density and surface tension CRC Handbook of "
                   "Chemistry and Physics; not checked against the sources"},
    });
    return list;
}

const liquid::LiquidMaterial* find_liquid(const std::string& name) {
    for (const liquid::LiquidMaterial& material : liquid_catalogue())
        if (material.name == name) return &material;
    return nullptr;
}

}  // namespace rivulet::scene
