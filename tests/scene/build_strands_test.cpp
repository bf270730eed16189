#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/geometry/primitives.h>
#include <rivulet/scene/build_strands.h>

#include "support/curve_files.h"

namespace rivulet::scene {
namespace {

const char* const kTop = R"(format = 1
time = { fps = 24, end = "1 s" }
[obstacle.head]
shape = { type = "all_of", parts = [{ type = "sphere", center = "0, 0, 0 m", radius = "9 cm" },
                                    { type = "capsule", from = "0, 0, 0 m", to = "0, -20, 0 cm", radius = "5 cm" }] }
[[obstacle.head.motion]]
type = "rotate"
axis = [1, 0, 0]
keys = [["0 s", "90 deg"], ["1 s", "0 deg"]]
)";

StrandSetup build(const std::string& lines, Scene* out = nullptr) {
    const Scene scene = read_scene_text(kTop + lines, "s.toml", "/");
    const obstacle::ObstacleSet obstacles(scene.obstacles, 2e-3);
    if (out) *out = scene;
    return build_strands(scene, obstacles);
}

std::string strands(const std::string& groom, const std::string& more = "") {
    return "[strands.a]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\nsegment = \"5 mm\"\n" +
           more + "groom = { " + groom + " }\n";
}

TEST(BuildStrands, PatchLiesOnItsObstacleAndFollowsIt) {
    Scene scene;
    const StrandSetup setup =
        build(strands("type = \"patch\", on = \"head\", count = 300, length = \"2 cm\""), &scene);
    ASSERT_EQ(setup.state.strand_count(), 300u);
    const obstacle::ObstacleSet obstacles(scene.obstacles, 2e-3);
    const geometry::SolidField solids = obstacles.field_over(0, 1);
    for (std::size_t s = 0; s < 300; ++s) {
        const Vec3d root = setup.state.position[setup.state.begin(s)];
        EXPECT_NEAR(solids.distance(root, 0), 0, 1e-6);
        EXPECT_GT(solids.distance(setup.state.position[setup.state.end(s) - 1], 0), 5e-3);
    }
    strand::StrandState state = setup.state;
    world::drive_ends(setup.model, obstacles, 0, state);
    for (std::size_t s = 0; s < 300; ++s)
        EXPECT_LT(length(state.root_target.position[s] - state.position[state.begin(s)]), 1e-12);
    world::drive_ends(setup.model, obstacles, 1, state);  // turned back by 90° about x: y' = z, z' = −y
    for (std::size_t s = 0; s < 300; ++s) {
        const Vec3d before = setup.state.position[setup.state.begin(s)];
        const Vec3d after{before.x, before.z, -before.y};
        EXPECT_LT(length(state.root_target.position[s] - after), 1e-9);
        EXPECT_NEAR(dot(state.root_target.tangent[s], state.root_target.director[s]), 0, 1e-12);
    }
}

TEST(BuildStrands, FacingKeepsRootsOnOneSide) {
    const StrandSetup setup =
        build(strands("type = \"patch\", on = \"head\", count = 100, length = \"2 cm\", facing = [0, 1, 0], "
                      "facing_angle = \"40 deg\""));
    // The head lies on its side at t = 0: its top points along +z.
    for (std::size_t s = 0; s < 100; ++s)
        EXPECT_GT(setup.state.position[setup.state.begin(s)].z, 0.09 * std::cos(0.6981317) - 1e-6);
}

TEST(BuildStrands, DetailMultipliesStrandsAndDividesSegments) {
    const std::string lines = strands("type = \"ball\", count = 40, radius = \"30 cm\", length = \"2 cm\"");
    const StrandSetup coarse = build(lines);
    const Scene scene = read_scene_text("detail = 2\n" + std::string(kTop) + lines, "s.toml", "/");
    const StrandSetup fine = build_strands(scene, obstacle::ObstacleSet(scene.obstacles, 2e-3));
    EXPECT_EQ(coarse.state.strand_count(), 40u);
    EXPECT_EQ(fine.state.strand_count(), 80u);
    EXPECT_EQ(coarse.state.end(0), 5u);
    EXPECT_EQ(fine.state.end(0), 9u);
}

TEST(BuildStrands, SagFreeHoldsInTheFrameOfTheGroom) {
    const std::string more = "rest = \"sag_free\"\nroot = { to = \"head\" }\n";
    const StrandSetup setup = build(
        strands("type = \"rows\", origin = \"20, 0, 0 cm\", direction = [1, 0, 0], length = \"3 cm\"", more));
    ASSERT_EQ(setup.groups[0].sag_free.balanced, 1u);
    // Authored along x with gravity −y; at t = 0 the head is turned by 90° about x, so the strand was made to
    // carry −z in the world: its natural bend lies in the x-z plane.
    const strand::StrandState& s = setup.state;
    EXPECT_NEAR(s.position.back().x, 0.23, 1e-9);
    const Vec3d axis1 = s.reference_director[1], axis2 = cross(Vec3d{1, 0, 0}, axis1);
    const Vec3d binormal = s.natural_curvature[1].x * axis2 - s.natural_curvature[1].y * axis1;
    EXPECT_GT(std::abs(binormal.y), 100 * std::abs(binormal.z));
}

TEST(BuildStrands, ScriptsTwistAndRelease) {
    Scene scene;
    const StrandSetup setup = build(
        "[strands.a]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\nsegment = \"5 mm\"\n"
        "root = { release = \"0.5 s\" }\n"
        "groom = { type = \"rows\", origin = \"20, 0, 0 cm\", length = \"3 cm\" }\n"
        "[[strands.a.motion]]\ntype = \"translate\"\nkeys = [[\"0 s\", \"0, 0, 0 m\"], [\"0.4 s\", \"1, 0, 0 "
        "m\"]]\n"
        "[[strands.a.twist]]\nkeys = [[\"0 s\", \"0 deg\"], [\"0.4 s\", \"90 deg\"]]\n",
        &scene);
    const obstacle::ObstacleSet obstacles(scene.obstacles, 2e-3);
    strand::StrandState state = setup.state;
    world::drive_ends(setup.model, obstacles, 0.4, state);
    EXPECT_NEAR(state.root_target.position[0].x, 1.2, 1e-12);
    EXPECT_NEAR(dot(state.root_target.director[0], setup.state.reference_director[0]), 0, 1e-12);
    EXPECT_EQ(strand::EndKind(state.root_target.kind[0]), strand::EndKind::clamp);
    world::drive_ends(setup.model, obstacles, 0.5, state);
    EXPECT_EQ(strand::EndKind(state.root_target.kind[0]), strand::EndKind::free);
}

TEST(BuildStrands, ReadsFilesAndNamesFaultyStrands) {
    io::CurveArrays arrays;
    arrays.position = {{0, 20, 0}, {0, 30, 0}, {5, 20, 0}, {5, 20, 0}, {5, 30, 0}, {0, 0, 0}, {0, 30, 0}};
    arrays.start = {0, 2, 5, 7};
    const std::string path = testing::TempDir() + "rivulet_build_strands.hair";
    std::ofstream(path, std::ios::binary) << test::hair_file(arrays);
    const std::string groom = "type = \"file\", file = \"" + path + "\", file_unit = \"cm\"";
    try {
        build(strands(groom));
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("segments of length 0: strand 1"), std::string::npos)
            << e.what();
    }
    try {  // mended in the file, the third strand still starts inside the head
        io::CurveArrays mended = arrays;
        mended.position[3].y = 25;
        std::ofstream(path, std::ios::binary) << test::hair_file(mended);
        build(strands(groom));
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("roots inside an obstacle: strand 2"), std::string::npos);
    }
    std::ofstream(path, std::ios::binary) << test::hair_file(arrays);
    const StrandSetup setup = build(strands(groom, "faults = \"drop\"\n"));
    EXPECT_EQ(setup.state.strand_count(), 1u);
    EXPECT_EQ(setup.groups[0].mended.dropped, 2u);
    EXPECT_EQ(setup.state.vertex_count(), 21u);
    EXPECT_NE(setup.warnings[0].find("2 strands dropped"), std::string::npos);
    std::filesystem::remove(path);
}

