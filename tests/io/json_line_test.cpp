#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/io/json_line.h>

namespace rivulet::io {
namespace {

TEST(JsonLine, KeepsTheOrderAndTheTypes) {
    JsonLine line;
    line.add("text", "a \"b\"\n").add("yes", true).add("half", 0.5).add("whole", 2.0);
    line.add("count", std::size_t{3}).add("minus", -4).add("list", std::vector<std::string>{"x", "y"});
    EXPECT_EQ(
        line.text(),
        R"({"text":"a \"b\"\n","yes":true,"half":0.5,"whole":2.0,"count":3,"minus":-4,"list":["x","y"]})");
    EXPECT_TRUE(line.has("half"));
    EXPECT_FALSE(line.has("third"));
}

TEST(JsonLine, StaysJsonWhateverItIsGiven) {
    JsonLine line;
    line.add("nan", std::nan("")).add("bytes", std::string_view("a\xff"));
    EXPECT_EQ(line.text(), "{\"nan\":null,\"bytes\":\"a\xef\xbf\xbd\"}");
}

TEST(JsonLine, TakesOverAnObject) {
    JsonLine line(std::string("{\n  \"b\": 1,\n  \"a\": [2]\n}"));
    EXPECT_EQ(line.add("alive", false).text(), R"({"b":1,"a":[2],"alive":false})");
}

}  // namespace
}  // namespace rivulet::io
