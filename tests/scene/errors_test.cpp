#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <rivulet/base/error.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

std::vector<std::string> messages(const std::string& text, const std::vector<std::string>& settings = {}) {
    std::vector<std::string> out;
    try {
        read_scene_text(text, "s.toml", "/", settings);
    } catch (const InputError& error) {
        for (const Problem& problem : error.problems()) out.push_back(problem.text());
    }
    return out;
}

/// The only complaint about a small scene with these lines added (they start at line 3).
std::string complaint(const std::string& lines, const std::vector<std::string>& settings = {}) {
    const auto all = messages("format = 1\ntime = { end = \"1 s\" }\n" + lines, settings);
    return all.size() == 1 ? all[0]
                           : std::to_string(all.size()) + " messages: " + (all.empty() ? "" : all[0]);
}

TEST(SceneErrors, TenMistakesGiveTenMessages) {
    const char* text = R"(format = 1
time = { fps = 30, end = "4 s" }
grid = { cell = "3 Pa" }
step = { courant = -1 }

[material.mud]
base = "watr"

[obstacle.tank]
shape = { type = "boks", min = "0, 0, 0 m", max = "2, 1, 0.5 m" }
sied = "inside"

[obstacle.paddle]
shape = { type = "sphere", center = "1.7, 0.3, 0.25 m" }
[[obstacle.paddle.motion]]
type = "rotate"
keys = [["0 s", 45], ["1 s", "0 deg"]]

[liquid.column]
material = "wtaer"
fill = { type = "box", min = "0, 0, 0 m", max = "0.5, -0.7, 0.5 m" }
velocity = "1, 2 m/s"

[camera.main]
position = "0, 0, 1 m"
target = "0, 0 ,1 m"
)";
    const std::vector<std::string> expected{
        "s.toml:3:17: grid.cell: expected a length, got a pressure (\"3 Pa\")",
        "s.toml:4:20: step.courant: must be > 0 and <= 100, got -1",
        "s.toml:7:8: material.mud.base: there is no material 'watr'; did you mean 'water'?",
        "s.toml:10:18: obstacle.tank.shape.type: unknown shape type 'boks'; did you mean 'box'?",
        "s.toml:11:1: obstacle.tank.sied: unknown key; did you mean 'side'?",
        "s.toml:14:9: obstacle.paddle.shape.radius: missing; Radius.",
        "s.toml:17:17: obstacle.paddle.motion.0.keys: expected an angle with a unit, got 45; write \"45 "
        "deg\"",
        "s.toml:20:12: liquid.column.material: there is no liquid material 'wtaer'; did you mean 'water'?",
        "s.toml:21:49: liquid.column.fill.max: must be above min along every axis",
        "s.toml:22:12: liquid.column.velocity: \"1, 2 m/s\": expected three numbers with commas and one "
        "unit; for "
        "example \"0, 1, 0 m/s\"",
        "s.toml:26:10: camera.main.target: must differ from position",
    };
    EXPECT_EQ(messages(text), expected);
}

TEST(SceneErrors, TopOfTheScene) {
    EXPECT_EQ(messages("time = { end = \"1 s\" }")[0],
              "s.toml:1:1: format: missing; Version of the scene language: 1.");
    EXPECT_EQ(messages("format = 2\nfoo = 3"),
              std::vector<std::string>{"s.toml:1:10: format: this version reads format 1, not 2"});
    EXPECT_EQ(complaint("tiem = 3"), "s.toml:3:1: tiem: unknown key; did you mean 'time'?");
    EXPECT_EQ(complaint("detail = \"fine\""), "s.toml:3:10: detail: expected a plain number, got \"fine\"");
    EXPECT_EQ(complaint("title = 3"), "s.toml:3:9: title: expected a text in quotes, got 3");
    EXPECT_EQ(complaint("grid = 3"), "s.toml:3:8: grid: expected a table, got 3");
    EXPECT_EQ(complaint("world.seed = 1.5"), "s.toml:3:14: world.seed: expected a whole number, got 1.5");
    EXPECT_EQ(complaint("world.seed = -1").substr(0, 37), "s.toml:3:14: world.seed: must be betw");
    EXPECT_EQ(complaint("output.compress = 1"),
              "s.toml:3:19: output.compress: expected true or false, got 1");
    EXPECT_EQ(complaint("output.precision = \"half\""),
              "s.toml:3:20: output.precision: unknown choice 'half'; known: single, double");
    EXPECT_EQ(complaint("output.compress = 2020-01-01"),
              "s.toml:3:19: output.compress: expected true or false, got a date or time");
    EXPECT_EQ(complaint("detail = nan"), "s.toml:3:10: detail: expected a plain number, got nan");
}