TEST(BuildStrands, PatchOnAMeshFileAndInsideAContainer) {
    const std::string path = testing::TempDir() + "rivulet_build_strands.obj";
    std::ofstream(path)
        << "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nv 0 0 10\nv 10 0 10\nv 10 10 10\nv 0 10 10\n"
           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    const auto build_on = [&](const std::string& side) {
        const Scene scene = read_scene_text(
            "format = 1\ntime = { end = \"1 s\" }\n[obstacle.cube]\nside = \"" + side +
                "\"\nshape = { type = \"mesh\", file = \"" + path + "\", file_unit = \"cm\" }\n" +
                strands("type = \"patch\", on = \"cube\", density = \"1 1/cm^2\", length = \"1 cm\""),
            "s.toml", "/");
        return build_strands(scene, obstacle::ObstacleSet(scene.obstacles, 2e-3)).state;
    };
    for (const bool inside : {false, true}) {
        const strand::StrandState s = build_on(inside ? "inside" : "outside");
        EXPECT_NEAR(double(s.strand_count()), 600, 1);
        for (std::size_t k = 0; k < s.strand_count(); ++k) {
            const auto distance = [&](const Vec3d& p) {  // to the cube from 0 to 10 cm, negative inside
                return geometry::RoundedBox{{0.05, 0.05, 0.05}, {0.05, 0.05, 0.05}, 0}.distance(p);
            };
            EXPECT_NEAR(distance(s.position[s.begin(k)]), 0, 1e-12);
            EXPECT_EQ(distance(s.position[s.end(k) - 1]) < 0, inside);
        }
    }
    std::filesystem::remove(path);
}

