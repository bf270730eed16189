#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/held_volume.h"
#include "support/same_world.h"

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

/// The whole step of the bulk liquid in a box tank of 1 × 1 × 1/4 m, 16 cells long.
namespace rivulet::world {
namespace {

scene::Built tank(const std::string& fill_to, const std::string& motion = "") {
    return scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 50, end = "4 s" }
grid = { cell = "6.25 cm" }
[obstacle.tank]
shape = { type = "box", min = "0, 0, 0 m", max = "1, 1, 0.25 m" }
side = "inside"
)" + motion + R"(
[liquid.water]
material = "water"
fill = { type = "box", min = "0, 0, 0 m", max = ")" +
                                                   fill_to + R"(" }
)",
                                               "test.toml", "."));
}

void run_until(scene::Built& built, double time) {
    Stepper stepper(built.model);
    while (built.world.clock.time < time) stepper.advance(built.world);
}

int outside(const scene::Built& built) {
    const geometry::SolidField solids = built.model.obstacles.field_over(built.world.clock.time, 1e-6);
    const auto& position = built.world.liquid.position;
    return int(std::count_if(position.begin(), position.end(),
                             [&](const Vec3d& x) { return solids.distance(x, 0) < 0; }));
}

double mean_height(const liquid::LiquidState& s) {
    double sum = 0, volume = 0;
    for (std::size_t i = 0; i < s.size(); ++i) sum += s.volume[i] * s.position[i].y, volume += s.volume[i];
    return sum / volume;
}

TEST(Tank, StillLiquidStaysStill) {
    scene::Built built = tank("1, 0.4, 0.25 m");
    run_until(built, 1);
    EXPECT_EQ(outside(built), 0);
    EXPECT_NEAR(mean_height(built.world.liquid), 0.2, 0.02 * 0.2);
    double fastest = 0;
    for (const Vec3d& v : built.world.liquid.velocity) fastest = std::max(fastest, length(v));
    EXPECT_LT(fastest, 0.05);
}

TEST(Tank, DamBreakKeepsItsVolumeAndComesToRestLevel) {
    scene::Built built = tank("0.375, 0.625, 0.25 m");
    const double volume = test::held_volume(built.world.liquid);
    run_until(built, 2.5);
    EXPECT_EQ(outside(built), 0);
    EXPECT_NEAR(test::held_volume(built.world.liquid), volume, 1e-13);
    const double level = volume / 0.25;
    EXPECT_NEAR(mean_height(built.world.liquid), level / 2, 0.12 * level);
}

TEST(Tank, SloshingGivesTheSameBitsForAnyNumberOfThreads) {
    const auto slosh = [](int threads) {
        return with_threads(threads, [] {
            scene::Built built = tank("1, 0.4, 0.25 m", R"([[obstacle.tank.motion]]
type = "oscillate"
amplitude = "6, 0, 0 cm"
period = "0.6 s"
)");
            run_until(built, 0.4);
            EXPECT_EQ(outside(built), 0);
            return built.world;
        });
    };
    EXPECT_EQ(first_difference(slosh(1), slosh(3)), "");
}

}  // namespace
}  // namespace rivulet::world
