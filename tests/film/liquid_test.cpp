#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <rivulet/film/hold.h>
#include <rivulet/film/liquid.h>

namespace rivulet::film {
namespace {

const FilmLiquid kWater{1000, 0.072, 0, 1e-3, 1, 0};

TEST(FilmLiquid, MixesByVolumeAndItsConsistencyByLogarithm) {
    const std::array<FilmLiquid, 3> liquids{{kWater, {1200, 0.06, 4, 10, 0.5, 100}, {800, 0.03, 0, 5, 1, 0}}};
    const std::array<double, 3> share{0.25, 0.75, 0};
    const FilmLiquid mixed = mixture(liquids, share);
    EXPECT_DOUBLE_EQ(mixed.density, 1150);
    EXPECT_DOUBLE_EQ(mixed.surface_tension, 0.063);
    EXPECT_DOUBLE_EQ(mixed.yield_stress, 3);
    EXPECT_DOUBLE_EQ(mixed.flow_index, 0.625);
    EXPECT_DOUBLE_EQ(mixed.shear_modulus, 75);
    EXPECT_DOUBLE_EQ(mixed.consistency, std::pow(1e-3, 0.25) * std::pow(10, 0.75));
}

TEST(FilmLiquid, UnmixedIsItselfToTheBit) {
    const std::array<FilmLiquid, 2> liquids{{{1234.5, 0.061, 4.1, 10.3, 0.51, 101}, kWater}};
    const FilmLiquid alone = mixture(liquids, std::array<double, 2>{1, 0});
    EXPECT_EQ(alone.consistency, 10.3);
    EXPECT_EQ(alone.flow_index, 0.51);
    EXPECT_TRUE(mixture(liquids, std::array<double, 2>{0, 1}).newtonian());
    EXPECT_EQ(mixture(std::span(liquids).first(1), std::array<double, 1>{0.5}).density, 1234.5);
    const std::array<FilmLiquid, 2> slippery{{kWater, {1000, 0, 0, 0, 1, 0}}};
    EXPECT_EQ(mixture(slippery, std::array<double, 2>{0.5, 0.5}).consistency, 0);
}

TEST(Hold, IsTheLargestDropOfLorenceau) {
    const HoldLimit thick = hold_limit(kWater, 50e-6, 1, 9.81, 9.81);
    EXPECT_NEAR(thick.radius, 1.0326e-3, 5e-8);
    EXPECT_NEAR(thick.volume, 4.6115e-9, 5e-14);
    EXPECT_DOUBLE_EQ(thick.window, 2 * thick.radius);
    EXPECT_DOUBLE_EQ(thick.leaving_time, std::sqrt(thick.radius / 9.81));
    const HoldLimit thin = hold_limit(kWater, 37e-6, 1, 9.81, 9.81);
    EXPECT_NEAR(thin.radius, 0.9340e-3, 5e-8);
    EXPECT_NEAR(thin.volume, 3.4125e-9, 5e-14);
}

TEST(Hold, GrowsWithTheSquareRootOfTheStrands) {
    const double one = hold_limit(kWater, 37e-6, 1, 9.81, 9.81).volume;
    EXPECT_NEAR(hold_limit(kWater, 37e-6, 16, 9.81, 9.81).volume / one, 4, 1e-12);
}

TEST(Hold, IsCappedAsTheAccelerationAcrossVanishes) {
    const double length = std::sqrt(0.072 / 9810);
    EXPECT_DOUBLE_EQ(hold_limit(kWater, 50e-6, 1, 0, 9.81).radius, length);
    EXPECT_DOUBLE_EQ(hold_limit(kWater, 50e-6, 1, 1e-9, 9.81).radius, length);
    EXPECT_EQ(hold_limit(kWater, 50e-6, 1, 0, 9.81, 2e-3).radius, 2e-3);
    EXPECT_TRUE(std::isinf(hold_limit(kWater, 50e-6, 1, 0, 0).leaving_time));
    FilmLiquid dry = kWater;
    dry.surface_tension = 0;
    EXPECT_EQ(hold_limit(dry, 50e-6, 1, 9.81, 9.81).volume, 0);
}

}  // namespace
}  // namespace rivulet::film
