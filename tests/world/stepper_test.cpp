#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "support/same_world.h"

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

namespace rivulet::world {
namespace {

scene::Built block_of_water(const std::string& more = "") {
    return scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 25, end = "1 s" }
grid = { cell = "5 cm" }
)" + more + R"(
[liquid.block]
material = "water"
fill = { type = "box", min = "0, 0, 0 m", max = "0.2, 0.2, 0.2 m" }
)",
                                               "test.toml", "."));
}

TEST(Clock, StepsEndExactlyOnFrames) {
    EXPECT_DOUBLE_EQ(fitted_step(0.04, 0.01), 0.01);
    EXPECT_DOUBLE_EQ(fitted_step(0.04, 0.03), 0.02);
    EXPECT_DOUBLE_EQ(fitted_step(0.04, 1), 0.04);
    EXPECT_DOUBLE_EQ(fitted_step(0.03 * (1 + 1e-15), 0.01), 0.01 * (1 + 1e-15));
    auto [model, world, warnings, notes] = block_of_water("step = { max = \"7 ms\" }");
    Stepper stepper(model);
    while (world.clock.frame < 10) {
        stepper.advance(world);
        EXPECT_LE(world.clock.time, frame_time(world.clock.frame + 1, model.fps));
    }
    EXPECT_EQ(world.clock.time, 10 / 25.0);
}

TEST(Stepper, FreeFallIsExact) {
    auto [model, world, warnings, notes] = block_of_water();
    Stepper stepper(model);
    const Metrics before = measure(model, world, {});
    while (world.clock.frame < 5) stepper.advance(world);
    const Metrics after = measure(model, world, {});
    const double mass = 998.2 * before.volume_bulk, t = world.clock.time;
    EXPECT_NEAR(after.momentum.y, -mass * 9.81 * t, 1e-9 * mass * 9.81 * t);
    EXPECT_NEAR(after.momentum.x, 0, 1e-9 * mass);
    EXPECT_NEAR(after.volume_bulk, before.volume_bulk, 1e-15);
}

TEST(Stepper, AFailedStepLeavesTheWorldAsItWas) {
    auto [model, world, warnings, notes] = block_of_water("step = { retries = 2 }");
    const World before = world;
    Stepper stepper(model, {},
                    [](const StepView&, int, World&) { throw StepFailed("wave", "told to fail", 0.5); });
    try {
        stepper.advance(world);
        FAIL() << "should have given up";
    } catch (const StepFailed& e) {
        EXPECT_EQ(e.stage, "test");
        EXPECT_EQ(e.entity, "wave");
        EXPECT_EQ(e.residual, 0.5);
    }
    EXPECT_EQ(first_difference(world, before), "");
}

TEST(Stepper, TheSmallestStepIsRespected) {
    auto [model, world, warnings, notes] =
        block_of_water("step = { max = \"10 ms\", min = \"4 ms\", retries = 20 }");
    int attempts = 0;
    Stepper stepper(model, {}, [&](const StepView& view, int, World&) {
        EXPECT_GE(view.dt, model.step.min);
        ++attempts;
        throw StepFailed("wave", "told to fail");
    });
    EXPECT_THROW(stepper.advance(world), StepFailed);
    EXPECT_EQ(attempts, 2);
}

TEST(Stepper, TheStepRecoversAfterAFailure) {
    auto [model, world, warnings, notes] = block_of_water("step = { max = \"10 ms\" }");
    Stepper stepper(model, {}, [&](const StepView& view, int attempt, World&) {
        if (view.step == 0 && attempt == 0) throw StepFailed("wave", "told to fail");
    });
    const double first = stepper.advance(world).dt;
    double later = 0;
    for (int i = 0; i < 20; ++i) later = stepper.advance(world).dt;
    EXPECT_NEAR(first, 0.005, 1e-12);
    EXPECT_GT(later, 0.009);
}

TEST(Stepper, ValuesThatAreNotFiniteAreNamed) {
    World world;
    world.liquid.position = {{0, 0, 0}, {1, std::numeric_limits<double>::infinity(), 0}};
    try {
        require_finite(world);
        FAIL();
    } catch (const StepFailed& e) {
        EXPECT_EQ(e.entity, "liquid/position of particle 1");
    }
}

TEST(World, ValuesThatAreNotFiniteAreNamedByStableIds) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    World good;
    good.liquid.id = {40, 7};
    good.liquid.position.resize(2);
    good.strands.position.resize(5);
    good.strands.twist.resize(5);
    good.strands.start = {0, 2, 5};
    good.strands.id = {9, 3};
    good.strands.root_target.resize(2);
    EXPECT_NO_THROW(require_finite(good));
    const auto entity_of = [](const World& world) {
        try {
            require_finite(world);
        } catch (const StepFailed& e) {
            return e.entity;
        }
        return std::string();
    };
    World bad = good;
    bad.liquid.position[1].x = nan;
    EXPECT_EQ(entity_of(bad), "liquid/position of particle 7");
    bad = good;
    bad.strands.position[4].x = nan;
    EXPECT_EQ(entity_of(bad), "strands/position of strand 3, vertex 2");
    bad = good;
    bad.strands.twist[0] = nan;
    EXPECT_EQ(entity_of(bad), "strands/twist of strand 9, edge 0");
    bad = good;
    bad.strands.root_target.position[1].y = nan;
    EXPECT_EQ(entity_of(bad), "strands/root_target/position of strand 3");
}

/// Whoever draws, converts or names what is in a frame goes by the shape: points that are written must have
/// one, with the arrays that belong to it.
TEST(World, StatesWithPointsInFramesSayTheirShape) {
    World world;
    for_each_member(world, [](auto& state) {
        using State = std::remove_reference_t<decltype(state)>;
        std::set<std::string> names;
        visit_leaf_fields(state, [&](const FieldInfo& info, auto&) {
            if (info.use & (kFrame | kStatic)) names.insert(std::string(info.name));
        });
        if constexpr (HasGroup<State>) {
            const std::string group(State::group.name);
            const GroupShape shape = State::group.shape;
            EXPECT_TRUE(names.contains(group + "/position")) << group;
            EXPECT_TRUE(shape != GroupShape::lines || names.contains(group + "/start")) << group;
            EXPECT_TRUE(shape != GroupShape::mesh || names.contains(group + "/triangle") ||
                        names.contains(group + "/segment"))
                << group;
        } else {
            for (const std::string& name : names) EXPECT_FALSE(name.ends_with("/position")) << name;
        }
    });
}

TEST(World, EveryMemberOfEveryStateIsListed) {
    World world;
    for_each_member(world, [](auto& state) {
        using State = std::remove_reference_t<decltype(state)>;
        EXPECT_EQ(member_count<State>(), listed_field_count<State>()) << typeid(State).name();
    });
}

}  // namespace
}  // namespace rivulet::world
