#include <rivulet/liquid/rheology.h>
#include <rivulet/scene/catalogue.h>
#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

using liquid::LiquidMaterial;
using L = LiquidMaterial;

/// Pa*s^n.
Dimension consistency_dimension(double flow_index) {
    return parse_unit("Pa") * parse_unit("s").power(flow_index);
}

/// Numbers as the papers print them become those of a rheometer.
void from_von_mises(L& m) {
    const auto curve = liquid::von_mises_to_flow_curve(m.yield_stress, m.consistency, m.flow_index);
    m.yield_stress = curve.yield_stress;
    m.consistency = curve.consistency;
}

/// A base has rheometer values, so that a table in another convention must write all of them.
void check_convention(const L&, Check& check) {
    const Value* convention = check.written("convention");
    if (!convention || convention->text != "von_mises") return;
    for (const char* key : {"yield_stress", "flow_index", "consistency"})
        if (!check.written(key))
            check.fail(key, "missing; convention = \"von_mises\" needs it written in the same table",
                       "yield_stress, flow_index and consistency as the papers print them");
}

const Table& liquid_material_table() {
    static const Table table =
        Fields<L>("liquid material", "A liquid, by the numbers of a rheometer.")
            .quantity("density", &L::density, "kg/m^3", "Mass per volume.")
            .positive()
            .quantity("viscosity", &L::viscosity, "Pa*s", "Dynamic viscosity of a Newtonian liquid.")
            .at_least(0)
            .quantity("surface_tension", &L::surface_tension, "N/m", "Against air.")
            .at_least(0)
            .quantity("yield_stress", &L::yield_stress, "Pa",
                      "Shear stress below which it does not flow; in simple shear, stress = yield_stress + "
                      "consistency * rate^flow_index.")
            .at_least(0)
            .number("flow_index", &L::flow_index,
                    "Exponent n: below 1 it thins under shear, above 1 it thickens.")
            .range(0.05, 3)
            .quantity("consistency", &L::consistency, "Pa*s", "Factor K of the flow law, in Pa*s^flow_index.")
            .with_dimension([](const L& m) { return consistency_dimension(m.flow_index); })
            .at_least(0)
            .conversion(
                "convention", {{"rheometer", [](L&) {}}, {"von_mises", from_von_mises}},
                "What yield_stress and consistency mean: simple shear in a rheometer, or the papers' norms "
                "(yield_stress / sqrt(3) and consistency / 2^((flow_index + 1) / 2) in simple shear).")
            .quantity("shear_modulus", &L::shear_modulus, "Pa",
                      "Elastic stiffness in shear; 0: no elastic memory.")
            .at_least(0)
            .quantity("bulk_modulus", &L::bulk_modulus, "Pa",
                      "Stiffness against compression; 0: incompressible.")
            .at_least(0)
            .number(
                "tear_strain", &L::tear_strain,
                "Plastic deformation |dev C_p| at which its bonds break, about 2/3 of the square of how many "
                "times it has been drawn out; 0: it does not tear.")
            .at_least(0)
            .quantity("bond_recovery", &L::bond_recovery, "s",
                      "Time in which plastic deformation is forgotten and broken bonds grow again.")
            .positive()
            .number("torn_yield", &L::torn_yield, "Part of the yield stress that torn liquid keeps.")
            .range(0, 1)
            .color("color", &L::color, "Colour in pictures.")
            .quantity("absorption", &L::absorption, "1/m", "How fast light fades inside, in pictures.")
            .at_least(0)
            .number("opacity", &L::opacity, "0 clear to 1 opaque, in pictures.")
            .range(0, 1)
            .text("source", &L::source, "Where the numbers come from.")
            .check(check_convention)
            .check([](const L& m, Check& check) {
                const bool shear_dependent = m.yield_stress > 0 || m.flow_index != 1;
                if (shear_dependent && m.consistency == 0)
                    check.fail("consistency", "missing; a yield stress or flow_index needs it",
                               "for example \"6.5 Pa*s^0.52\" with flow_index = 0.52");
                if (!shear_dependent && m.shear_modulus > 0 && m.consistency == 0)
                    check.fail("consistency", "missing; a shear_modulus needs a flow law",
                               "without one the liquid would be an elastic solid");
            })
            .done();
    return table;
}

}  // namespace

EntityType liquid_material_type() {
    EntityType type = entity_type("liquid material", &Scene::materials, liquid_material_table);
    type.word = "liquid";
    type.headline = {"density", "viscosity", "surface_tension", "yield_stress", "consistency", "flow_index"};
    type.most = 255;  // a particle keeps its material in one byte
    type.catalogue = [] {
        std::vector<std::string> names;
        for (const L& material : liquid_catalogue()) names.push_back(material.name);
        return names;
    };
    type.from_catalogue = [](const std::string& name, void* object) {
        *static_cast<L*>(object) = *find_liquid(name);
    };
    return type;
}

}  // namespace rivulet::scene
