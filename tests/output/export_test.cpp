#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/output/export_usda.h>
#include <rivulet/output/export_vtk.h>

#include "output/export_sample.h"
#include "output/usda_grammar.h"

namespace rivulet::output {
namespace {

ExportSpace film_space() {
    ExportSpace space;
    space.scale = 100;
    space.z_up = true;
    space.first_frame = 1001;
    space.fps = 30;
    return space;
}

TEST(ExportSpace, TurnsAndScales) {
    const Vec3f v = film_space().turned({1, 2, 3});
    EXPECT_EQ(v, (Vec3f{100, -300, 200}));
    EXPECT_EQ(ExportSpace{}.turned({1, 2, 3}), (Vec3f{1, 2, 3}));
    EXPECT_EQ(film_space().time_code(3), 1004);
}

TEST(UsdaNames, AreWhatUsdTakes) {
    EXPECT_EQ(usda_name("tank"), "tank");
    EXPECT_EQ(usda_name("moving_box"), "moving_box");
    EXPECT_EQ(usda_name("box 1"), "box_1");
    EXPECT_EQ(usda_name("1st"), "_1st");
    EXPECT_EQ(usda_name(""), "_");
    EXPECT_EQ(usda_name("a\"\n"), "a__");
}

TEST(UsdaGrammar, RefusesWhatIsWrong) {
    const auto parse = [](const std::string& body) {
        return UsdaGrammar("#usda 1.0\ndef Mesh \"a\"\n{\n" + body + "}\n", "a.usda");
    };
    EXPECT_NO_THROW(parse("point3f[] points = [(1, 2, 3)]\n"));
    EXPECT_THROW(parse("point3f[] points = [(1, 2)]\n"), InputError);
    EXPECT_THROW(parse("int[] counts = [1.5]\n"), InputError);
    EXPECT_THROW(parse("float[] w = [1 2]\n"), InputError);
    EXPECT_THROW(parse("float[] w = [nan]\n"), InputError);
    EXPECT_THROW(UsdaGrammar("#usda 1.0\ndef Mesh \"a\"\n{\n", "a.usda"), InputError);
    EXPECT_THROW(UsdaGrammar("def Mesh \"a\" {}\n", "a.usda"), InputError);
}

TEST(UsdaClip, HoldsEveryAttributeAtItsTime) {
    const ExportFrame frame = export_sample();
    const UsdaGrammar usda(usda_clip(frame, film_space()), "clip.usda");
    EXPECT_EQ(usda.layer.at("upAxis").texts.at(0), "Z");
    EXPECT_DOUBLE_EQ(usda.layer.at("metersPerUnit").numbers.at(0), 0.01);
    const auto sample = [&](const std::string& prim, const std::string& attribute) {
        return usda.prims.at("/Rivulet/" + prim).attributes.at(attribute).samples.at(1004);
    };
    const auto points = sample("liquid", "points");
    ASSERT_EQ(points.count, 3u);
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_EQ(float(points.numbers[i]), frame.points[0].position[i / 3][int(i % 3)]);
    EXPECT_EQ(sample("liquid", "ids").numbers[1], double(std::int64_t{1} << 40));
    EXPECT_EQ(float(sample("liquid", "widths").numbers[2]), 0.6f);
    EXPECT_EQ(sample("surface", "faceVertexCounts").numbers, (std::vector<double>{3, 3, 3, 3}));
    EXPECT_EQ(sample("surface", "faceVertexIndices").numbers[5], 3);
    EXPECT_EQ(sample("surface", "velocities").count, 4u);
    EXPECT_EQ(sample("strands", "curveVertexCounts").numbers, (std::vector<double>{2, 3}));
    EXPECT_EQ(float(sample("strands", "primvars:film_area").numbers[2]), 2e-6f);
    EXPECT_EQ(sample("strands", "primvars:film_velocity").numbers,
              (std::vector<double>{0.5, -0.5, 0.25, 0, 0}));
    EXPECT_EQ(sample("strands", "primvars:film_share_milk").numbers, (std::vector<double>{0, 0.25, 1, 0, 0}));
    EXPECT_EQ(sample("cloth_1", "primvars:saturation").numbers, (std::vector<double>{0, 0.5, 1}));
    EXPECT_EQ(sample("cloth_1", "extent").numbers, (std::vector<double>{0, 0, 0, 1, 1, 0}));
}

TEST(UsdaClip, TellsLiquidsApart) {
    const UsdaGrammar usda(usda_clip(export_sample(), film_space()), "clip.usda");
    const auto sample = [&](const std::string& prim, const std::string& attribute) {
        return usda.prims.at("/Rivulet/" + prim).attributes.at(attribute).samples.at(1004).numbers;
    };
    const auto expect_near = [](const std::vector<double>& found, const std::vector<double>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6);
    };
    EXPECT_EQ(sample("liquid", "primvars:material"), (std::vector<double>{0, 1, 1}));
    expect_near(sample("liquid", "primvars:displayColor"), {0.8, 0.4, 0.1, 1, 1, 0.8, 1, 1, 0.8});
    EXPECT_EQ(sample("surface", "primvars:material"), (std::vector<double>{0, 1, 1, 0}));
    EXPECT_EQ(sample("surface", "primvars:weight_honey"), (std::vector<double>{1, 0.25, 0, 0.5}));
    EXPECT_EQ(sample("surface", "primvars:weight_milk"), (std::vector<double>{0, 0.75, 1, 0.5}));
    expect_near(sample("surface", "primvars:displayColor"),
                {0.8, 0.4, 0.1, 0.95, 0.85, 0.625, 1, 1, 0.8, 0.9, 0.7, 0.45});
    EXPECT_EQ(sample("surface/honey", "indices"), (std::vector<double>{0, 3}));
    EXPECT_EQ(sample("surface/milk", "indices"), (std::vector<double>{1, 2}));
}

TEST(UsdaClip, PointsMoveWithTheirVelocitiesUntilTheNextFrame) {
    const ExportFrame frame = export_sample();
    const UsdaGrammar usda(usda_clip(frame, film_space()), "clip.usda");
    for (const char* prim : {"liquid", "surface", "strands"}) {
        const auto& attributes = usda.prims.at(std::string("/Rivulet/") + prim).attributes;
        const auto& points = attributes.at("points").samples;
        const auto& velocity = attributes.at("velocities").samples.at(1004).numbers;
        ASSERT_EQ(points.size(), 2u) << prim;
        for (std::size_t i = 0; i < velocity.size(); ++i)
            EXPECT_NEAR(points.at(1005).numbers[i], points.at(1004).numbers[i] + velocity[i] / 30,
                        1e-6 * (1 + std::abs(points.at(1004).numbers[i])));
        // Readers take velocities only where a sample of the points is at the same time.
        EXPECT_EQ(attributes.at("velocities").samples.size(), 1u);
    }
    EXPECT_EQ(usda.prims.at("/Rivulet/cloth_1").attributes.at("points").samples.size(), 1u);
}

TEST(UsdaTopLayer, BindsAMaterialToTheFacesOfEachLiquid) {
    UsdaLayout layout;
    layout.include(export_sample());
    const UsdaGrammar usda(usda_top_layer(layout, film_space(), "./m.usda", {3}, {"./a.usda"}), "run.usda");
    for (const char* liquid : {"honey", "milk"}) {
        const auto& subset = usda.prims.at(std::string("/Rivulet/surface/") + liquid);
        EXPECT_EQ(subset.type, "GeomSubset");
        EXPECT_EQ(subset.schemas, std::vector<std::string>{"MaterialBindingAPI"});
        EXPECT_EQ(subset.attributes.at("familyName").value.texts.at(0), "materialBind");
        const std::string material = subset.target.at("material:binding");
        EXPECT_EQ(usda.prims.at(material).type, "Material");
        EXPECT_EQ(usda.prims.at(material).target.at("outputs:surface.connect"),
                  material + "/look.outputs:surface");
        EXPECT_EQ(usda.prims.at(material + "/look").attributes.at("info:id").value.texts.at(0),
                  "UsdPreviewSurface");
    }
    EXPECT_EQ(
        usda.prims.at("/Rivulet/Materials/milk/look").attributes.at("inputs:opacity").value.numbers.at(0), 1);
    EXPECT_LT(
        usda.prims.at("/Rivulet/Materials/honey/look").attributes.at("inputs:opacity").value.numbers.at(0),
        1);
}

TEST(UsdaTopLayer, OneLiquidIsBoundAsAWhole) {
    ExportFrame frame = export_sample();
    frame.liquids.resize(1);
    frame.meshes[0].material.clear();
    frame.meshes[0].weight.clear();
    UsdaLayout layout;
    layout.include(frame);
    const UsdaGrammar usda(usda_top_layer(layout, film_space(), "./m.usda", {3}, {"./a.usda"}), "run.usda");
    const auto& surface = usda.prims.at("/Rivulet/surface");
    EXPECT_EQ(surface.target.at("material:binding"), "/Rivulet/Materials/honey");
    EXPECT_TRUE(surface.attributes.at("primvars:displayColor").has_default);
    EXPECT_FALSE(surface.attributes.count("primvars:material"));
    EXPECT_FALSE(usda.prims.at("/Rivulet/liquid").attributes.count("primvars:material"));
}

TEST(UsdaTopLayer, DeclaresWhatClipsFillAndGivesThemNoValue) {
    const ExportFrame frame = export_sample();
    UsdaLayout layout;
    layout.include(ExportFrame{});
    layout.include(frame);
    const std::string top =
        usda_top_layer(layout, film_space(), "./manifest.usda", {3, 5}, {"./a.usda", "./b.usda"});
    const UsdaGrammar usda(top, "run.usda"), manifest(usda_manifest(layout, film_space()), "manifest.usda");
    const UsdaGrammar clip(usda_clip(frame, film_space()), "clip.usda");
    const auto& root = usda.prims.at("/Rivulet");
    EXPECT_EQ(root.clips.at("assetPaths").texts, (std::vector<std::string>{"./a.usda", "./b.usda"}));
    EXPECT_EQ(root.clips.at("active").numbers, (std::vector<double>{1004, 0, 1006, 1}));
    EXPECT_EQ(root.clips.at("times").numbers, (std::vector<double>{1004, 1004, 1006, 1006, 1007, 1007}));
    EXPECT_EQ(root.clips.at("primPath").texts.at(0), "/Rivulet");
    EXPECT_EQ(usda.layer.at("startTimeCode").numbers.at(0), 1004);
    EXPECT_EQ(usda.layer.at("endTimeCode").numbers.at(0), 1006);
    EXPECT_EQ(usda.prims.at("/Rivulet/strands").type, "BasisCurves");
    // A value in the top layer would be stronger than the clips.
    for (const auto& [path, prim] : clip.prims)
        for (const auto& [name, attribute] : prim.attributes) {
            ASSERT_TRUE(usda.prims.at(path).attributes.count(name)) << path << "." << name;
            EXPECT_FALSE(usda.prims.at(path).attributes.at(name).has_default) << path << "." << name;
            EXPECT_EQ(manifest.prims.at(path).attributes.at(name).type, attribute.type);
        }
}

TEST(UsdaLayout, IsReadBackAsItWas) {
    UsdaLayout layout;
    layout.include(export_sample());
    EXPECT_EQ(UsdaLayout::parse_csv(layout.csv()), layout);
    EXPECT_TRUE(UsdaLayout::parse_csv("kind,name\n9,x\n").prims().empty());
    EXPECT_TRUE(UsdaLayout::parse_csv("").prims().empty());
}

TEST(Base64, KnownValues) {
    const auto encoded = [](const std::string& text) {
        const auto bytes = std::as_bytes(std::span(text));
        return base64({bytes.begin(), bytes.end()});
    };
    EXPECT_EQ(encoded(""), "");
    EXPECT_EQ(encoded("f"), "Zg==");
    EXPECT_EQ(encoded("fo"), "Zm8=");
    EXPECT_EQ(encoded("foo"), "Zm9v");
    EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace rivulet::output
