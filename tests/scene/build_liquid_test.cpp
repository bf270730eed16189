#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/build_checks.h>
#include <rivulet/scene/catalogue.h>
#include <rivulet/scene/sizes.h>

namespace rivulet::scene {
namespace {

const char* const kTop = "format = 1\ntime = { end = \"1 s\" }\n";
const char* const kBall =
    "[obstacle.ball]\nshape = { type = \"sphere\", center = \"0, 0, 0 m\", radius = \"50 cm\" }\n";

std::string complaint(const std::string& lines, const std::vector<std::string>& settings = {}) {
    try {
        build(read_scene_text(kTop + lines, "s.toml", "/", settings));
    } catch (const InputError& error) {
        return error.problems().front().text();
    }
    return "";
}

std::string box_of_water(const std::string& min, const std::string& max) {
    return "[liquid.a]\nmaterial = \"water\"\nfill = { type = \"box\", min = \"" + min + "\", max = \"" +
           max + "\" }\n";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(BuildLiquid, AFillInsideAnObstacleIsRefused) {
    const std::string text = complaint(kBall + box_of_water("-10, -10, -10 cm", "10, 10, 10 cm"));
    EXPECT_TRUE(has(text, "liquid.a.fill")) << text;
}

TEST(BuildLiquid, TooMuchMemoryIsRefusedWithANumberAndAHint) {
    const std::string water = box_of_water("0, 0, 0 m", "1, 1, 1 m");
    EXPECT_EQ(complaint(water, {"grid.cell=\"10 cm\""}), "");
    const std::string limited = complaint(water, {"grid.cell=\"1 cm\"", "grid.memory_limit=\"100 MB\""});
    EXPECT_TRUE(has(limited, "8.12e+06 particles need about 4.47 GB")) << limited;
    EXPECT_TRUE(has(limited, "cells of 0.0355 m or larger would fit")) << limited;
    const std::string absurd = complaint(water, {"grid.cell=\"10 um\""});
    EXPECT_TRUE(has(absurd, "this machine has")) << absurd;
    EXPECT_TRUE(has(complaint(water, {"grid.cell=\"0 m\""}), "grid.cell"));
}

TEST(BuildLiquid, ExpectedParticlesAreThoseOfTheFill) {
    geometry::ShapeDescription ball;
    ball.type = geometry::ShapeType::sphere;
    ball.radius = 0.5;
    // An estimate on the safe side: counted on a coarse lattice, never below what the fill makes.
    const double filled = 0.5236 * 8000;
    EXPECT_GE(expected_particles(geometry::Shape(ball), 0.1, 8), filled);
    EXPECT_LE(expected_particles(geometry::Shape(ball), 0.1, 8), 1.25 * filled);
}

TEST(BuildLiquid, AnInflowInsideAnObstacleIsRefusedUnlessItIsFreedInTime) {
    const std::string tap =
        "[inflow.tap]\nmaterial = \"water\"\nvelocity = \"0, -1, 0 m/s\"\n"
        "shape = { type = \"sphere\", center = \"0, 0, 0 m\", radius = \"5 cm\" }\n";
    const std::string text = complaint(kBall + tap);
    EXPECT_TRUE(has(text, "inflow.tap.shape") && has(text, "inside obstacles")) << text;
    const std::string leaves =
        "[[obstacle.ball.motion]]\ntype = \"translate\"\nkeys = [[\"0 s\", \"0, 0, 0 m\"], [\"1 s\", \"2, 0, "
        "0 m\"]]\n";
    EXPECT_EQ(complaint(kBall + leaves + tap), "");
    EXPECT_NE(complaint(kBall + leaves + tap + "active = [\"0 s\", \"0.1 s\"]\n"), "");
}

/// A tetrahedron; `open` leaves a face out, `inside_out` turns every face.
std::string mesh_complaint(bool open, bool inside_out) {
    const auto file = std::filesystem::temp_directory_path() / "rivulet_build_liquid_test.obj";
    {
        std::ofstream out(file);
        out << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
        const int faces[4][3] = {{1, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}};
        for (int f = 0; f < (open ? 3 : 4); ++f)
            out << "f " << faces[f][0] << ' ' << faces[f][inside_out ? 2 : 1] << ' '
                << faces[f][inside_out ? 1 : 2] << '\n';
    }
    const std::string text =
        complaint("[obstacle.rock]\nshape = { type = \"mesh\", file = \"" + file.string() + "\" }\n" +
                  box_of_water("2, 0, 0 m", "2.1, 0.1, 0.1 m"));
    std::filesystem::remove(file);
    return text;
}

TEST(BuildLiquid, ObstacleMeshesMustBeClosedAndTheRightWayRound) {
    EXPECT_EQ(mesh_complaint(false, false), "");
    EXPECT_TRUE(has(mesh_complaint(true, false), "obstacle.rock")) << mesh_complaint(true, false);
    EXPECT_TRUE(has(mesh_complaint(false, true), "obstacle.rock")) << mesh_complaint(false, true);
}

TEST(Catalogue, EveryLiquidHasItsNumbersAndTheirSource) {
    for (const char* name :
         {"water", "tetrachloroethylene", "olive_oil", "acetaldehyde", "honey", "glycerine"}) {
        const liquid::LiquidMaterial* m = find_liquid(name);
        ASSERT_NE(m, nullptr) << name;
        EXPECT_GT(m->density, 700);
        EXPECT_GT(m->viscosity, 1e-4);
        EXPECT_GT(m->surface_tension, 0.02);
        EXPECT_FALSE(m->source.empty());
    }
}

}  // namespace
}  // namespace rivulet::scene