TEST(BuildStrands, RootsFollowASequenceOfMeshes) {
    const std::string folder = testing::TempDir();
    const auto write = [&](int frame, double stretch) {
        std::ofstream out(folder + "rivulet_cube_" + std::to_string(frame) + ".obj");
        for (int i = 0; i < 8; ++i)  // corners by bits, x stretched
            out << "v " << 0.1 * stretch * (i & 1) << ' ' << 0.1 * (i >> 1 & 1) << ' ' << 0.1 * (i >> 2)
                << '\n';
        out << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    };
    write(0, 1), write(1, 2);
    const std::string mesh = folder + "rivulet_cube_0.obj";
    const Scene scene = read_scene_text(
        "format = 1\ntime = { end = \"1 s\" }\n[obstacle.cube]\nshape = { type = \"mesh\", file = \"" + mesh +
            "\" }\n[[obstacle.cube.motion]]\ntype = \"meshes\"\nfile = \"" + folder +
            "rivulet_cube_#.obj\"\nfps = 1\nlast_frame = 1\n" +
            strands("type = \"patch\", on = \"cube\", count = 60, length = \"1 cm\""),
        "s.toml", "/");
    const obstacle::ObstacleSet obstacles(scene.obstacles, 2e-3);
    const StrandSetup setup = build_strands(scene, obstacles);
    ASSERT_EQ(setup.state.strand_count(), 60u);
    strand::StrandState state = setup.state;
    for (const double t : {0.0, 0.5, 1.0}) {
        world::drive_ends(setup.model, obstacles, t, state);
        for (std::size_t s = 0; s < 60; ++s) {
            const std::size_t v = setup.state.begin(s);
            const Vec3d before = setup.state.position[v];
            const Vec3d expected{before.x * (1 + t), before.y, before.z};
            EXPECT_LT(length(state.root_target.position[s] - expected), 1e-9);
            const Vec3d tangent = normalized(setup.state.position[v + 1] - before);
            // The tilt against the face stays; within the face it turns with the triangle's first edge.
            for (int a = 0; a < 3; ++a) {
                const bool on_face = std::min(std::abs(before[a]), std::abs(before[a] - 0.1)) < 1e-9;
                EXPECT_NEAR(state.root_target.tangent[s][a], tangent[a], on_face || t == 0 ? 1e-9 : 2.0);
            }
        }
    }
    std::filesystem::remove(mesh), std::filesystem::remove(folder + "rivulet_cube_1.obj");
}

TEST(BuildStrands, IsTheSameForAnyThreadCount) {
    const std::string lines = strands(
        "type = \"patch\", on = \"head\", count = 500, length = \"4 cm\", curl = { radius = \"3 mm\", pitch "
        "= \"1 cm\" }",
        "rest = \"sag_free\"\n");
    const StrandSetup one = with_threads(1, [&] { return build(lines); });
    const StrandSetup two = with_threads(2, [&] { return build(lines); });
    EXPECT_EQ(one.state.position, two.state.position);
    EXPECT_EQ(one.state.natural_curvature, two.state.natural_curvature);
    EXPECT_EQ(one.state.rest_length, two.state.rest_length);
}

TEST(BuildStrands, ShippedScenesBuild) {
    for (const char* name :
         {"cantilever", "swinging_curl", "helix", "fur_in_wind", "bristle_roller", "long_hair"}) {
        const Scene scene = read_scene(std::string(RIVULET_SOURCE_DIR) + "/scenes/strand/" + name + ".toml");
        const StrandSetup setup = build_strands(scene, obstacle::ObstacleSet(scene.obstacles, 2e-3));
        EXPECT_GT(setup.state.strand_count(), 0u) << name;
        EXPECT_EQ(setup.model.roots.size(), setup.state.strand_count()) << name;
        for (const StrandGroup& group : setup.groups) {
            EXPECT_TRUE(group.mended.clean()) << name << ": " << group.mended.text();
            EXPECT_EQ(group.sag_free.not_found, 0u) << name;
            EXPECT_LE(group.sag_free.unstable, setup.state.strand_count() / 20) << name;
        }
    }
}

}  // namespace
}  // namespace rivulet::scene
