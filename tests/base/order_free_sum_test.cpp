#include <rivulet/base/order_free_sum.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>

namespace rivulet {
namespace {

std::vector<double> terms(std::size_t n, double size) {
    const Random random(7, 0);
    std::vector<double> t(n);
    for (std::size_t i = 0; i < n; ++i)
        t[i] = size * (2 * random.uniform(2 * i) - 1) * std::pow(10, -12 * random.uniform(2 * i + 1));
    return t;
}
double order_free(const std::vector<double>& terms, double largest) {
    const OrderFreeScale scale(largest);
    OrderFreeSum sum;
    for (const double t : terms) sum.add(scale, t);
    return sum.value();
}

TEST(OrderFreeSum, AnyOrderGivesTheSameBits) {
    for (const double size : {1.0, 3e-9, 1e12}) {
        std::vector<double> t = terms(16384, size);
        const double sum = order_free(t, size);
        double plain = 0;
        for (const double x : t) plain += x;
        bool plain_differs = false;
        for (std::size_t k = 1; k < 20; ++k) {
            std::rotate(t.begin(), t.begin() + std::ptrdiff_t(791 * k), t.end());
            std::reverse(t.begin(), t.begin() + std::ptrdiff_t(100 * k));
            EXPECT_EQ(order_free(t, size), sum);
            double again = 0;
            for (const double x : t) again += x;
            plain_differs |= again != plain;
        }
        EXPECT_TRUE(plain_differs);
    }
}

TEST(OrderFreeSum, AsExactAsTheCompensatedSum) {
    const std::vector<double> t = terms(10000, 5.0);
    CompensatedSum exact;
    for (const double x : t) exact.add(x);
    EXPECT_NEAR(order_free(t, 5.0), exact.value(), 1e-15 * std::abs(exact.value()));
}

TEST(OrderFreeSum, NothingAndTheBoundItself) {
    EXPECT_EQ(order_free({}, 0), 0);
    EXPECT_EQ(order_free({0, 0}, 0), 0);
    EXPECT_EQ(order_free({0.7, 0.7, -0.7}, 0.7), 0.7);
    EXPECT_EQ(order_free({1, 1, 1}, 1), 3);
}

}  // namespace
}  // namespace rivulet
