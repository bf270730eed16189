#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/geometry/coated_radius.h>

namespace rivulet::geometry {
namespace {

TEST(CoatedRadius, ACoatLiesAroundTheStrand) {
    EXPECT_DOUBLE_EQ(coated_radius(3.0, 16 * std::numbers::pi), 5);
    EXPECT_DOUBLE_EQ(coated_radius(0.0, std::numbers::pi), 1);
    EXPECT_EQ(coated_radius(2.0, 0.0), 2);
    EXPECT_EQ(coated_radius(2.0f, -1.0f), 2);
}

}  // namespace
}  // namespace rivulet::geometry
