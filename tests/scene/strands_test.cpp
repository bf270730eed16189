#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/scene/scene.h>
#include <rivulet/scene/strand_catalogue.h>

namespace rivulet::scene {
namespace {

const char* const kHair = R"(format = 1
time = { fps = 24, end = "2.5 s" }

[material.hair]
type           = "strand"
density        = "1.32 g/cm^3"
youngs_modulus = "3.4 GPa"
poisson_ratio  = 0.36
contact_angle  = "70 deg"
friction       = { dry = 0.2, wet = 0.4 }

[obstacle.head]
shape = { type = "sphere", center = "0, 0, 0 m", radius = "9 cm" }

[strands.locks]
material = "hair"
radius   = { root = "45 um", tip = "30 um" }
segment  = "5 mm"
rest     = "sag_free"
root     = { type = "clamp", to = "head" }
groom    = { type = "patch", on = "head", count = 8192, length = "30 cm", length_spread = 0.1, seed = 7,
             curl = { radius = "4 mm", pitch = "6 cm" } }

[[strands.locks.twist]]
keys = [["0 s", "0 deg"], ["1 s", "90 deg"]]
)";

std::string complaint(const std::string& text) {
    try {
        read_scene_text(text, "s.toml", "/");
    } catch (const InputError& e) {
        return e.problems().size() == 1 ? e.problems()[0].text() : "several: " + std::string(e.what());
    }
    return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

TEST(SceneStrands, ReadsTheHairExample) {
    const Scene scene = read_scene_text(kHair, "s.toml", "/");
    ASSERT_EQ(scene.strands.size(), 1u);
    ASSERT_EQ(scene.strand_materials.size(), 1u);
    EXPECT_DOUBLE_EQ(scene.strand_materials[0].density, 1320);
    EXPECT_DOUBLE_EQ(scene.strand_materials[0].friction_wet, 0.4);
    const Strands& s = scene.strands[0];
    EXPECT_EQ(s.material, 0);
    EXPECT_DOUBLE_EQ(s.radius_tip, 30e-6);
    EXPECT_EQ(s.rest, RestShape::sag_free);
    EXPECT_EQ(s.root.kind, strand::EndKind::clamp);
    EXPECT_EQ(s.root.to, 0);
    EXPECT_EQ(s.groom.type, GroomType::patch);
    EXPECT_EQ(s.groom.count, 8192u);
    EXPECT_DOUBLE_EQ(s.groom.style.curl_pitch, 0.06);
    EXPECT_EQ(s.groom.style.seed, 7u);
    ASSERT_EQ(s.twist.size(), 1u);
    EXPECT_DOUBLE_EQ(s.twist[0].angle.value[1], std::numbers::pi / 2);
}

TEST(SceneStrands, ResolvedSceneReadsBackTheSame) {
    for (const char* groom : {"type = \"rows\", columns = 3, rows = 4, length = \"1 cm\"",
                              "type = \"ball\", count = 5, radius = \"1 cm\", length = \"2 cm\"",
                              "type = \"brush\", count = 9, length = \"1 cm\", round = false",
                              "type = \"roller\", count = 9, length = \"1 cm\", from = \"0, 0, 0 m\", to = "
                              "\"1, 0, 0 m\", radius = \"2 cm\"",
                              "type = \"patch\", on = \"head\", density = \"3 1/cm^2\", length = \"1 cm\""}) {
        std::string text = kHair;
        const std::size_t from = text.find("type = \"patch\"");
        text.replace(from, text.find(" }\n\n[[strands", from) - from, groom);
        const std::string resolved = resolved_text(read_scene_text(text, "s.toml", "/"));
        EXPECT_EQ(resolved_text(read_scene_text(resolved, "r.toml", "/")), resolved) << groom;
    }
}

TEST(SceneStrands, MistakesAreNamed) {
    EXPECT_EQ(complaint(replaced(kHair, "count = 8192, ", "")),
              "s.toml:21:12: strands.locks.groom.count: missing; a patch needs a count or a density");
    EXPECT_EQ(complaint(replaced(kHair, ", pitch = \"6 cm\"", "")),
              "s.toml:22:21: strands.locks.groom.curl.pitch: a curl needs a pitch; for example \"6 cm\"");
    EXPECT_EQ(complaint(replaced(kHair, "on = \"head\"", "on = \"haed\"")),
              "s.toml:21:35: strands.locks.groom.on: there is no obstacle 'haed'; did you mean 'head'?");
    EXPECT_EQ(complaint(replaced(kHair, "\"sag_free\"", "\"sagfree\"")),
              "s.toml:19:12: strands.locks.rest: unknown choice 'sagfree'; did you mean 'sag_free'?");
    EXPECT_EQ(complaint(replaced(kHair, "material = \"hair\"", "material = \"water\"")).substr(0, 77),
              "s.toml:16:12: strands.locks.material: there is no strand material 'water'; kn");
}

TEST(SceneStrands, CatalogueNamesMayBeUsedAndSayTheirSource) {
    const Scene scene =
        read_scene_text(replaced(kHair, "material = \"hair\"", "material = \"wool\""), "s.toml", "/");
    EXPECT_EQ(scene.strand_materials[std::size_t(scene.strands[0].material)].name, "wool");
    for (const strand::StrandMaterial& m : strand_catalogue()) EXPECT_FALSE(m.source.empty()) << m.name;
}

TEST(SceneStrands, WindNeedsAir) {
    const std::string scene = std::string(kHair).insert(11, "world.air.wind = \"3, 0, 0 m/s\"\n");
    EXPECT_NE(complaint(scene).find("world.air.density: wind needs air"), std::string::npos);
}

}  // namespace
}  // namespace rivulet::scene
