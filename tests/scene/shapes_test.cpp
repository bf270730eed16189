#include <gtest/gtest.h>

#include <rivulet/base/error.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/language.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

using geometry::Shape;
using geometry::ShapeType;

Scene read(const std::string& shape) {
    return read_scene_text(
        "format = 1\ntime = { fps = 24, end = \"1 s\" }\ngrid = { cell = \"1 cm\" }\n"
        "[obstacle.thing]\nshape = " +
            shape + "\n",
        "s.toml", RIVULET_SOURCE_DIR);
}

const std::string kBall = R"({ type = "sphere", center = 0, radius = "10 cm" })";
const std::string kFar = R"({ type = "sphere", center = "1, 0, 0 m", radius = "10 cm" })";
const std::string kUpper = R"({ type = "plane", point = 0, normal = [0, -1, 0] })";

TEST(Shapes, ABowlInOneLine) {
    const Scene scene = read(
        R"({ type = "revolve", profile = ["0, 0 cm", "4, 0.4 cm", "7, 3 cm", "8, 6 cm"], thickness = "6 mm", smooth = true })");
    const Shape bowl(scene.obstacles[0].shape);
    EXPECT_LT(bowl.distance({0, 0, 0}), 0);
    EXPECT_LT(bowl.distance({0, 0.03, 0.07}), 0);
    EXPECT_GT(bowl.distance({0, 0.03, 0}), 0.02);
    EXPECT_DOUBLE_EQ(bowl.thinnest(), 0.006);
}

TEST(Shapes, UnionHasTwoNamesAndIsWrittenWithTheFirst) {
    const std::string parts = R"(", parts = [)" + kBall + ", " + kFar + "] }";
    const Scene a = read(R"({ type = "union)" + parts), b = read(R"({ type = "all_of)" + parts);
    EXPECT_EQ(a.obstacles[0].shape.type, ShapeType::all_of);
    EXPECT_EQ(resolved_text(a), resolved_text(b));
    EXPECT_NE(resolved_text(b).find("\"union\""), std::string::npos);
    EXPECT_EQ(resolved_text(b).find("all_of"), std::string::npos);
    EXPECT_NE(json_schema().find("all_of"), std::string::npos);
    EXPECT_NE(explain("obstacle.shape").find("`all_of` means the same"), std::string::npos);
}

TEST(Shapes, NestAndReadBack) {
    const Scene scene = read(
        R"({ type = "rotate", angle = "30 deg", axis = [0, 0, 1], of = { type = "scale", factor = [1, 0.5, 1],
        of = { type = "difference", of = { type = "shell", of = )" +
        kBall + R"(, thickness = "1 cm" }, minus = [)" + kUpper + "] } } }");
    const Scene again = read_scene_text(resolved_text(scene), "again.toml", RIVULET_SOURCE_DIR);
    const Shape one(scene.obstacles[0].shape), two(again.obstacles[0].shape);
    for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{0.08, 0.02, 0}, Vec3d{-0.05, -0.06, 0.01}})
        EXPECT_EQ(one.distance(p), two.distance(p));
    EXPECT_LT(one.distance({0, -0.01, 0.093}), 0);  // in the wall
    EXPECT_GT(one.distance({0, -0.01, 0}), 0.01);   // in the hollow
    EXPECT_GT(one.distance({0, 0.02, 0.093}), 0);   // cut away
}

TEST(Shapes, FillObstacleInflowAndSinkTakeThem) {
    const std::string half =
        R"({ type = "intersection", parts = [)" + kBall + R"(, { type = "plane", point = 0 }] })";
    const Scene scene = read_scene_text(
        "format = 1\ntime = { fps = 24, end = \"1 s\" }\ngrid = { cell = \"1 cm\" }\n[liquid.a]\nmaterial = "
        "\"water\"\n"
        "fill = " +
            half +
            "\n[obstacle.pot]\nshape = { type = \"shell\", thickness = \"2 cm\", of = { type = "
            "\"sphere\", center = 0, radius = \"12 cm\" } }\n[inflow.tap]\nmaterial = \"water\"\nvelocity = "
            "\"0, -1, 0 m/s\"\n"
            "shape = { type = \"scale\", factor = [1, 0.2, 1], of = { type = \"sphere\", center = 0, radius "
            "= \"3 cm\" } }\n"
            "[sink.hole]\nshape = { type = \"rotate\", angle = \"45 deg\", of = { type = \"box\", min = "
            "\"-5, -9, -5 cm\", max "
            "= \"5, -8, 5 cm\" } }\n",
        "s.toml", RIVULET_SOURCE_DIR);
    const Built built = build(scene);
    const double half_ball = 2.0 / 3 * 3.14159265 * 1e-3;
    EXPECT_NEAR(built.world.ledger.total_initial(), half_ball, 0.05 * half_ball);
}

struct Bad {
    std::string shape, key, message;
};

TEST(Shapes, WrongOnesAreRefusedWithPlaceKeyAndHint) {
    const Bad bad[] = {
        {R"({ type = "intersection", parts = [)" + kBall + ", " + kFar + "] }", "parts", "nothing in common"},
        {R"({ type = "difference", of = )" + kBall + ", minus = [" + kBall + "] }", "minus",
         "nothing is left"},
        {R"({ type = "shell", of = )" + kBall + R"(, thickness = "-1 mm" })", "thickness", "must be > 0"},
        {R"({ type = "shell", of = )" + kBall + R"(, thickness = "11 cm" })", "thickness", "hollow"},
        {R"({ type = "scale", of = )" + kBall + R"(, factor = [1, 0, 1] })", "factor", "must be"},
        {R"({ type = "rotate", of = )" + kBall + R"(, angle = 30 })", "angle", "with a unit"},
        {R"({ type = "rotate", angle = "30 deg" })", "of", "missing"},
        {R"({ type = "revolve", profile = ["0, 0 cm", "5, 5 cm", "5, 0 cm", "1, 5 cm"] })", "profile",
         "crosses"},
        {R"({ type = "revolve", profile = ["0, 0 cm", "5 cm"] })", "profile.1", "two numbers"},
        {R"({ type = "revolve", profile = "0, 0 cm" })", "profile", "list of points"},
        {R"({ type = "revolve", profile = ["0, 0 s", "5, 1 s"] })", "profile.0", "length"},
        {R"({ type = "unoin", parts = [] })", "type", "unknown shape type"},
    };
    for (const Bad& b : bad) {
        try {
            read(b.shape);
            ADD_FAILURE() << b.shape;
        } catch (const InputError& e) {
            const Problem& p = e.problems()[0];
            EXPECT_EQ(p.key, "obstacle.thing.shape." + b.key) << b.shape;
            EXPECT_NE(p.message.find(b.message), std::string::npos) << p.message;
            EXPECT_EQ(p.line, 5) << b.shape;
        }
    }
}

}  // namespace
}  // namespace rivulet::scene
