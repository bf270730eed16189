#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

namespace rivulet::world {
namespace {

/// A sheet falls slanting on a pool between walls, past a ball.
World splash(const std::string& material, bool whole_halo) {
    auto built = scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 100, end = "1 s" }
step = { max = "2 ms" }
grid = { cell = "1 cm" }
[material.thick]
type = "liquid"
density = "1000 kg/m^3"
yield_stress = "2 Pa"
consistency = "1 Pa*s^0.6"
flow_index = 0.6
shear_modulus = "300 Pa"
[obstacle.tank]
shape = { type = "box", min = "0, 0, 0 cm", max = "21, 30, 13 cm" }
side = "inside"
[obstacle.ball]
shape = { type = "sphere", center = "7, 6, 6 cm", radius = "2.2 cm" }
[liquid.pool]
material = ")" + material + R"("
fill = { type = "box", min = "0, 0, 0 cm", max = "21, 3.2, 13 cm" }
[liquid.sheet]
material = ")" + material + R"("
fill = { type = "box", min = "5, 9, 3 cm", max = "18, 10, 10 cm" }
velocity = "-1, -1.5, 0.3 m/s"
)",
                                                     "test.toml", "."));
    built.model.liquid.pressure.tolerance = 1e-13;
    built.model.liquid.shear.tolerance = 1e-10;
    built.model.liquid.shear.newton_steps = 20;
    built.model.liquid.shear.linear = 1e-4;
    built.model.liquid.viscosity.tolerance = 1e-13;
    built.model.liquid.whole_halo = whole_halo;
    Stepper stepper(built.model);
    for (int i = 0; i < 6; ++i) stepper.advance(built.world);
    return built.world;
}

void expect_the_same(const std::string& material, double tolerance) {
    const World lean = splash(material, false), whole = splash(material, true);
    ASSERT_EQ(lean.liquid.size(), whole.liquid.size());
    double farthest = 0, fastest = 0;
    for (std::size_t i = 0; i < lean.liquid.size(); ++i) {
        ASSERT_EQ(lean.liquid.id[i], whole.liquid.id[i]);
        farthest = std::max(farthest, length(lean.liquid.position[i] - whole.liquid.position[i]));
        fastest = std::max(fastest, length(lean.liquid.velocity[i] - whole.liquid.velocity[i]));
    }
    EXPECT_LT(farthest, tolerance * 0.01);  // m
    EXPECT_LT(fastest, tolerance * 1.0);    // m/s
}

TEST(Halo, BlocksOutOfReachChangeNothingForWater) {
    expect_the_same("water", 1e-9);
}

TEST(Halo, BlocksOutOfReachChangeNothingForThickLiquid) {
    expect_the_same("thick", 1e-9);
}

}  // namespace
}  // namespace rivulet::world
