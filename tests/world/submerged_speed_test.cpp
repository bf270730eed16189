#include <rivulet/world/submerged_speed.h>

#include <gtest/gtest.h>

#include <algorithm>

#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

namespace rivulet::world {
namespace {

/// Two rods of 4 cm along z: one in the middle of a pool, one 6 cm above it.
scene::Built pool() {
    return scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 10, end = "1 s" }
step = { max = "5 ms" }
grid = { cell = "5 mm" }
world = { gravity = "0, 0, 0 m/s^2" }
contact = { law = "none" }
[material.wet]
type = "liquid"
base = "water"
[liquid.pool]
material = "wet"
fill = { type = "box", min = "-3, 0, -3 cm", max = "3, 4, 3 cm" }
[strands.rod]
material = "human_hair"
radius = { root = "0.2 mm" }
segment = "4 mm"
root = { type = "free" }
groom = { type = "rows", origin = "0, 2, -2 cm", direction = [0, 0, 1], length = "4 cm", columns = 2, column_step = "0, 8, 0 cm" }
)",
                                               "test.toml", "."));
}

TEST(SubmergedSpeed, CountsVerticesWithLiquidAround) {
    auto built = pool();
    strand::StrandState& s = built.world.strands;
    s.velocity[s.begin(0) + 3] = {0, -2, 0};
    s.velocity[s.begin(1) + 3] = {0, -5, 0};
    SubmergedSpeed speed;
    const double cell = built.model.cell;
    EXPECT_DOUBLE_EQ(speed.fastest(s, built.world.liquid, cell, {}, 0.5), 2);
    EXPECT_EQ(speed.fastest(s, built.world.liquid, cell, {}, 2), 0);  // none is faster
    EXPECT_EQ(speed.fastest(s, {}, cell, {}, 0.5), 0);
    // One that comes to where its kernel reaches particles counts, and one beyond everything does not.
    s.position[s.begin(1) + 3] = {0, 0.04 + 1.4 * cell, 0};
    EXPECT_DOUBLE_EQ(speed.fastest(s, built.world.liquid, cell, {}, 0.5), 5);
    s.position[s.begin(1) + 3] = {1e30, 0, 0};
    EXPECT_DOUBLE_EQ(speed.fastest(s, built.world.liquid, cell, {}, 0.5), 2);
    // Around a periodic axis.
    s.position[s.begin(1) + 3] = {0.8, 0.02, 0};
    EXPECT_DOUBLE_EQ(speed.fastest(s, built.world.liquid, cell, {160, 0, 0}, 0.5), 5);
}

TEST(SubmergedSpeed, LimitsTheStep) {
    auto built = pool();
    strand::StrandState& s = built.world.strands;
    const auto limit = [&] {
        Stepper stepper(built.model);
        World world = built.world;
        const double dt = stepper.advance(world).dt;
        const auto& all = stepper.limits().limits();
        const bool named =
            std::any_of(all.begin(), all.end(), [](const auto& l) { return l.name == "submerged strands"; });
        return std::pair{dt, named};
    };
    EXPECT_FALSE(limit().second);
    for (std::size_t v = s.begin(1); v < s.end(1); ++v) s.velocity[v] = {4, 0, 0};
    EXPECT_FALSE(limit().second);  // in the air
    for (std::size_t v = s.begin(0); v < s.end(0); ++v) s.velocity[v] = {4, 0, 0};
    const auto [dt, named] = limit();
    EXPECT_TRUE(named);
    EXPECT_LE(dt, built.model.step.courant * built.model.cell / 4 * (1 + 1e-12));
}

}  // namespace
}  // namespace rivulet::world
