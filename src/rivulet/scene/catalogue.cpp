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
         .viscosity = 0.891e-3,
         .surface_tension = 32.2e-3,
         .color = {0.85, 0.88, 0.9},
         .absorption = 1,
         .source = "20 °C: density IARC monograph on tetrachloroethylene, 2014, after the Merck Index; "
                   "viscosity and surface tension from the correlations of the VDI Heat Atlas, 2010, which "
                   "give 0.846 mPa*s at 25 °C where the CRC Handbook has 0.844"},
        {.name = "olive_oil",
         .density = 913.7,
         .viscosity = 84e-3,
         .surface_tension = 33e-3,
         .color = {0.75, 0.7, 0.15},
         .absorption = 15,
         .source =
             "20 °C: density from a producer's table, which has 910.4 kg/m^3 at 25 °C where a specification "
             "asks for a specific gravity of 0.910 to 0.915; surface tension 33 mN/m as tables quote it, "
             "34.6 for triolein, its main part, by Jasper in Lange's Handbook of Chemistry; viscosity 84 "
             "mPa*s: a handbook value whose original could not be looked up, other tables quote 81"},
        {.name = "acetaldehyde",
         .density = 780.6,
         .viscosity = 0.2237e-3,
         .surface_tension = 21.2e-3,
         .color = {0.9, 0.92, 0.95},
         .absorption = 1,
         .source = "20 °C: density and viscosity from the correlations of the VDI Heat Atlas, 2010; surface "
                   "tension Jasper's fit in Lange's Handbook of Chemistry"},
        {.name = "honey",
         .density = 1420,
         .viscosity = 10,
         .surface_tension = 55e-3,
         .color = {0.85, 0.5, 0.1},
         .absorption = 60,
         .source = "20 °C, 17 % water: density 1.417 to 1.425 g/cm^3 in Krell, FAO Agricultural Services "
                   "Bulletin 124, 1996, and beekeepers' tables; viscosity chosen between 8.55 Pa*s (floral "
                   "honeys of the caatinga, 17.5 % water) and 19 Pa*s (clover, 16 % water); surface tension "
                   "chosen: no measured value could be looked up"},
        {.name = "glycerine",
         .density = 1261.2,
         .viscosity = 1.414,
         .surface_tension = 64.1e-3,
         .color = {0.92, 0.93, 0.95},
         .absorption = 1,
         .source = "20 °C: viscosity by the formula of Cheng, Industrial and Engineering Chemistry Research "
                   "47, 2008, a fit to measurements; density and surface tension from the correlations of "
                   "the VDI Heat Atlas, 2010"},
        {.name = "sea_water",
         .density = 1024.8,
         .viscosity = 1.077e-3,
         .surface_tension = 73.8e-3,
         .color = {0.2, 0.5, 0.65},
         .absorption = 3,
         .source =
             "20 °C, 35 g/kg: viscosity by the correlation of Sharqawy, Lienhard and Zubair, "
             "Desalination and Water Treatment 16, 2010; surface tension by that of Nayar et al., Journal "
             "of Physical and Chemical Reference Data 43, 2014; density: the usual value of the "
             "equation of state"},
        {.name = "soap_water",
         .density = 998,
         .viscosity = 1.0e-3,
         .surface_tension = 33e-3,
         .color = {0.75, 0.85, 0.92},
         .absorption = 2,
         .source = "surface tension: 33.45 mN/m of a detergent above its critical concentration, Cheng and "
                   "Wei, University of British Columbia; sodium dodecyl sulfate brings water to about 30; "
                   "density and viscosity: as water"},
        {.name = "milk",
         .density = 1030,
         .viscosity = 2.0e-3,
         .surface_tension = 52.4e-3,
         .color = {0.96, 0.95, 0.91},
         .opacity = 1,
         .source =
             "20 °C: surface tension by the fit for whole and skim milk in Journal of Dairy Research 50, "
             "1983, p. 259, uncertain by 2.1 mN/m; viscosity: about 2 mPa*s above 3 % protein, Caprita "
             "et al., Acta Veterinaria Scandinavica 44, 2003; density: milk with 4 % fat, table of Goff, "
             "Dairy Chemistry and Physics, University of Guelph"},
        {.name = "lava",
         .density = 2770,
         .viscosity = 50,
         .surface_tension = 0.36,
         .color = {0.95, 0.25, 0.03},
         .opacity = 1,
         .source = "basalt as it comes out: viscosity chosen in the 10 to 100 Pa*s of Kilauea, Vergniolle, "
                   "lecture at Michigan Technological University, 2007; density: basic melts, table of the "
                   "course Petrograph, Freie Universität Berlin; surface tension: 350 to 370 mN/m of four "
                   "lavas from 1200 to 1500 °C, Walker and Mullins, Contributions to Mineralogy and "
                   "Petrology 76, 1981; it does not cool here"},
    });
    return list;
}

const liquid::LiquidMaterial* find_liquid(const std::string& name) {
    for (const liquid::LiquidMaterial& material : liquid_catalogue())
        if (material.name == name) return &material;
    return nullptr;
}

}  // namespace rivulet::scene
