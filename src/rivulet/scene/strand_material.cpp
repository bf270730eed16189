#include <algorithm>
#include <numbers>

#include <rivulet/scene/kind.h>
#include <rivulet/scene/strand_catalogue.h>

namespace rivulet::scene {
namespace {

using M = strand::StrandMaterial;

const Table& friction_table() {
    static const Table table = Fields<M>("friction", "Coulomb coefficients.")
                                   .number("dry", &M::friction_dry, "Strand on dry strand or obstacle.")
                                   .range(0, 100)
                                   .number("wet", &M::friction_wet, "The same when wet.")
                                   .range(0, 100)
                                   .done();
    return table;
}

const Table& strand_material_table() {
    static const Table table =
        Fields<M>("strand", "What hair, bristles or noodles are made of.")
            .quantity("density", &M::density, "kg/m^3", "Mass per volume.")
            .positive()
            .quantity("youngs_modulus", &M::youngs_modulus, "Pa", "Stiffness in stretching and bending.")
            .positive()
            .number("poisson_ratio", &M::poisson_ratio,
                    "Gives the shear modulus E / (2 (1 + ratio)) when none is written.")
            .range(-0.99, 0.5)
            .quantity("shear_modulus", &M::shear_modulus, "Pa",
                      "Stiffness in twisting; 0: from youngs_modulus and poisson_ratio.")
            .at_least(0)
            .quantity("internal_viscosity", &M::internal_viscosity, "Pa*s",
                      "Shear viscosity of the strand's own matter: damps bending, twisting and stretching.")
            .at_least(0)
            .table(
                "friction", [](M& m) -> M& { return m; }, friction_table, "Coulomb coefficients.")
            .quantity("contact_angle", &M::contact_angle, "rad",
                      "Of liquids on the strand, where no contact.pair says otherwise.")
            .at_least(0)
            .below(std::numbers::pi)
            .color("color", &M::color, "Colour in pictures.")
            .text("source", &M::source, "Where the numbers come from.")
            .done();
    return table;
}

}  // namespace

const std::vector<M>& strand_catalogue() {
    static const std::vector<M> list{
        {.name = "human_hair",
         .density = 1320,
         .youngs_modulus = 3.4e9,
         .poisson_ratio = 0.36,
         .internal_viscosity = 1e6,
         .friction_dry = 0.2,
         .friction_wet = 0.4,
         .contact_angle = 1.2217304763960306,
         .color = {0.25, 0.15, 0.08},
         .source = "density, modulus (measured range 2 to 5 GPa), friction: Robbins, Chemical and Physical "
                   "Behavior of Human Hair, 5th ed., ch. 9; Poisson ratio: usual in hair models; viscosity: "
                   "chosen, a few percent lost per swing of a 10 cm hair"},
        {.name = "nylon_bristle",
         .density = 1060,
         .youngs_modulus = 3.31e9,
         .poisson_ratio = 0.39,
         .internal_viscosity = 1e6,
         .friction_dry = 0.25,
         .friction_wet = 0.2,
         .contact_angle = 1.2217304763960306,
         .color = {0.85, 0.82, 0.75},
         .source = "nylon 6.12 filament: tensile modulus 480 kpsi (brush makers' tables), density of the "
                   "polymer 1.06 g/cm^3; friction and viscosity: chosen"},
        {.name = "wool",
         .density = 1310,
         .youngs_modulus = 3.3e9,
         .poisson_ratio = 0.36,
         .internal_viscosity = 1e6,
         .friction_dry = 0.25,
         .friction_wet = 0.4,
         .contact_angle = 1.7453292519943295,
         .color = {0.9, 0.86, 0.78},
         .source = "Morton and Hearle, Physical Properties of Textile Fibres, 4th ed.: density 1.31 g/cm^3, "
                   "initial modulus 2.1 to 3 N/tex; Poisson ratio as hair; viscosity: chosen"},
        {.name = "cooked_spaghetti",
         .density = 1130,
         .youngs_modulus = 4e5,
         .poisson_ratio = 0.49,
         .internal_viscosity = 300,
         .friction_dry = 0.3,
         .friction_wet = 0.1,
         .contact_angle = 0.5235987755982988,
         .color = {0.93, 0.82, 0.52},
         .source = "modulus about four orders below raw pasta (Hwang et al. 2022, Phys. Fluids 34, 042105; "
                   "raw: 5 GPa, Guinea et al. 2004); density of 62 % water and dry pasta of 1.45 g/cm^3; "
                   "friction and viscosity: chosen"},
    };
    return list;
}

EntityType strand_material_type() {
    EntityType type = entity_type("strand material", &Scene::strand_materials, strand_material_table);
    type.word = "strand";
    type.headline = {"density", "youngs_modulus", "poisson_ratio"};
    type.catalogue = [] {
        std::vector<std::string> names;
        for (const M& material : strand_catalogue()) names.push_back(material.name);
        return names;
    };
    type.from_catalogue = [](const std::string& name, void* object) {
        for (const M& material : strand_catalogue())
            if (material.name == name) *static_cast<M*>(object) = material;
    };
    return type;
}

}  // namespace rivulet::scene
