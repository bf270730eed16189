#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/io/basis_curves.h>
#include <rivulet/io/usda_file.h>

#include "support/curve_files.h"

namespace rivulet::io {
namespace {

std::string prim(const std::string& body) {
    return "#usda 1.0\n(\n    doc = \"\"\"made\nby hand\"\"\"\n    metersPerUnit = 0.01\n    upAxis = "
           "\"Y\"\n)\n\n"
           "def Xform \"World\" (\n    kind = \"group\"\n)\n{\n    def BasisCurves \"hair\"\n    {\n" +
           body + "    }\n}\n";
}

std::string complaint(const std::string& text) {
    try {
        parse_usda_curves(text, "a.usda");
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

TEST(UsdaCurves, ReadsLinearCurves) {
    const CurveArrays c = parse_usda_curves(
        prim("        uniform token type = \"linear\"\n"
             "        rel material:binding = </World/mat>\n"
             "        custom string note = 'its' # odd\n"
             "        int[] curveVertexCounts = [2, 3,]\n"
             "        float3[] extent = [(-1, -1, -1), (1, 1, 1)]\n"
             "        asset thing = @./a.png@\n"
             "        point3f[] points = [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, .5, 0), (1, 1e0, -2.5)]\n"
             "        float[] widths = [0.5, 0.25] (\n            interpolation = \"uniform\"\n        )\n"
             "        float unset\n"),
        "a.usda");
    EXPECT_EQ(c.start, (std::vector<std::int64_t>{0, 2, 5}));
    EXPECT_EQ(c.position[4], (Vec3d{1, 1, -2.5}));
    EXPECT_EQ(c.radius, (std::vector<double>{0.25, 0.25, 0.125, 0.125, 0.125}));
    EXPECT_DOUBLE_EQ(c.metres_per_unit, 0.01);
}

TEST(UsdaCurves, WritesAndReadsTheSame) {
    CurveArrays c;
    c.position = {{0, 0, 0}, {0.1, 1.0 / 3, 0}, {1, 2, 3}, {4, 5, 6}};
    c.start = {0, 2, 4};
    c.radius = {0.1, 0.2, 0.3, 0.4};
    const CurveArrays d = parse_usda_curves(test::usda_file(c), "a.usda");
    EXPECT_EQ(d.position, c.position);
    EXPECT_EQ(d.start, c.start);
    EXPECT_EQ(d.radius, c.radius);
}

TEST(BasisCurves, WeightsSumToOneAndReproduceLines) {
    for (const CurveBasis basis : {CurveBasis::bezier, CurveBasis::bspline, CurveBasis::catmull_rom})
        for (const double u : {0.0, 0.3, 0.5, 1.0}) {
            const CubicWeights k = cubic_weights(basis, u);
            double sum = 0, first = 0;
            for (int i = 0; i < 4; ++i) {
                sum += k.w[i];
                first += k.w[i] * i;
            }
            EXPECT_NEAR(sum, 1, 1e-15);
            EXPECT_NEAR(first, basis == CurveBasis::bezier ? 3 * u : 1 + u, 1e-15);
        }
}

std::string cubic(const std::string& basis, const std::string& wrap) {
    return prim(
        "        uniform token type = \"cubic\"\n        uniform token basis = \"" + basis +
        "\"\n        uniform token wrap = \"" + wrap +
        "\"\n        int[] curveVertexCounts = [7]\n        point3f[] points = [(0, 0, 0), (1, 1, 0), "
        "(2, 0, 0), (3, 1, 0), (4, 0, 0), (5, 1, 0), (6, 0, 0)]\n");
}

TEST(UsdaCurves, EvaluatesCubics) {
    const CurveArrays bezier = parse_usda_curves(cubic("bezier", "nonperiodic"), "a", 4);
    ASSERT_EQ(bezier.position.size(), 9u);  // two segments of four
    EXPECT_EQ(bezier.position[4], (Vec3d{3, 1, 0}));
    EXPECT_EQ(bezier.position[8], (Vec3d{6, 0, 0}));
    const CurveArrays catmull = parse_usda_curves(cubic("catmullRom", "nonperiodic"), "a", 2);
    ASSERT_EQ(catmull.position.size(), 9u);  // four segments of two
    EXPECT_EQ(catmull.position[0], (Vec3d{1, 1, 0}));
    EXPECT_EQ(catmull.position[8], (Vec3d{5, 1, 0}));
    const CurveArrays pinned = parse_usda_curves(cubic("bspline", "pinned"), "a", 1);
    ASSERT_EQ(pinned.position.size(), 7u);  // six segments
    EXPECT_NEAR(pinned.position.front().x, 0, 1e-15);
    EXPECT_NEAR(pinned.position.back().x, 6, 1e-14);
    EXPECT_NEAR(pinned.position.front().y, 0, 1e-15);  // pinned ends are reached
    const CurveArrays spline = parse_usda_curves(cubic("bspline", "nonperiodic"), "a", 1);
    ASSERT_EQ(spline.position.size(), 5u);
    EXPECT_NEAR(spline.position[0].y, (0 + 4 * 1 + 0) / 6.0, 1e-15);
}

TEST(UsdaCurves, TurnsZUp) {
    std::string text = test::usda_file({{{1, 2, 3}, {4, 5, 6}}, {0, 2}, {}, 0});
    text.replace(text.find("\"Y\""), 3, "\"Z\"");
    EXPECT_EQ(parse_usda_curves(text, "a").position[0], (Vec3d{1, 3, -2}));
}

TEST(UsdaCurves, RefusesWithLineAndReason) {
    EXPECT_NE(complaint("PXR-USDC").find("not a .usda"), std::string::npos);
    EXPECT_NE(complaint("#usda 1.0\n").find("no BasisCurves"), std::string::npos);
    EXPECT_NE(complaint(cubic("bspline", "periodic")).find("a.usda:17"), std::string::npos);
    EXPECT_NE(complaint(prim("int[] curveVertexCounts = [3]\npoint3f[] points = [(0,0,0)]\n")).find("points"),
              std::string::npos);
    EXPECT_NE(complaint(prim("int[] curveVertexCounts = [1.5]\n")).find("whole number"), std::string::npos);
    EXPECT_NE(complaint(prim("point3f[] points = [(0, 0)]\n")).find("expected"), std::string::npos);
    EXPECT_NE(complaint(prim("point3f[] points.timeSamples = { 0: [(0,0,0)], }\n")).find("time samples"),
              std::string::npos);
    EXPECT_NE(
        complaint(
            "#usda 1.0\ndef Xform \"a\" {\n uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
            "def BasisCurves \"b\" {\n uniform token type = \"linear\"\n int[] curveVertexCounts = [2]\n"
            " point3f[] points = [(0,0,0),(1,1,1)]\n}\n}\n")
            .find("xformOps"),
        std::string::npos);
}

TEST(UsdaCurves, RefusesDeepNesting) {
    std::string prims = "#usda 1.0\n", lists = "#usda 1.0\ndef Xform \"a\" {\n int[] b = ";
    for (int i = 0; i < 200000; ++i) {
        prims += "def \"a\" {";
        lists += '[';
    }
    EXPECT_NE(complaint(prims).find("too deep"), std::string::npos);
    EXPECT_NE(complaint(lists).find("too deep"), std::string::npos);
}

TEST(UsdaCurves, SurvivesDamage) {
    const std::string good = cubic("catmullRom", "pinned");
    const Random random(3, 1);
    for (std::uint64_t round = 0; round < 3000; ++round) {
        std::string bad = good;
        for (std::uint64_t k = 0; k < 1 + round % 4; ++k) {
            const auto w = random.words(round * 8 + k);
            bad[w[0] % bad.size()] = static_cast<char>(w[1]);
        }
        complaint(bad);
        complaint(good.substr(0, round % good.size()));
    }
}

}  // namespace
}  // namespace rivulet::io
