#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/base/units.h>

namespace rivulet {
namespace {

double si(const char* text) {
    return parse_quantity(text).value;
}
std::string unit_of(const char* text) {
    return si_unit(parse_quantity(text).dimension);
}
std::string error_of(const char* text) {
    try {
        parse_quantity(text);
    } catch (const UnitError& e) {
        return e.what();
    }
    return "";
}

TEST(Units, PowersOfTenAreExact) {
    EXPECT_EQ(si("0.5 mm"), 5e-4);
    EXPECT_EQ(si("72 dyn/cm"), 0.072);
    EXPECT_EQ(si("8.9 mPa*s"), 8.9e-3);
    EXPECT_EQ(si("1.32 g/cm^3"), 1320);
    EXPECT_EQ(si("3.4 GPa"), 3.4e9);
    EXPECT_EQ(si("6 L"), 6e-3);
    EXPECT_EQ(si("45 um"), 45e-6);
    EXPECT_EQ(si("45 µm"), 45e-6);
    EXPECT_EQ(si("1 cSt"), 1e-6);
    EXPECT_EQ(si("1 cP"), 1e-3);
    EXPECT_EQ(si("10 Ba"), 1);
    EXPECT_EQ(si("1 kg"), 1);
    EXPECT_EQ(si("-3e2 mm"), -0.3);
    EXPECT_EQ(si("998.2 kg/m3"), 998.2);
    EXPECT_EQ(si("9.81 m/s²"), 9.81);
}

TEST(Units, OtherSystems) {
    EXPECT_DOUBLE_EQ(si("1 in"), 0.0254);
    EXPECT_DOUBLE_EQ(si("1 ft"), 0.3048);
    EXPECT_NEAR(si("1 psi"), 6894.757293168361, 1e-9);
    EXPECT_EQ(si("2 min"), 120);
    EXPECT_EQ(si("1 h"), 3600);
    EXPECT_DOUBLE_EQ(si("180 deg"), std::numbers::pi);
    EXPECT_DOUBLE_EQ(si("60 rpm"), 2 * std::numbers::pi);
    EXPECT_EQ(si("50 %"), 0.5);
    EXPECT_EQ(si("2 GB"), 2e9);
    EXPECT_EQ(si("1 KiB"), 1024);
    EXPECT_DOUBLE_EQ(si("1 m/min"), 1. / 60);
    EXPECT_EQ(parse_quantity("10 f", 30).value, 10. / 30);
}

TEST(Units, Dimensions) {
    EXPECT_EQ(unit_of("1 N/m^2"), "Pa");
    EXPECT_EQ(unit_of("1 J/m^2"), "N/m");
    EXPECT_EQ(unit_of("1 Hz"), "1/s");
    EXPECT_EQ(unit_of("3 1/m"), "1/m");
    EXPECT_EQ(unit_of("3 /m"), "1/m");
    EXPECT_EQ(unit_of("6.5 Pa*s^0.52"), "Pa*s^0.52");
    EXPECT_EQ(unit_of("1 rpm"), "rad/s");
    EXPECT_EQ(unit_of("2"), "");
    EXPECT_EQ(a_name_of(parse_quantity("1 deg").dimension), "an angle");
    EXPECT_EQ(a_name_of(parse_quantity("1 dyn/cm^2").dimension), "a pressure");
    EXPECT_EQ(a_name_of(parse_quantity("1 kg*m^2").dimension), "a quantity in m^2*kg");
}

TEST(Units, EverySiUnitReadsBackExactly) {
    const Random random(7, 1);
    for (const char* unit :
         {"m", "kg/m^3", "Pa*s", "N/m", "Pa*s^0.52", "Pa*s^0.6", "rad", "rad/s", "B", "1/m", "m^2*kg"}) {
        EXPECT_EQ(si_unit(parse_unit(unit)), unit);
        for (std::uint64_t i = 0; i < 200; ++i) {
            const double value = std::ldexp(random.uniform(i) - 0.5, int(random.words(i)[3] % 200) - 100);
            EXPECT_EQ(parse_quantity(shortest(value) + " " + unit).value, value);
        }
    }
    EXPECT_TRUE(std::signbit(parse_quantity("-0 m").value));
}

TEST(Units, EveryDoubleSurvivesItsShortestDecimal) {
    const Random random(7, 2);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const auto words = random.words(i);
        const std::uint64_t bits = (std::uint64_t{words[0]} << 32) | words[1];
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        const double back = parse_quantity(shortest(value) + " m").value;
        EXPECT_EQ(std::memcmp(&back, &value, sizeof value), 0) << shortest(value);
    }
}

TEST(Units, Vectors) {
    const VectorQuantity v = parse_vector("0, 12, -0.5 cm");
    EXPECT_EQ(v.value, (Vec3d{0, 0.12, -0.005}));
    EXPECT_EQ(si_unit(v.dimension), "m");
    EXPECT_FALSE(parse_vector("0, 0, 0").has_unit);
    EXPECT_THROW(parse_vector("0, 12 cm"), UnitError);
    EXPECT_THROW(parse_vector("0, 12, 3, 4 cm"), UnitError);
    EXPECT_THROW(parse_vector("0 m, 12 m, 3 m"), UnitError);
}

TEST(Units, WhatIsNoQuantityIsRefused) {
    EXPECT_EQ(error_of("3 mn"), "unknown unit 'mn'");
    EXPECT_EQ(error_of("mm"), "expected a number");
    EXPECT_EQ(error_of(""), "expected a number");
    EXPECT_NE(error_of("3 m s"), "");
    EXPECT_NE(error_of("3 m/"), "");
    EXPECT_NE(error_of("3 m*"), "");
    EXPECT_NE(error_of("3 *m"), "");
    EXPECT_NE(error_of("3 m^"), "");
    EXPECT_NE(error_of("3 m^999"), "");
    EXPECT_NE(error_of("1e400 m"), "");
    EXPECT_NE(error_of("1e300 Tm^60"), "");
    EXPECT_NE(error_of("nan m"), "");
    EXPECT_NE(error_of("inf m"), "");
    EXPECT_NE(error_of("3 m)"), "");
    EXPECT_NE(error_of(std::string(5000, '1').c_str()), "");
}

}  // namespace
}  // namespace rivulet
