#include <gtest/gtest.h>

#include <rivulet/base/error.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/catalogue.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

Scene read(const std::string& lines) {
    return read_scene_text("format = 1\ntime = { end = \"1 s\" }\n" + lines, "s.toml", "/");
}
std::vector<std::string> complaints(const std::string& lines) {
    std::vector<std::string> out;
    try {
        build(read(lines));
    } catch (const InputError& error) {
        for (const Problem& problem : error.problems()) out.push_back(problem.text());
    }
    return out;
}

TEST(ThickLiquids, CatalogueHoldsRheometerValues) {
    const auto& mud = *find_liquid("drilling_mud");
    EXPECT_NEAR(mud.yield_stress, 0.9707, 5e-5);
    EXPECT_NEAR(mud.consistency, 0.3839, 5e-5);
    EXPECT_NEAR(mud.density, 1220, 1e-9);
    EXPECT_NEAR(mud.shear_modulus, 100, 1e-9);
    EXPECT_NEAR(mud.bulk_modulus, 2e9, 1);
    const auto& foam = *find_liquid("shaving_cream");
    EXPECT_NEAR(foam.yield_stress, 18.417, 5e-4);
    EXPECT_NEAR(foam.consistency, 17.821, 5e-4);
    EXPECT_NEAR(foam.bulk_modulus, 1.09e5, 1e-6);
    EXPECT_NEAR(find_liquid("milk_chocolate")->consistency, 1.4097, 5e-5);
    for (const char* name : {"drilling_mud", "acrylic_paint", "milk_cream", "shaving_cream", "oyster_sauce",
                             "milk_chocolate", "ketchup", "mayonnaise", "toothpaste"}) {
        const auto* m = find_liquid(name);
        ASSERT_NE(m, nullptr) << name;
        EXPECT_TRUE(m->yield_stress > 0 && m->consistency > 0 && m->remembers()) << name;
        EXPECT_GT(m->shear_modulus, 2 * m->yield_stress) << name;  // it yields at a moderate strain
        EXPECT_EQ(m->opacity, 1) << name;
        EXPECT_FALSE(m->source.empty()) << name;
    }
    // The power law that mayonnaise was fitted to.
    const auto mayonnaise = liquid::flow_curve(*find_liquid("mayonnaise"));
    for (const double rate : {100.0, 1000.0})
        EXPECT_NEAR(mayonnaise.stress(rate) / (6.4 * std::pow(rate, 0.55)), 1, 3e-3);
}

constexpr const char* kPrintedMud = R"([material.mud]
density = "1.22 g/cm^3"
shear_modulus = "1e3 dyn/cm^2"
yield_stress = "16.813 dyn/cm^2"
flow_index = 0.5173
consistency = "6.496 Ba*s^0.5173"
convention = "von_mises"
)";

TEST(Convention, VonMisesValuesAreConvertedAtTheDoor) {
    const auto mud = read(kPrintedMud).materials.at(0);
    const auto& listed = *find_liquid("drilling_mud");
    EXPECT_NEAR(mud.yield_stress, listed.yield_stress, 1e-14);
    EXPECT_NEAR(mud.consistency, listed.consistency, 1e-14);
    // The order of the keys does not matter.
    const auto other = read(
        "[material.mud]\nconvention = \"von_mises\"\nconsistency = \"0.6496 Pa*s^0.5173\"\n"
        "flow_index = 0.5173\nyield_stress = \"1.6813 Pa\"\n");
    EXPECT_NEAR(other.materials.at(0).consistency, listed.consistency, 1e-14);
    const auto plain = read(
        "[material.mud]\nconvention = \"rheometer\"\nconsistency = \"0.6496 Pa*s^0.5173\"\n"
        "flow_index = 0.5173\nyield_stress = \"1.6813 Pa\"\n");
    EXPECT_EQ(plain.materials.at(0).yield_stress, 1.6813);
}

TEST(Convention, ResolvedSceneHasRheometerValues) {
    const Scene scene = read(kPrintedMud);
    const std::string text = resolved_text(scene);
    EXPECT_NE(text.find("convention = \"rheometer\""), std::string::npos);
    EXPECT_EQ(text.find("von_mises"), std::string::npos);
    const Scene again = read_scene_text(text, "s.toml", "/");
    EXPECT_EQ(again.materials.at(0).yield_stress, scene.materials.at(0).yield_stress);
    EXPECT_EQ(again.materials.at(0).consistency, scene.materials.at(0).consistency);
}

TEST(Convention, DerivedMaterialKeepsItsBase) {
    const Scene scene =
        read(std::string(kPrintedMud) + "[material.red]\nbase = \"mud\"\ncolor = [1, 0, 0]\n");
    EXPECT_EQ(scene.materials.at(1).yield_stress, scene.materials.at(0).yield_stress);
    EXPECT_EQ(scene.materials.at(1).consistency, scene.materials.at(0).consistency);
}

TEST(Convention, HalfATableIsRefused) {
    const auto all = complaints(
        "[material.a]\nbase = \"drilling_mud\"\nyield_stress = \"3 Pa\"\nconvention = \"von_mises\"\n");
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(
        all[0],
        "s.toml:3:1: material.a.flow_index: missing; convention = \"von_mises\" needs it written in the "
        "same table; yield_stress, flow_index and consistency as the papers print them");
    EXPECT_NE(
        complaints("[material.a]\nconvention = \"von_misses\"\n").at(0).find("did you mean 'von_mises'"),
        std::string::npos);
}

TEST(ThickLiquids, AFlowLawNeedsAShearModulus) {
    const auto all = complaints(
        "grid = { cell = \"1 cm\" }\n[material.paste]\nyield_stress = \"9 Pa\"\nconsistency = \"1 Pa*s\"\n"
        "[liquid.blob]\nmaterial = \"paste\"\n"
        "fill = { type = \"sphere\", center = \"0, 0, 0 m\", radius = \"5 cm\" }\n");
    ASSERT_FALSE(all.empty());
    EXPECT_NE(all[0].find("material.paste.shear_modulus: missing"), std::string::npos) << all[0];
}

}  // namespace
}  // namespace rivulet::scene
