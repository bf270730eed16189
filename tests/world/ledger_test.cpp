#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/scene/build.h>
#include <rivulet/scene/language.h>
#include <rivulet/world/stepper.h>

namespace rivulet::world {
namespace {

/// Water and honey side by side, more of both coming in, a drain below.
scene::Built two_liquids() {
    return scene::build(scene::read_scene_text(R"(format = 1
time = { fps = 25, end = "1 s" }
grid = { cell = "5 cm" }
[liquid.thin]
material = "water"
fill = { type = "box", min = "0, 0, 0 m", max = "0.2, 0.2, 0.2 m" }
[liquid.thick]
material = "honey"
fill = { type = "box", min = "0.2, 0, 0 m", max = "0.4, 0.2, 0.2 m" }
[inflow.honey]
material = "honey"
shape = { type = "sphere", center = "0.2, 0.6, 0.1 m", radius = "7 cm" }
velocity = "0, -2, 0 m/s"
[inflow.water]
material = "water"
shape = { type = "sphere", center = "0.2, 0.6, 0.5 m", radius = "7 cm" }
velocity = "0, -2, 0 m/s"
[sink.below]
shape = { type = "box", min = "-2, -2, -2 m", max = "2, -0.2, 2 m" }
)",
                                               "test.toml", "."));
}

TEST(Ledger, AParticleRemovedBehindItsBackIsSeen) {
    scene::Built built = two_liquids();
    World& world = built.world;
    EXPECT_LT(std::abs(measure(built.model, world, {}).volume_error), 1e-15);
    const std::size_t liquid = world.liquid.material.back();
    const double lost = world.liquid.volume.back(), all = world.ledger.initial[liquid];
    world.liquid.volume.back() = 0;
    EXPECT_NEAR(world.ledger.error(present_liquid(world)), -lost / all, 1e-15);
    EXPECT_NEAR(world.ledger.error_of(liquid, present_liquid(world)), -lost / all, 1e-15);
}

TEST(Ledger, WhatOneLiquidLosesAndAnotherGainsIsSeen) {
    scene::Built built = two_liquids();
    World& world = built.world;
    const double all = bulk_volume(world);
    world.liquid.material.front() ^= 1;
    EXPECT_NEAR(bulk_volume(world), all, 1e-15);
    const double part = world.liquid.volume.front() / world.ledger.initial[0];
    EXPECT_NEAR(std::abs(measure(built.model, world, {}).volume_error), part, 1e-12);
}

TEST(Ledger, ClosesForEachLiquidThroughSourcesAndSinks) {
    scene::Built built = two_liquids();
    World& world = built.world;
    Stepper stepper(built.model);
    while (world.clock.frame < 10) stepper.advance(world);
    ASSERT_EQ(world.ledger.initial.size(), 2u);
    const LiquidTally present = present_liquid(world);
    for (std::size_t liquid = 0; liquid < 2; ++liquid) {
        EXPECT_GT(world.ledger.in[liquid], 0);
        EXPECT_GT(world.ledger.out[liquid], 0);
        EXPECT_LT(std::abs(world.ledger.error_of(liquid, present)), 1e-14);
    }
}

TEST(Ledger, ManySmallPostingsLoseNothing) {
    LedgerState ledger;
    LiquidTally present, taken;
    present.add(1, 1.0);
    ledger.open(present);
    for (int i = 0; i < 1'000'000; ++i) ledger.post_in(1, 1e-17);
    taken.add(1, 1e-11);
    ledger.post_out(taken);
    EXPECT_LT(std::abs(ledger.error(present)), 1e-16);
}

TEST(Ledger, LiquidThatNobodyBookedIsSeen) {
    LiquidTally present;
    present.add(3, 1e-6);
    EXPECT_GT(LedgerState{}.error(present), 1);
}

TEST(Ledger, EveryMemberThatHoldsLiquidIsCounted) {
    struct States {
        liquid::LiquidState bulk, other;
    } states;
    states.bulk.id = states.other.id = {0};
    states.bulk.volume = {1}, states.other.volume = {2};
    states.bulk.material = {0}, states.other.material = {1};
    const LiquidTally present = present_liquid(states);
    EXPECT_EQ(present.of(0).value(), 1);
    EXPECT_EQ(present.of(1).value(), 2);
}

}  // namespace
}  // namespace rivulet::world
