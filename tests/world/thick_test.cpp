#include <gtest/gtest.h>

#include <memory>

#include "support/same_world.h"

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/tearing.h>
#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

/// The bit tests on liquids with a memory: cream and mud meet on a plate while more cream comes in.
namespace rivulet::world {
namespace {

scene::Built thick_scene() {
    return scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 50, end = "1 s" }
grid = { cell = "1 cm" }
[obstacle.floor]
shape = { type = "plane", point = "0, 0, 0 m", normal = [0, 1, 0] }
wall = { condition = "no_slip" }
[material.torn_cream]
base = "shaving_cream"
tear_strain = 0.3
[liquid.cream]
material = "torn_cream"
fill = { type = "box", min = "-6, 0, -4 cm", max = "0, 6, 4 cm" }
[liquid.mud]
material = "drilling_mud"
fill = { type = "box", min = "0, 0, -4 cm", max = "5, 6, 4 cm" }
[inflow.nozzle]
material = "shaving_cream"
shape = { type = "cylinder", from = "-3, 9, 0 cm", to = "-3, 10, 0 cm", radius = "1.5 cm" }
velocity = "0, -0.5, 0 m/s"
)",
                                               "test.toml", "."));
}

constexpr int kSteps = 12;

World run(bool rebuild) {
    auto [model, world, warnings, notes] = thick_scene();
    auto stepper = std::make_unique<Stepper>(model);
    for (int i = 0; i < kSteps; ++i) {
        if (rebuild) stepper = std::make_unique<Stepper>(model);
        stepper->advance(world);
    }
    return world;
}

TEST(ThickLiquid, SameBitsForAnyThreadsAndRebuiltStepper) {
    const World one = with_threads(1, [] { return run(false); });
    ASSERT_EQ(one.liquid.strain_diagonal.size(), one.liquid.size());
    EXPECT_EQ(first_difference(one, with_threads(2, [] { return run(false); })), "");
    EXPECT_EQ(first_difference(one, with_threads(4, [] { return run(true); })), "");
    double strained = 0, worst = 0, distorted = 0;
    for (std::size_t i = 0; i < one.liquid.size(); ++i) {
        const liquid::Strain b = liquid::strain_of(one.liquid, i);
        strained = std::max(strained, liquid::norm(liquid::deviator(b)));
        distorted = std::max(distorted, liquid::plastic_distortion(b, liquid::stretch_of(one.liquid, i)));
        worst = std::max(worst, std::abs(liquid::determinant(b) - 1));
    }
    EXPECT_GT(strained, 1e-3);
    EXPECT_GT(distorted, 0.3);  // some of it is torn
    EXPECT_LT(worst, 1e-12);
}

TEST(ThickLiquid, FewProductsPerStepAtCourantNumberOne) {
    auto [model, world, warnings, notes] = thick_scene();
    model.step.courant = 1;
    Stepper stepper(model);
    for (int i = 0; i < kSteps; ++i) {
        const StepCounts counts = stepper.advance(world);
        EXPECT_LE(counts.shear_iterations, 30);
        EXPECT_LE(counts.newton_iterations, 4);
    }
}

TEST(ThickLiquid, NewtonianScenesCarryNoStrain) {
    auto [model, world, warnings, notes] = scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 50, end = "1 s" }
grid = { cell = "2 cm" }
[liquid.water]
material = "water"
fill = { type = "box", min = "0, 0, 0 cm", max = "8, 8, 8 cm" }
)",
                                                                               "test.toml", "."));
    Stepper stepper(model);
    stepper.advance(world);
    EXPECT_TRUE(world.liquid.strain_diagonal.empty());
}

TEST(ThickLiquid, TooStiffIsRefusedByName) {
    const std::string text = R"(format = 1
time = { fps = 50, end = "1 s" }
grid = { cell = "1 mm" }
[material.steel]
yield_stress = "1e8 Pa"
consistency = "1 Pa*s"
shear_modulus = "8e20 Pa"
[liquid.block]
material = "steel"
fill = { type = "box", min = "0, 0, 0 mm", max = "8, 8, 8 mm" }
)";
    try {
        scene::build(scene::read_scene_text(text, "test.toml", "."));
        FAIL() << "should have been refused";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("'steel'"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("step.min"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace rivulet::world
