#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>

namespace rivulet::scene {
namespace {

/// A pool of 16 x 10 x 8 cm with rods in it.
std::string pool(const std::string& radius, const std::string& rods, const std::string& more = {}) {
    return "format = 1\ntime = { fps = 10, end = \"1 s\" }\ngrid = { cell = \"5 mm\" }\n" + more +
           "[liquid.pool]\nmaterial = \"water\"\nfill = { type = \"box\", min = \"-8, 0, -4 cm\", max = \"8, "
           "10, 4 "
           "cm\" }\n[strands.rods]\nmaterial = \"nylon_bristle\"\nradius = { root = \"" +
           radius + "\" }\nsegment = \"1 cm\"\ngroom = { type = \"rows\", " + rods + " }\n";
}
Built make(const std::string& text) {
    return build(read_scene_text(text, "s.toml", RIVULET_SOURCE_DIR));
}
double volume(const Built& built) {
    double sum = 0;
    for (const double v : built.world.liquid.volume) sum += v;
    return sum;
}

TEST(Wetting, StrandsTakeThePlaceOfTheLiquidTheyStartIn) {
    const std::string rods =
        "origin = \"-3, 5, -2 cm\", columns = 6, column_step = \"1, 0, 0 cm\", direction = [0, "
        "0, 1], length = \"4 cm\"";
    const double all = volume(make(pool("1 mm", rods, "[wetting]\nvolume_fraction = false\n")));
    const double taken = 6 * std::numbers::pi * 1e-6 * 0.04;
    EXPECT_NEAR(all, 0.16 * 0.1 * 0.08, 1e-9);
    EXPECT_NEAR((all - volume(make(pool("1 mm", rods)))) / taken, 1, 0.02);
}

TEST(Wetting, StrandsAboveTheLiquidTakeNothing) {
    const std::string rods = "origin = \"-3, 15, -2 cm\", direction = [0, 0, 1], length = \"4 cm\"";
    EXPECT_EQ(volume(make(pool("1 mm", rods))), volume(make(pool("1 mm", rods,
                                                                 "[wetting]\nvolume_fraction = "
                                                                 "false\n"))));
}

TEST(Wetting, RefusesStrandsThatLeaveNoRoom) {
    const std::string rods =
        "origin = \"-1, 4, -2 cm\", columns = 8, rows = 8, column_step = \"2.4, 0, 0 mm\", "
        "row_step = \"0, 2.4, 0 mm\", direction = [0, 0, 1], length = \"4 cm\"";
    try {
        make(pool("1.19 mm", rods));
        FAIL() << "was not refused";
    } catch (const InputError& error) {
        ASSERT_EQ(error.problems().size(), 1u);
        EXPECT_EQ(error.problems()[0].key, "strands.rods");
        EXPECT_NE(error.problems()[0].message.find("at most 60 %"), std::string::npos);
    }
}

TEST(Wetting, WarnsOfCellsThinnerThanStrands) {
    const std::string rods = "origin = \"0, 5, -2 cm\", direction = [0, 0, 1], length = \"4 cm\"";
    const auto warns = [](const Built& built) {
        for (const std::string& w : built.warnings)
            if (w.find("strands in the liquid") != std::string::npos) return true;
        return false;
    };
    EXPECT_TRUE(warns(make(pool("2.6 mm", rods))));
    EXPECT_FALSE(warns(make(pool("2.4 mm", rods))));
}

TEST(Wetting, KeysReachTheModel) {
    const std::string rods = "origin = \"0, 5, -2 cm\", direction = [0, 0, 1], length = \"4 cm\"";
    const Built built =
        make(pool("1 mm", rods,
                  "[wetting]\ndrag = false\ndrag_law = \"constant\"\ndrag_coefficient = 3\npressure = "
                  "false\ncapture = \"none\"\n"));
    EXPECT_FALSE(built.model.wet.drag);
    EXPECT_EQ(built.model.wet.law, coupling::DragLaw::constant);
    EXPECT_EQ(built.model.wet.drag_coefficient, 3);
    EXPECT_FALSE(built.model.wet.pressure);
    EXPECT_EQ(built.model.wet.capture, world::CaptureLimit::none);
    EXPECT_EQ(built.world.film.size(), 0u);
    EXPECT_GT(make(pool("1 mm", rods)).world.film.size(), 0u);
}

}  // namespace
}  // namespace rivulet::scene
