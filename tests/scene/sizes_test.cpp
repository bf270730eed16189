#include <gtest/gtest.h>

#include <chrono>

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

constexpr const char* kScene = R"(format = 1
time = { end = "1 s" }
grid = { cell = "1 cm", memory_limit = "8 GB" }
[obstacle.head]
shape = { type = "sphere", center = "0, 0, 0 m", radius = "10 cm" }
[liquid.pool]
material = "water"
fill = { type = "box", min = "0, 0, 0 m", max = "10, 10, 10 cm" }
[strands.hair]
material = "human_hair"
radius = { root = "45 um" }
segment = "5 mm"
root = { type = "clamp", to = "head" }
groom = { type = "patch", on = "head", count = 20, length = "10 cm" }
)";

/// What building says, and that it says so at once.
std::string refusal(const std::vector<std::string>& settings) {
    const auto begin = std::chrono::steady_clock::now();
    try {
        build(read_scene_text(kScene, "scene.toml", ".", settings));
        return "";
    } catch (const InputError& e) {
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2)) << e.what();
        return e.what();
    }
}

TEST(Sizes, AreAnsweredBeforeAnythingIsMade) {
    EXPECT_EQ(refusal({}), "");
    const auto says = [](const std::vector<std::string>& settings, const char* words) {
        const std::string said = refusal(settings);
        EXPECT_NE(said.find(words), std::string::npos) << settings[0] << ": " << said;
    };
    says({"strands.hair.groom.count=10000000"},
         "strands.hair.groom: 1e+07 strands have 2.1e+08 vertices, which need about 315 GB; "
         "output.max_vertices allows 100000000");
    says({"strands.hair.groom.count=0", "strands.hair.groom.density=1e30 m^-2"}, "e+29 strands have");
    says({"strands.hair.segment=1 nm"}, "strands.hair.segment: strands of 0.1 m in segments of 1e-09 m have");
    says({"strands.hair.groom.length=900 km"}, "strands of 9e+05 m in segments of 0.005 m have 1.8e+08");
    says({"detail=1000"}, "need about");
    says({"detail=1000", "liquid.pool.fill.max=1, 1, 1 mm"}, "vertices");
    says({"output.max_vertices=100"}, "strands.hair.groom: 20 strands have 420 vertices");
    says({"grid.memory_limit=1 MB"}, "more than grid.memory_limit");
    says({"grid.memory_limit=1 MB", "strands.hair.groom.count=2000", "liquid.pool.fill.max=1, 1, 1 mm"},
         "strands: 4.2e+04 vertices need about 0.063 GB, more than grid.memory_limit");
}

}  // namespace
}  // namespace rivulet::scene
