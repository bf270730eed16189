#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "support/same_world.h"

#include <rivulet/base/parallel.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/output/state_archive.h>
#include <rivulet/scene/build.h>
#include <rivulet/strand/energy.h>
#include <rivulet/world/stepper.h>

/// The contact stages of the step, as a whole.
namespace rivulet::world {
namespace {

scene::Built scene_of(const std::string& more, const std::string& gravity = "0, -9.81, 0 m/s^2") {
    return scene::build(
        scene::read_scene_text("format = 1\ntime = { fps = 100, end = \"1 s\" }\nstep = { max = \"2 ms\" }\n"
                               "world = { gravity = \"" +
                                   gravity + "\" }\n" + more,
                               "test.toml", "."));
}

std::string rows(const std::string& name, const std::string& origin, const std::string& more) {
    return "[strands." + name +
           "]\nmaterial = \"human_hair\"\nradius = { root = \"0.2 mm\" }\nsegment = \"2 mm\"\n"
           "root = { type = \"free\" }\ngroom = { type = \"rows\", origin = \"" +
           origin + "\", " + more + " }\n";
}

/// A few crossed strands that fall on a floor and on each other.
std::string heap() {
    return "[obstacle.floor]\nshape = { type = \"plane\", point = 0 }\n" +
           rows("below", "0, 1, 0 mm",
                "columns = 3, column_step = \"0, 0, 3 mm\", direction = [1, 0, 0], length = \"2 cm\"") +
           rows("above", "4, 2, -5 mm",
                "columns = 3, column_step = \"3, 0, 0 mm\", direction = [0.1, 0, 1], length = \"2 cm\"");
}

void run_to_frame(scene::Built& built, std::int64_t frame) {
    Stepper stepper(built.model);
    while (built.world.clock.frame < frame) stepper.advance(built.world);
}

TEST(ContactStage, FarFromContactNoBitOfAStrandChanges) {
    const std::string far =
        "[strands.far]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\n"
        "segment = \"3 mm\"\ngroom = { type = \"rows\", origin = \"1, 1, 1 m\", columns = 3, "
        "column_step = \"2, 0, 0 cm\", direction = [1, 1, 0], length = \"5 cm\" }\n";
    scene::Built with = scene_of(far + heap()),
                 without = scene_of("[contact]\nlaw = \"none\"\n" + far + heap());
    run_to_frame(with, 6), run_to_frame(without, 6);
    const strand::StrandState &a = with.world.strands, &b = without.world.strands;
    ASSERT_GT(with.world.contacts.size(), 0u) << "others touch meanwhile";
    for (std::size_t v = 0; v < a.end(2); ++v) {
        EXPECT_EQ(a.position[v], b.position[v]);
        EXPECT_EQ(a.velocity[v], b.velocity[v]);
        EXPECT_EQ(a.twist[v], b.twist[v]);
    }
    EXPECT_NE(a.position[a.end(2)], b.position[b.end(2)]);
}

TEST(ContactStage, ThreadsAndNewSteppersChangeNoBit) {
    const auto run = [](bool rebuild) {
        scene::Built built = scene_of(heap());
        auto stepper = std::make_unique<Stepper>(built.model);
        while (built.world.clock.frame < 6) {
            stepper->advance(built.world);
            if (rebuild) stepper = std::make_unique<Stepper>(built.model);
        }
        return built.world;
    };
    const World one = with_threads(1, [&] { return run(false); });
    ASSERT_GT(one.contacts.size(), 0u);
    EXPECT_EQ(first_difference(one, with_threads(2, [&] { return run(false); })), "");
    EXPECT_EQ(first_difference(one, with_threads(4, [&] { return run(false); })), "");
    EXPECT_EQ(first_difference(one, with_threads(1, [&] { return run(true); })), "");
}

TEST(ContactStage, ImpulsesSurviveACheckpoint) {
    scene::Built built = scene_of(heap());
    run_to_frame(built, 5);
    ASSERT_GT(built.world.contacts.size(), 0u);
    const auto path = std::filesystem::path(testing::TempDir()) / "contact_stage.npz";
    output::write_checkpoint(io::real_file_system(), path, built.world);
    scene::Built again = scene_of(heap());
    again.world = output::read_checkpoint(path).world;
    std::filesystem::remove(path);
    EXPECT_EQ(again.world.contacts.impulse, built.world.contacts.impulse);
    EXPECT_EQ(again.world.contacts.step, built.world.contacts.step);
    run_to_frame(built, 7), run_to_frame(again, 7);
    EXPECT_EQ(first_difference(built.world, again.world), "");
}

TEST(ContactStage, TouchingStrandsKeepTheirMomentum) {
    scene::Built built = scene_of(rows("a", "-1, 0, 0 cm", "direction = [1, 0, 0], length = \"2 cm\"") +
                                      rows("b", "0, 1, -1 cm", "direction = [0.3, 0, 1], length = \"2 cm\""),
                                  "0, 0, 0 m/s^2");
    strand::StrandState& s = built.world.strands;
    for (std::size_t v = s.begin(1); v < s.end(1); ++v) s.velocity[v] = {0.1, -1, 0.05};
    const auto momentum = [&] { return strand::totals(s, built.model.strands.materials, {}).momentum; };
    const Vec3d before = momentum();
    Stepper stepper(built.model);
    bool touched = false;
    for (int k = 0; k < 20; ++k) {
        stepper.advance(built.world);
        touched = touched || built.world.contacts.size() > 0;
        EXPECT_LT(length(momentum() - before), 1e-12 * length(before)) << k;
    }
    EXPECT_TRUE(touched);
    EXPECT_LT(s.velocity[s.begin(0) + 5].y, -0.05) << "the other was pushed on";
}

}  // namespace
}  // namespace rivulet::world
