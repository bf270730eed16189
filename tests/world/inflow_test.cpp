#include <gtest/gtest.h>

#include <algorithm>

#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

namespace rivulet::world {
namespace {

/// Honey that gravity would pull off its nozzle: 0.25 m/s at the nozzle, in free fall three times that.
TEST(Inflow, HoldsAThreadThatFallsFasterThanItIsFed) {
    auto [model, world, warnings, notes] = scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 50, end = "1 s" }
grid = { cell = "2.5 mm" }
[inflow.spoon]
material = "honey"
shape = { type = "cylinder", from = "0, 0, 0 cm", to = "0, 0.5, 0 cm", radius = "5 mm" }
velocity = "0, -0.25, 0 m/s"
)",
                                                                               "test.toml", "."));
    Stepper stepper(model);
    while (world.clock.time < 0.15) stepper.advance(world);

    const auto& s = world.liquid;
    std::vector<double> heights;
    double inside = 0, below = 0, most_inside = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        heights.push_back(s.position[i].y);
        if (s.position[i].y > 0) {
            ++inside;
            most_inside = std::max(most_inside, length(s.velocity[i] - Vec3d{0, -0.25, 0}));
        } else if (s.position[i].y > -model.cell) {
            ++below;
        }
    }
    EXPECT_LT(most_inside, 0.01);
    // What leaves is as full as what comes: two cells of the nozzle, one below.
    EXPECT_NEAR(below, inside / 2, 0.1 * inside);
    std::sort(heights.begin(), heights.end());
    double gap = 0;
    for (std::size_t i = 1; i < heights.size(); ++i) gap = std::max(gap, heights[i] - heights[i - 1]);
    EXPECT_LT(gap, model.cell);
    EXPECT_LT(heights.front(), -12 * model.cell);
}

}  // namespace
}  // namespace rivulet::world
