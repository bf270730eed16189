#include <gtest/gtest.h>

#include <rivulet/base/error.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

const char* const kExample = R"(format = 1
title  = "Dam break with a moving paddle"
time   = { fps = 30, end = "4 s" }
grid   = { cell = "1 cm" }

[obstacle.tank]
shape = { type = "box", min = "0, 0, 0 m", max = "2, 1, 0.5 m" }
side  = "inside"                       # a container; default "outside"
wall  = { condition = "slip", separate = true }

[obstacle.paddle]
shape = { type = "rounded_box", center = "1.7, 0.3, 0.25 m", size = "4, 60, 46 cm", radius = "1 cm" }
[[obstacle.paddle.motion]]
type = "translate"
keys = [["0 s", "0, 0, 0 cm"], ["1 s", "0, 0, 0 cm"], ["1.5 s", "-30, 0, 0 cm"], ["2 s", "0, 0, 0 cm"]]

[material.dyed_water]
base  = "water"
color = [0.1, 0.4, 0.8]

[liquid.column]
material = "dyed_water"
fill = { type = "box", min = "0, 0, 0 m", max = "0.5, 0.7, 0.5 m" }

[inflow.tap]
material = "water"
shape    = { type = "sphere", center = "1, 0.9, 0.25 m", radius = "3 cm" }
velocity = "0, -1.5, 0 m/s"
active   = ["1 s", "3 s"]
total    = "6 L"
)";

TEST(ReadScene, Example) {
    const Scene scene = read_scene_text(kExample, "dam.toml", "/");
    EXPECT_EQ(scene.title, "Dam break with a moving paddle");
    EXPECT_EQ(scene.obstacles.size(), 2u);
    EXPECT_EQ(scene.obstacles[0].name, "tank");
    EXPECT_EQ(scene.obstacles[0].side, obstacle::Side::inside);
    EXPECT_EQ(scene.obstacles[1].motion[0].offset.value[2], (Vec3d{-0.3, 0, 0}));
    ASSERT_EQ(scene.materials.size(), 2u);
    EXPECT_EQ(scene.materials[0].name, "dyed_water");
    EXPECT_EQ(scene.materials[0].density, 998.2);
    EXPECT_EQ(scene.materials[1].name, "water");
    EXPECT_EQ(scene.inflows[0].material, 1);
    EXPECT_EQ(scene.inflows[0].total, 6e-3);
    EXPECT_EQ(scene.last_frame(), 120);
    const std::string text = resolved_text(scene);
    EXPECT_EQ(resolved_text(read_scene_text(text, "scene.toml", "/")), text);
}

}  // namespace
}  // namespace rivulet::scene
