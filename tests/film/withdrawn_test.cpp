#include <gtest/gtest.h>

#include <rivulet/film/withdrawn.h>

namespace rivulet::film {
namespace {

const FilmLiquid kWater{.density = 1000, .surface_tension = 0.072, .consistency = 1e-3};

/// Thickness over radius of a film of that cross-section.
double thickness(double area, double a) {
    return std::sqrt(1 + area / (std::numbers::pi * a * a)) - 1;
}

TEST(Withdrawn, IsLandauAndLevichs) {
    const double a = 5e-5;
    // Ca = 1e-3 · 0.072/0.072 = 1e-3, to the 2/3 is 1e-2.
    EXPECT_NEAR(thickness(withdrawn_area(kWater, a, 0.072), a), 1.34e-2, 1e-12);
    EXPECT_NEAR(thickness(withdrawn_area(kWater, a, 8 * 0.072), a), 4 * 1.34e-2, 1e-12);
}

TEST(Withdrawn, ThickensWithTheYieldStress) {
    FilmLiquid cream = kWater;
    cream.yield_stress = 0.1;
    EXPECT_GT(withdrawn_area(cream, 5e-5, 0.01), withdrawn_area(kWater, 5e-5, 0.01));
}

TEST(Withdrawn, IsNeverThickerThanTheStrandAndNothingWithoutTensionOrSpeed) {
    EXPECT_NEAR(thickness(withdrawn_area(kWater, 5e-5, 1e6), 5e-5), 1, 1e-12);
    EXPECT_EQ(withdrawn_area(kWater, 5e-5, 0), 0);
    EXPECT_EQ(withdrawn_area(FilmLiquid{.consistency = 1e-3}, 5e-5, 1), 0);
}

}  // namespace
}  // namespace rivulet::film
