#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/scene/build_strands.h>

/// Tips are held as roots are: by an obstacle, or by motions and turns of their own.
namespace rivulet::scene {
namespace {

using strand::EndKind;

const char* const kTop = R"(format = 1
time = { fps = 24, end = "1 s" }
[obstacle.hook]
shape = { type = "sphere", center = "30, 0, 0 cm", radius = "1 cm" }
[[obstacle.hook.motion]]
type = "rotate"
axis = [0, 0, 1]
keys = [["0 s", "30 deg"], ["1 s", "120 deg"]]
)";

/// Five hairs along x, 5 cm long.
std::string hairs(const std::string& more, const std::string& segment = "5 mm") {
    return "[strands.a]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\nsegment = \"" + segment +
           "\"\ngroom = { type = \"rows\", columns = 5, column_step = \"0, 0, 1 cm\", direction = [1, 0, 0], "
           "length = \"5 cm\" }\n" +
           more;
}

struct Held {
    Scene scene;
    obstacle::ObstacleSet obstacles;
    StrandSetup strands;
    strand::StrandState at(double t) const {
        strand::StrandState state = strands.state;
        world::drive_ends(strands.model, obstacles, t, state);
        return state;
    }
};
Held build(const std::string& lines) {
    Held setup;
    setup.scene = read_scene_text(kTop + lines, "s.toml", "/");
    setup.obstacles = obstacle::ObstacleSet(setup.scene.obstacles, 2e-3);
    setup.strands = build_strands(setup.scene, setup.obstacles);
    return setup;
}

std::string complaint(const std::string& lines) {
    try {
        build(lines);
    } catch (const InputError& e) {
        return e.problems().size() == 1 ? e.problems()[0].text() : "several: " + std::string(e.what());
    }
    return "";
}

TEST(StrandEnds, TipsAreFreeUnlessTold) {
    const Held setup = build(hairs(""));
    ASSERT_EQ(setup.strands.model.tips.size(), 5u);
    const strand::StrandState state = setup.at(0.7);
    for (std::size_t s = 0; s < 5; ++s) {
        EXPECT_EQ(EndKind(state.tip_target.kind[s]), EndKind::free);
        EXPECT_EQ(EndKind(state.root_target.kind[s]), EndKind::clamp);
    }
}

TEST(StrandEnds, ATipFollowsAnObstacleFromWhereItIs) {
    const Held setup = build(hairs("tip = { type = \"clamp\", to = \"hook\" }\n"));
    const strand::StrandState start = setup.at(0), end = setup.at(1);
    for (std::size_t s = 0; s < 5; ++s) {
        const Vec3d tip = setup.strands.state.position[setup.strands.state.end(s) - 1];
        EXPECT_EQ(EndKind(start.tip_target.kind[s]), EndKind::clamp);
        EXPECT_LT(length(start.tip_target.position[s] - tip), 1e-15);
        EXPECT_LT(length(start.tip_target.tangent[s] - Vec3d{1, 0, 0}), 1e-15);
        // The hook turns by 90° about z: x' = −y, y' = x.
        EXPECT_LT(length(end.tip_target.position[s] - Vec3d{-tip.y, tip.x, tip.z}), 1e-15);
        EXPECT_LT(length(end.tip_target.tangent[s] - Vec3d{0, 1, 0}), 1e-15);
        EXPECT_NEAR(dot(end.tip_target.tangent[s], end.tip_target.director[s]), 0, 1e-15);
        EXPECT_LT(length(end.root_target.position[s] - start.root_target.position[s]), 1e-15) << "roots stay";
    }
}

TEST(StrandEnds, ScriptsMoveTurnAndReleaseTips) {
    const Held setup = build(
        hairs("tip = { type = \"clamp\", release = \"0.5 s\" }\n"
              "[[strands.a.tip_motion]]\ntype = \"translate\"\nkeys = [[\"0 s\", \"1, 0, 0 m\"], [\"0.4 s\", "
              "\"1, 0, 2 m\"]]\n"
              "[[strands.a.tip_twist]]\nkeys = [[\"0 s\", \"0 deg\"], [\"0.4 s\", \"90 deg\"]]\n"));
    const strand::StrandState start = setup.at(0), turned = setup.at(0.4);
    for (std::size_t s = 0; s < 5; ++s) {
        const Vec3d tip = setup.strands.state.position[setup.strands.state.end(s) - 1];
        EXPECT_LT(length(start.tip_target.position[s] - tip), 1e-15) << "it starts where it is";
        EXPECT_LT(length(turned.tip_target.position[s] - tip - Vec3d{0, 0, 2}), 1e-15);
        // Right-handed about the direction from root to tip.
        EXPECT_LT(length(turned.tip_target.director[s] - cross(Vec3d{1, 0, 0}, start.tip_target.director[s])),
                  1e-12);
        EXPECT_LT(length(turned.root_target.director[s] - start.root_target.director[s]), 1e-15);
        EXPECT_EQ(EndKind(turned.tip_target.kind[s]), EndKind::clamp);
        EXPECT_EQ(EndKind(setup.at(0.5).tip_target.kind[s]), EndKind::free);
        EXPECT_EQ(EndKind(setup.at(0.5).root_target.kind[s]), EndKind::clamp);
    }
}

TEST(StrandEnds, TipsFollowASequenceOfMeshes) {
    const std::string folder = testing::TempDir();
    const auto file = [&](int frame) { return folder + "rivulet_tips_" + std::to_string(frame) + ".obj"; };
    for (const int frame :
         {0, 1}) {  // a cube of 10 cm from x = 5 cm on, which grows along z to twice its size
        std::ofstream out(file(frame));
        for (int i = 0; i < 8; ++i)
            out << "v " << 0.05 + 0.1 * (i & 1) << ' ' << -0.05 + 0.1 * (i >> 1 & 1) << ' '
                << (i >> 2) * 0.1 * (1 + frame) << '\n';
        out << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    }
    const Held setup = build("[obstacle.cube]\nshape = { type = \"mesh\", file = \"" + file(0) +
                             "\" }\n[[obstacle.cube.motion]]\ntype = \"meshes\"\nfile = \"" + folder +
                             "rivulet_tips_#.obj\"\nfps = 1\nlast_frame = 1\n" +
                             hairs("tip = { type = \"pin\", to = \"cube\" }\n"));
    for (const double t : {0.0, 0.5, 1.0}) {
        const strand::StrandState state = setup.at(t);
        for (std::size_t s = 0; s < 5; ++s)
            EXPECT_LT(length(state.tip_target.position[s] - Vec3d{0.05, 0, 0.01 * double(s) * (1 + t)}),
                      1e-12);
    }
    EXPECT_NE(
        complaint("[obstacle.cube]\nshape = { type = \"mesh\", file = \"" + file(0) +
                  "\" }\n[[obstacle.cube.motion]]\ntype = \"meshes\"\nfile = \"" + folder +
                  "rivulet_tips_#.obj\"\nfps = 1\nlast_frame = 1\n" +
                  hairs("tip = { type = \"pin\", to = \"cube\" }\ntip_motion = [{ type = \"spin\", axis = "
                        "[1, 0, 0], rate = \"1 rpm\" }]\n"))
            .find("strands.a.tip_motion: tips on a sequence of meshes move with it alone"),
        std::string::npos);
    std::filesystem::remove(file(0)), std::filesystem::remove(file(1));
}

TEST(StrandEnds, RefusesWhatCannotBe) {
    const auto says = [](const std::string& more, const std::string& part) {
        EXPECT_NE(complaint(more).find(part), std::string::npos) << complaint(more);
    };
    says(hairs("tip = { to = \"hook\" }\n"), "strands.a.tip: 'to' has no effect on free tips");
    says(hairs("tip_motion = [{ type = \"spin\", axis = [1, 0, 0], rate = \"1 rpm\" }]\n"),
         "strands.a.tip_motion: has no effect on free tips; add tip = { type = \"clamp\" }");
    says(hairs("tip = { type = \"pin\" }\ntip_twist = [{ keys = [[\"0 s\", \"0 deg\"], [\"1 s\", \"9 deg\"]] "
               "}]\n"),
         "strands.a.tip_twist: only clamped tips can be turned");
    says(hairs("tip = { type = \"clamp\", to = \"hok\" }\n"),
         "there is no obstacle 'hok'; did you mean 'hook'?");
    says(hairs("tip = { type = \"clamp\" }\n", "25 mm"),
         "strands.a.tip: strand 0 has 2 segments, too few to be held at both ends");
    EXPECT_EQ(complaint(hairs("tip = { type = \"pin\" }\n", "25 mm")), "");
}

TEST(StrandEnds, ResolvedScenesKeepTips) {
    const Held setup =
        build(hairs("tip = { type = \"clamp\", to = \"hook\", release = \"0.5 s\" }\n"
                    "[[strands.a.tip_motion]]\ntype = \"spin\"\naxis = [1, 0, 0]\nrate = \"1 rpm\"\n"
                    "[[strands.a.tip_twist]]\nkeys = [[\"0 s\", \"0 deg\"], [\"0.4 s\", \"90 deg\"]]\n"));
    const std::string text = resolved_text(setup.scene);
    const Scene again = read_scene_text(text, "r.toml", "/");
    EXPECT_EQ(resolved_text(again), text);
    EXPECT_EQ(again.strands[0].tip.kind, EndKind::clamp);
    EXPECT_EQ(again.strands[0].tip.to, 0);
    EXPECT_EQ(again.strands[0].tip.release, 0.5);
    EXPECT_EQ(again.strands[0].tip_motion.size(), 1u);
    EXPECT_EQ(again.strands[0].tip_twist.size(), 1u);
}

TEST(StrandEnds, NoSagFreeShapeIsSoughtForHeldTips) {
    const Held setup = build(hairs("rest = \"sag_free\"\ntip = { type = \"pin\" }\n"));
    EXPECT_EQ(setup.strands.groups[0].sag_free.not_found, 5u);
    ASSERT_FALSE(setup.strands.warnings.empty());
    EXPECT_NE(setup.strands.warnings[0].find("tips held"), std::string::npos);
}

}  // namespace
}  // namespace rivulet::scene
