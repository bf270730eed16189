#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/scene.h>

#include "support/temporary_folder.h"

namespace rivulet::scene {
namespace {

constexpr const char* kScene = R"(format = 1
time = { end = "1 s" }
grid = { cell = "1 cm", memory_limit = "8 GB" }
[obstacle.head]
shape = { type = "sphere", center = "0, 0, 0 m", radius = "10 cm" }
[liquid.pool]
material = "water"
fill = { type = "box", min = "0, 0, 0 m", max = "10, 10, 10 cm" }
[strands.hair]
material = "human_hair"
radius = { root = "45 um" }
segment = "5 mm"
root = { type = "clamp", to = "head" }
groom = { type = "patch", on = "head", count = 20, length = "10 cm" }
)";

/// Without strands: an obstacle and a fill of these shapes.
std::string bare(const std::string& shape, const std::string& fill) {
    return "format = 1\ntime = { end = \"1 s\" }\ngrid = { cell = \"1 cm\", memory_limit = \"8 GB\" "
           "}\n[obstacle.head]\n"
           "shape = " +
           shape + "\n[liquid.pool]\nmaterial = \"water\"\nfill = " + fill + "\n";
}

/// What building says, and that it says so at once.
std::string refusal(const std::vector<std::string>& settings, const std::string& scene = kScene) {
    const auto begin = std::chrono::steady_clock::now();
    try {
        build(read_scene_text(scene, "scene.toml", ".", settings));
        return "";
    } catch (const InputError& e) {
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2)) << e.what();
        return e.what();
    }
}

TEST(Sizes, AreAnsweredBeforeAnythingIsMade) {
    EXPECT_EQ(refusal({}), "");
    const auto says = [](const std::vector<std::string>& settings, const char* words) {
        const std::string said = refusal(settings);
        EXPECT_NE(said.find(words), std::string::npos) << settings[0] << ": " << said;
    };
    says({"strands.hair.groom.count=10000000"},
         "strands.hair.groom: 1e+07 strands have 2.1e+08 vertices, which need about 315 GB; "
         "output.max_vertices allows 100000000");
    says({"strands.hair.groom.count=0", "strands.hair.groom.density=1e30 m^-2"}, "e+29 strands have");
    says({"strands.hair.segment=1 nm"}, "strands.hair.segment: strands of 0.1 m in segments of 1e-09 m have");
    says({"strands.hair.groom.length=900 km"}, "strands of 9e+05 m in segments of 0.005 m have 1.8e+08");
    says({"detail=1000"}, "need about");
    says({"detail=1000", "liquid.pool.fill.max=1, 1, 1 mm"}, "vertices");
    says({"output.max_vertices=100"}, "strands.hair.groom: 20 strands have 420 vertices");
    says({"grid.memory_limit=1 MB"}, "more than grid.memory_limit");
    says({"grid.memory_limit=1 MB", "strands.hair.groom.count=2000", "liquid.pool.fill.max=1, 1, 1 mm"},
         "strands: 4.2e+04 vertices need about 0.063 GB, more than grid.memory_limit");
}

/// A cube of 20 cm as OBJ.
std::string write_cube(const test::TemporaryFolder& folder) {
    const std::string path = folder.path() / "cube.obj";
    std::ofstream out(path);
    for (int corner = 0; corner < 8; ++corner)
        out << "v " << (corner & 1 ? 0.1 : -0.1) << ' ' << (corner & 2 ? 0.1 : -0.1) << ' '
            << (corner & 4 ? 0.1 : -0.1) << '\n';
    out << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    return path;
}

TEST(Sizes, OfMeshesAreAnsweredBeforeTheyAreSampled) {
    const test::TemporaryFolder folder;
    const std::string cube = "{ type = \"mesh\", file = \"" + write_cube(folder) + "\"";
    const std::string ball = "{ type = \"sphere\", center = \"0, 0, 0 m\", radius = \"10 cm\" }";
    const std::string speck = "{ type = \"box\", min = \"1, 1, 1 m\", max = \"1.001, 1.001, 1.001 m\" }";
    const auto says = [](const std::string& scene, const std::string& detail, const std::string& words) {
        const std::string said = refusal({"detail=" + detail}, scene);
        EXPECT_NE(said.find(words), std::string::npos) << scene << ": " << said;
    };
    const std::string huge = bare(cube + ", file_unit = \"1 km\" }", speck);
    says(huge, "1", "a mesh of 200 m with 2.4e+05 m^2 of surface in cells of 0.01 m needs");
    says(huge, "1", "is file_unit right?");
    says(bare(cube + " }", speck), "1000", "a mesh of 0.2 m");
    EXPECT_EQ(refusal({}, bare(cube + " }", speck)), "");
    // 8 L in cells of 0.5 mm, in a union that is the mesh and nothing else.
    says(bare(ball, "{ type = \"union\", parts = [" + cube + " }, " + cube + " }] }"), "20",
         "particles need about");
}

}  // namespace
}  // namespace rivulet::scene
