#include <rivulet/base/elementary.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace rivulet;

namespace {

/// Distance in units of round-off of the exact value.
template <class Real>
double units(Real got, double exact) {
    if (got == exact) return 0;
    return std::abs(got - exact) / (std::abs(exact) * std::numeric_limits<Real>::epsilon());
}

}  // namespace

TEST(Elementary, ExponentialWithinTwoUnits) {
    for (int i = -70000; i <= 70000; i += 4) {
        const auto x = [&](int lane) { return 0.0101 * (i + lane); };
        const Pack got = fast_exp({x(0), x(1), x(2), x(3)});
        for (int lane = 0; lane < 4; ++lane) ASSERT_LT(units(got[lane], std::exp(x(lane))), 2) << x(lane);
    }
    EXPECT_EQ(fast_exp(Pack(0.0))[0], 1);
    EXPECT_LT(fast_exp(Pack(-1e9))[0], 1e-300);
    EXPECT_TRUE(std::isnan(fast_exp(Pack(std::nan("")))[0]));
}

TEST(Elementary, LogarithmWithinTwoUnits) {
    for (int i = 0; i < 40000; i += 4) {
        const auto x = [&](int lane) { return std::exp(0.0173 * (i + lane - 20000)) * (1 + 1e-3 * lane); };
        const Pack got = fast_log({x(0), x(1), x(2), x(3)});
        for (int lane = 0; lane < 4; ++lane) ASSERT_LT(units(got[lane], std::log(x(lane))), 2) << x(lane);
    }
    for (double x = 0.50003; x < 2; x += 1.01e-4)
        ASSERT_LT(units(fast_log(Pack(x))[1], std::log(x)), 2) << x;  // next to 1 the result is small
    EXPECT_EQ(fast_log(Pack(1.0))[0], 0);
    EXPECT_TRUE(std::isnan(fast_log(Pack(-1.0))[0]));
    EXPECT_TRUE(std::isnan(fast_log(Pack(0.0))[0]));
}

TEST(Elementary, HalfTheDigitsWithinTwoUnits) {
    for (int i = -8500; i <= 8500; ++i) {
        const float x = 0.0101F * float(i);
        ASSERT_LT(units(fast_exp(SinglePack(double{x}))[5], std::exp(double{x})), 2) << x;
        const float y = std::exp(x);
        ASSERT_LT(units(fast_log(SinglePack(double{y}))[3], std::log(double{y})), 2) << y;
    }
    for (float x = 0.50003F; x < 2; x += 1.01e-4F)
        ASSERT_LT(units(fast_log(SinglePack(double{x}))[1], std::log(double{x})), 2) << x;
    EXPECT_EQ(fast_exp(SinglePack(0.0))[0], 1);
    EXPECT_LT(fast_exp(SinglePack(-1e9))[0], 1e-37F);
    EXPECT_TRUE(std::isnan(fast_exp(SinglePack(std::nan("")))[0]));
    EXPECT_EQ(fast_log(SinglePack(1.0))[0], 0);
    EXPECT_TRUE(std::isnan(fast_log(SinglePack(-1.0))[0]));
    EXPECT_TRUE(std::isnan(fast_log(SinglePack(0.0))[0]));
}
