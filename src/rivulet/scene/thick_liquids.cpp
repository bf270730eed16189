#include <rivulet/scene/thick_liquids.h>

#include <utility>

#include <rivulet/liquid/rheology.h>

namespace rivulet::scene {
namespace {

using liquid::LiquidMaterial;

/// A row of table 15.2 as printed: CGS, von Mises yield stress, consistency of the norms.
struct PrintedRow {
    const char* name;
    double density;        // g/cm^3
    double bulk_modulus;   // dyn/cm^2
    double shear_modulus;  // dyn/cm^2
    double yield_stress;   // dyn/cm^2
    double consistency;    // dyn/cm^2 s^n
    double flow_index;
    double surface_tension;  // N/m, not in the table
    Vec3d color;
};

LiquidMaterial from_table(const PrintedRow& row) {
    constexpr double kPascal = 0.1;  // of a dyn/cm^2
    const liquid::FlowCurve curve = liquid::von_mises_to_flow_curve(
        kPascal * row.yield_stress, kPascal * row.consistency, row.flow_index);
    LiquidMaterial m;
    m.name = row.name;
    m.density = 1000 * row.density;
    m.surface_tension = row.surface_tension;
    m.yield_stress = curve.yield_stress;
    m.consistency = curve.consistency;
    m.flow_index = curve.flow_index;
    m.shear_modulus = kPascal * row.shear_modulus;
    m.bulk_modulus = kPascal * row.bulk_modulus;
    m.color = row.color;
    m.opacity = 1;
    m.source = "Fei 2019, dissertation table 15.2, there CGS and von Mises values; surface tension: chosen";
    return m;
}

}  // namespace

std::vector<LiquidMaterial> with_thick_liquids(std::vector<LiquidMaterial> list) {
    const PrintedRow rows[] = {
        {"drilling_mud", 1.22, 2.0e10, 1.0e3, 16.813, 6.496, 0.5173, 0.06, {0.33, 0.24, 0.15}},
        {"acrylic_paint", 0.95, 1.35e9, 4.0e3, 9.6, 173.56, 0.3162, 0.035, {0.05, 0.2, 0.6}},
        {"milk_cream", 0.275, 1.09e6, 1.6e4, 1.2e3, 50.0, 0.27, 0.045, {0.95, 0.91, 0.8}},
        {"shaving_cream", 0.2, 1.09e6, 2.9e3, 3.19e2, 2.72e2, 0.22, 0.03, {0.95, 0.96, 0.97}},
        {"oyster_sauce", 1.207, 2e10, 4.0e3, 26.5, 16.1, 0.62, 0.05, {0.1, 0.045, 0.015}},
        {"milk_chocolate", 0.95, 4.28e6, 4.0e3, 3.0e2, 28.0, 0.98, 0.025, {0.22, 0.1, 0.045}},
    };
    for (const PrintedRow& row : rows) list.push_back(from_table(row));
    list.push_back(
        {.name = "ketchup",
         .density = 1140,
         .surface_tension = 0.05,
         .yield_stress = 32,
         .consistency = 18.7,
         .flow_index = 0.27,
         .shear_modulus = 500,
         .color = {0.55, 0.03, 0.015},
         .opacity = 1,
         .source = "flow curve: Higgs and Norrington 1971, 50 to 2000 1/s, as quoted after Steffe, "
                   "Rheological Methods in Food Process Engineering, 1996; the book could not be looked up, "
                   "but the ketchups of Koocheki et al. 2009 have consistencies of 6.6 to 20.1 Pa*s^n and "
                   "indices of 0.22 to 0.26; density, modulus and surface tension: chosen"});
    list.push_back(
        {.name = "mayonnaise",
         .density = 916,
         .surface_tension = 0.035,
         .yield_stress = 26,
         .consistency = 2.41,
         .flow_index = 0.678,
         .shear_modulus = 400,
         .color = {0.93, 0.87, 0.65},
         .opacity = 1,
         .source = "density: pycnometer, Journal of Food Engineering 159, 2015, p. 36; yield stress: De Kee "
                   "et al. 1980; consistency and index: the curve that meets the power law 6.4 Pa*s^0.55 of "
                   "Higgs and Norrington 1971 at 100 and 1000 1/s; both as quoted after Steffe 1996, a book "
                   "that could not be looked up; modulus and surface tension: chosen"});
    list.push_back({.name = "toothpaste",
                    .density = 1300,
                    .surface_tension = 0.05,
                    .yield_stress = 55.89,
                    .consistency = 80.47,
                    .flow_index = 0.5413,
                    .shear_modulus = 2000,
                    .color = {0.9, 0.95, 0.95},
                    .opacity = 1,
                    .source = "flow curve: rheometer fit of paste A, table 4.4 of Cole, Cleaning of "
                              "toothpaste from process equipment, thesis, University of Birmingham, 2011; "
                              "density, modulus and surface tension: chosen"});
    list.push_back({.name = "blood",
                    .density = 1051,
                    .surface_tension = 0.0526,
                    .yield_stress = 0.0175,
                    .consistency = 9.8e-3,
                    .flow_index = 0.8,
                    .shear_modulus = 1,
                    .color = {0.4, 0.01, 0.01},
                    .opacity = 1,
                    .source = "yield stress: 17.5 mPa, Herschel-Bulkley fit of human blood in a scanning "
                              "capillary rheometer (Casson: 13.8 mPa); consistency: gives at 200 1/s the 3.5 "
                              "mPa*s that Hund et al., Fluids 2, 2017, call nominal; index and modulus: "
                              "chosen; density: specific gravity 1.0506 at 37 °C, Trudnowski and Rico, "
                              "Clinical Chemistry 20, 1974; surface tension: the fit of Rosina et al., "
                              "Physiological Research 56, 2007, at 37 °C"});
    return list;
}

}  // namespace rivulet::scene