TEST(SceneErrors, Entities) {
    EXPECT_EQ(complaint("[fabric.towel]\n"), "s.toml:3:2: fabric: not in this version");
    EXPECT_EQ(complaint("[sink.Drain]\n"),
              "s.toml:3:7: sink.Drain: not a name; names are small letters, digits and _, letter first");
    EXPECT_EQ(complaint("sink = 3"), "s.toml:3:8: sink: expected named tables, got 3; write [sink.name]");
    EXPECT_EQ(complaint("[sink]\nshape = 3"),
              "s.toml:4:9: sink.shape: expected a table, got 3; an entity is named: [sink.name]");
    const std::string plane = "shape = { type = \"plane\", point = 0 }\n";
    EXPECT_EQ(complaint("[sink.a]\n" + plane + "[obstacle.a]\n" + plane),
              "s.toml:5:11: obstacle.a: the name 'a' is taken by another entity");
    EXPECT_EQ(complaint("[obstacle.a]\nparent = \"b\"\n" + plane + "[obstacle.b]\nparent = \"a\"\n" + plane),
              "s.toml:4:10: obstacle.a.parent: parents go round in a circle");
    EXPECT_EQ(complaint("[obstacle.a]\nparent = \"a\"\n" + plane),
              "s.toml:4:10: obstacle.a.parent: parents go round in a circle");
    EXPECT_EQ(complaint("[obstacle.a]\nparent = \"b\"\n" + plane),
              "s.toml:4:10: obstacle.a.parent: there is no obstacle 'b'; did you mean 'a'?");
    EXPECT_EQ(complaint("[obstacle.a]\nshape = { type = \"mesh\", file = \"no.obj\" }\n"),
              "s.toml:4:33: obstacle.a.shape.file: no such file: /no.obj; files are relative to the scene");
}

TEST(SceneErrors, Materials) {
    EXPECT_EQ(complaint("[material.a]\nbase = \"b\"\n[material.b]\nbase = \"a\"\n"),
              "s.toml:4:8: material.a.base: bases go round in a circle");
    EXPECT_EQ(
        complaint("[material.a]\nyield_stress = \"3 Pa\"\n"),
        "s.toml:3:1: material.a.consistency: missing; a yield stress or flow_index needs it; for example "
        "\"6.5 Pa*s^0.52\" with flow_index = 0.52");
    EXPECT_EQ(
        complaint("[material.a]\nflow_index = 0.52\nconsistency = \"6.5 Pa*s^0.5\"\n"),
        "s.toml:5:15: material.a.consistency: expected a quantity in Pa*s^0.52, got a quantity in Pa*s^0.5 "
        "(\"6.5 Pa*s^0.5\")");
    EXPECT_EQ(complaint("[material.a]\ntype = \"gas\"\n").substr(0, 59),
              "s.toml:4:8: material.a.type: unknown material type 'gas'; k");
}

TEST(SceneErrors, Settings) {
    EXPECT_EQ(complaint("", {"grid.cell=5 kg"}),
              "--set grid.cell=5 kg: grid.cell: expected a length, got a mass (\"5 kg\")");
    EXPECT_EQ(complaint("", {"gird.cell=5 mm"}),
              "--set gird.cell=5 mm: gird: unknown key; did you mean 'grid'?");
    EXPECT_EQ(complaint("", {"nonsense"}),
              "--set nonsense: expected key=value; for example --set grid.cell=5mm");
    EXPECT_EQ(complaint("", {"a..b=1"}),
              "--set a..b=1: a..b: not a key; for example --set liquid.pool.material=water");
}

TEST(SceneErrors, RefusedBeforeParsing) {
    EXPECT_EQ(messages(std::string(5 << 20, ' '))[0],
              "s.toml: a scene file may have 4 MB at most; keep geometry in mesh files");
    std::string deep = "a";
    for (int i = 0; i < 200'000; ++i) deep += ".a";
    EXPECT_NE(messages(deep + " = 1")[0].find("nested deeper than 32 levels"), std::string::npos);
    EXPECT_NE(messages("[" + deep + "]")[0].find("nested deeper"), std::string::npos);
    EXPECT_NE(messages("a = " + std::string(100'000, '['))[0].find("nested deeper"), std::string::npos);
    std::string inline_tables = "a = ";
    for (int i = 0; i < 1000; ++i) inline_tables += "{a=";
    EXPECT_NE(messages(inline_tables)[0].find("nested deeper"), std::string::npos);
    // Each piece is within the limit, their sum is not.
    EXPECT_NE(
        messages("[a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a]\na.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1")[0]
            .find("nested deeper"),
        std::string::npos);
    EXPECT_EQ(
        messages("# [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\nformat = 1\ntime = { end = \"1 s\" }\n"
                 "title = \"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\""),
        std::vector<std::string>{});
    EXPECT_EQ(messages(std::string("format\0 = 1", 11))[0],
              "s.toml:1:7: binary byte 0x00; a scene is plain UTF-8 text");
    EXPECT_EQ(messages("title = \"\xff\xfe\"").size(), 1u);
    EXPECT_EQ(messages("[\xD1\x9D]\n")[0],
              "s.toml:1:2: letters beyond ASCII stand only in texts and comments; put it in quotes");
    EXPECT_EQ(
        messages("\xEF\xBB\xBF" + std::string("format = 1\ntitle = \"\xC3\xBC\"\ntime = { end = \"1 s\" }")),
        std::vector<std::string>{});
    EXPECT_EQ(messages("a = 1\n  [[\ntime = 1")[0],
              "s.toml:2:3: expected a name after '['; for example [liquid.pool]");
    EXPECT_EQ(messages("a = [1, }").size(), 1u);
    EXPECT_EQ(messages("format = = 1")[0].substr(0, 12), "s.toml:1:10:");
}

TEST(SceneErrors, ManyProblemsAreCutShort) {
    std::string text = "format = 1\ntime = { end = \"1 s\" }\n";
    for (int i = 0; i < 5000; ++i) text += "k" + std::to_string(i) + " = 1\n";
    const auto all = messages(text);
    EXPECT_EQ(all.size(), 101u);
    EXPECT_EQ(all.back(), "s.toml: and 4900 more problems");
}

}  // namespace
}  // namespace rivulet::scene
