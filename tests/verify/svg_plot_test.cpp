#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/verify/report.h>

namespace rivulet::verify {
namespace {

TEST(SvgPlot, LogarithmicAxesMakeAPowerLawAStraightLine) {
    Plot plot{"power law", "x", "y", {{"", {0, 1, 10, 100, 10000}, {5, 1, 10, 100, 10000}}}, true, true};
    const std::string svg = svg_plot(plot, 478, 478);  // 400 px inside along each axis
    // 64 px to the left, 44 below; four decades. The point at x = 0 is left out.
    EXPECT_NE(svg.find("points=\"64.0,434.0 164.0,334.0 264.0,234.0 464.0,34.0 \""), std::string::npos)
        << svg;
    for (const char* tick : {">1<", ">10<", ">100<", ">1000<", ">1e+04<"})
        EXPECT_NE(svg.find(tick), std::string::npos) << tick;
}

TEST(SvgPlot, NamesStandWhereCurvesDoNot) {
    const auto corner_of = [](const Curve& curve) {
        const std::string svg = svg_plot({"line", "x", "y", {curve}}, 478, 478);
        const std::size_t at = svg.rfind("<text");
        return svg.substr(at, svg.find(" fill", at) - at);
    };
    const std::string right = "<text x=\"460\"", left = "<text x=\"68\"";
    EXPECT_EQ(corner_of({"falling", {0, 10}, {10, 0}}), right + " y=\"48\" text-anchor=\"end\"");
    EXPECT_EQ(corner_of({"rising", {0, 10}, {0, 10}}), left + " y=\"48\" text-anchor=\"start\"");
    EXPECT_EQ(corner_of({"high", {0, 5, 10}, {10, 0, 10}}), right + " y=\"428\" text-anchor=\"end\"");
}

TEST(SvgPlot, LinearAxesHaveRoundTicks) {
    const std::string svg = svg_plot({"line", "x", "y", {{"", {0, 5, 10}, {0, -5, 10}}}}, 478, 478);
    EXPECT_NE(svg.find(">-4<"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace rivulet::verify
