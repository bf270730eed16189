#include <gtest/gtest.h>

#include <string>

#include <rivulet/scene/build.h>
#include <rivulet/scene/scene.h>
#include <rivulet/world/stepper.h>

namespace rivulet::world {
namespace {

/// A tank of 40 cm, its cells 2 cm wide.
const std::string kTank = R"(
format = 1
time = { fps = 24, end = "1 s" }
grid = { cell = "2 cm" }
[obstacle.tank]
shape = { type = "box", min = "-20, 0, -10 cm", max = "20, 40, 10 cm" }
side = "inside"
)";

void expect_sound(const std::string& text, int steps) {
    auto built = scene::build(scene::read_scene_text(text, "contrast.toml", "."));
    World world = built.world;
    Stepper stepper(built.model);
    StepCounts counts;
    for (int i = 0; i < steps; ++i) counts = stepper.advance(world);
    EXPECT_LE(std::abs(measure(built.model, world, counts).volume_error), 1e-12);
    EXPECT_EQ(counts.retries, 0);
}

TEST(Contrast, LiquidThatIsAlmostGasDoesNotBreakThePressure) {
    for (const char* modulus : {"1e-9 Pa", "1e-3 Pa", "1e3 Pa", "1e12 Pa"})
        expect_sound(kTank + R"(
[material.soft]
base = "water"
bulk_modulus = ")" + modulus +
                         R"("
[liquid.cube]
material = "soft"
fill = { type = "box", min = "-10, 0, -10 cm", max = "10, 20, 10 cm" }
)",
                     6);
}

TEST(Contrast, LiquidsOfEveryKindStandSideBySide) {
    expect_sound(kTank + R"(
[material.soft]
base = "water"
bulk_modulus = "100 Pa"
[material.tar]
base = "honey"
viscosity = "1e4 Pa*s"
density = "3 g/cm^3"
[liquid.a]
material = "milk_chocolate"
fill = { type = "box", min = "-20, 0, -10 cm", max = "-12, 15, 10 cm" }
[liquid.b]
material = "milk_cream"
fill = { type = "box", min = "-12, 0, -10 cm", max = "-4, 15, 10 cm" }
[liquid.c]
material = "soft"
fill = { type = "box", min = "-4, 0, -10 cm", max = "4, 15, 10 cm" }
[liquid.d]
material = "tar"
fill = { type = "box", min = "4, 0, -10 cm", max = "12, 15, 10 cm" }
[liquid.e]
material = "water"
fill = { type = "box", min = "12, 0, -10 cm", max = "20, 15, 10 cm" }
)",
                 6);
}

}  // namespace
}  // namespace rivulet::world
