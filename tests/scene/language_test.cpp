#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <rivulet/base/error.h>
#include <rivulet/scene/describe.h>
#include <rivulet/scene/language.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

std::string file_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

TEST(Language, ReferencePageIsUpToDate) {
    const std::filesystem::path page = std::filesystem::path(RIVULET_SOURCE_DIR) / "docs/scene-reference.md";
    if (std::getenv("RIVULET_REWRITE_DOCS")) std::ofstream(page, std::ios::binary) << reference_page();
    EXPECT_TRUE(file_text(page) == reference_page())
        << "docs/scene-reference.md is stale; run this test once with RIVULET_REWRITE_DOCS=1";
}

TEST(Language, TheReferenceShowsTablesInsideSingleTables) {
    const std::string page = reference_page();
    for (const char* title : {"## `[world.air]`", "## `[world.keep]`", "| `wind` |", "| `human_hair` |"})
        EXPECT_NE(page.find(title), std::string::npos) << title;
}

TEST(Language, ExplainFindsKeysByAnyEndOfTheirPath) {
    EXPECT_EQ(
        explain("grid.cell"),
        "grid.cell\n    Edge of a cell; divided by detail.\n    length, for example \"1 m\"; between "
        "1e-06 m and "
        "1000 m; default \"0.01 m\"\n    fixed once a run has begun: particles and segments already have the "
        "old size\n");
    EXPECT_NE(explain("liquid.pool.material").find("liquid.NAME.material"), std::string::npos);
    EXPECT_NE(explain("liquid.material").find("liquid.NAME.material"), std::string::npos);
    EXPECT_NE(explain("obstacle.paddle.motion.0.keys").find("type = \"rotate\""), std::string::npos);
    EXPECT_NE(explain("yield_stress").find("material.NAME.yield_stress"), std::string::npos);
    EXPECT_NE(explain("shape").find("type = \"capsule\""), std::string::npos);
    EXPECT_NE(explain("obstacle").find("parent"), std::string::npos);
    EXPECT_NE(explain("fill").find("required"), std::string::npos);
}

TEST(Language, ExplainSuggestsTheNearestKey) {
    const auto expect_suggestion = [](const std::string& asked, const std::string& suggested) {
        try {
            explain(asked);
            ADD_FAILURE() << asked;
        } catch (const InputError& error) {
            EXPECT_EQ(error.what(), asked + ": unknown key; did you mean '" + suggested + "'?");
        }
    };
    expect_suggestion("viscosty", "viscosity");
    expect_suggestion("liquid.viscosity", "viscosity");
    expect_suggestion("infow.shape", "inflow.shape");
}

TEST(Language, EveryKeyHasADocLineThatEndsInAStop) {
    for (const KeyEntry& entry : all_keys()) {
        EXPECT_FALSE(entry.field->doc.empty()) << joined(entry.path);
        EXPECT_EQ(entry.field->doc.back(), '.') << joined(entry.path);
        EXPECT_FALSE(explain(joined(entry.path)).empty());
    }
}

TEST(Language, EveryTemplateReads) {
    ASSERT_FALSE(templates().empty());
    for (const Template& t : templates()) {
        const std::string text = template_scene(t.name);
        EXPECT_EQ(text.rfind("#:schema", 0), 0u);
        EXPECT_NO_THROW(read_scene_text(text, t.name, "/")) << t.name;
    }
    EXPECT_THROW(template_scene("nothing"), InputError);
}

}  // namespace
}  // namespace rivulet::scene
