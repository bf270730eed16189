#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <rivulet/scene/build.h>
#include <rivulet/world/stepper.h>

/// The penalty law in the step.
namespace rivulet::world {
namespace {

constexpr double kRadius = 50e-6;

std::string hair(const std::string& name, const std::string& origin, const std::string& direction,
                 const std::string& more = "") {
    return "[strands." + name +
           "]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\nsegment = \"2 mm\"\n" +
           "root = { type = \"free\" }\ngroom = { type = \"rows\", columns = 1, origin = \"" + origin +
           "\", direction = [" + direction + "], length = \"2 cm\" }\n" + more;
}

scene::Built build(const std::string& lines, const std::string& gravity = "0, 0, 0 m/s^2") {
    return scene::build(
        scene::read_scene_text("format = 1\ntime = { fps = 100, end = \"2 s\" }\n"
                               "step = { max = \"1 ms\" }\nworld = { gravity = \"" +
                                   gravity + "\", air = { density = 0 } }\n" + lines,
                               "test.toml", "."));
}

void run_to(scene::Built& built, double time) {
    Stepper stepper(built.model);
    while (built.world.clock.time < time - 1e-9) stepper.advance(built.world);
}

Vec3d middle(const strand::StrandState& s, std::size_t strand) {
    return s.position[(s.begin(strand) + s.end(strand)) / 2];
}

const std::string kPenalty = "[contact]\nlaw = \"penalty\"\n";

TEST(ContactPenalty, AStrandLiesWhereTheSpringsCarryIt) {
    scene::Built built = build(kPenalty + "[obstacle.floor]\nshape = { type = \"plane\", point = 0 }\n" +
                                   hair("a", "0, 0.11, 0 mm", "1, 0, 0"),
                               "0, -9.81, 0 m/s^2");
    run_to(built, 0.5);
    const strand::StrandState& s = built.world.strands;
    // Eq. 10 in its passage, dry: weight = k (d₀ − d)²/(d₀ − r), d₀ = 2r at a wall.
    const double weight =
        built.model.strands.materials[0].density * std::numbers::pi * kRadius * kRadius * 9.81;
    const double height = 2 * kRadius - std::sqrt(weight * kRadius / built.model.contact.penalty.stiffness);
    EXPECT_NEAR(middle(s, 0).y, height, 0.01 * kRadius);
    EXPECT_LT(length(s.velocity[5]), 1e-4);
    EXPECT_GT(built.world.contacts.size(), 0u);
}

TEST(ContactPenalty, WetStrandsComeToRestAtTheRestGapAndKeepTheirMomentum) {
    const std::string film = "film = { liquid = \"water\", thickness = \"25 um\" }\n";
    scene::Built built = build(kPenalty + hair("a", "0, 0, 0 mm", "1, 0, 0", film) +
                               hair("b", "0, 0.11, 0 mm", "1, 0, 0", film));
    const strand::StrandState& s = built.world.strands;
    const Vec3d before = 0.5 * (middle(s, 0) + middle(s, 1));
    run_to(built, 0.3);
    EXPECT_NEAR((middle(s, 1).y - middle(s, 0).y) / kRadius, 3, 0.02);
    EXPECT_LT(length(0.5 * (middle(s, 0) + middle(s, 1)) - before), 1e-10);
    ASSERT_GT(built.world.contacts.size(), 0u);
    EXPECT_EQ(built.world.contacts.bridge[0], 1);
}

/// The point of the comparison: what moves by more than a diameter in a step is not seen, and the step goes
/// on. Cones hold the same pair.
TEST(ContactPenalty, FastStrandsPassThroughWhereConesHold) {
    for (const bool penalty : {true, false}) {
        scene::Built built = build((penalty ? kPenalty : "") + hair("a", "-10, 0, 0 mm", "1, 0, 0") +
                                   hair("b", "0, 1.3, -10 mm", "0, 0, 1"));
        strand::StrandState& s = built.world.strands;
        for (std::size_t v = s.begin(1); v < s.end(1); ++v) s.velocity[v] = {0, -0.5, 0};
        run_to(built, 0.01);
        const bool passed = middle(s, 1).y < middle(s, 0).y;
        EXPECT_EQ(passed, penalty);
        for (const Vec3d& v : s.velocity) EXPECT_LT(length(v), 10);
    }
}

/// Nothing near: the law changes no bit.
TEST(ContactPenalty, FarFromContactNoBitChanges) {
    const std::string lines = hair("a", "0, 0, 0 mm", "1, 0, 0") + hair("b", "0, 5, 0 mm", "1, 0.2, 0");
    scene::Built with = build(kPenalty + lines, "0, -9.81, 0 m/s^2");
    scene::Built without = build("[contact]\nlaw = \"none\"\n" + lines, "0, -9.81, 0 m/s^2");
    run_to(with, 0.05), run_to(without, 0.05);
    EXPECT_EQ(with.world.strands.position, without.world.strands.position);
    EXPECT_EQ(with.world.strands.twist, without.world.strands.twist);
}

}  // namespace
}  // namespace rivulet::world
