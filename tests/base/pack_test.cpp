#include <gtest/gtest.h>

#include <rivulet/base/mat3.h>
#include <rivulet/base/pack.h>
#include <rivulet/base/quads.h>

namespace rivulet {
namespace {

TEST(Pack, LanesGetTheBitsOfPlainDoubles) {
    const double a[4] = {1.1, -2.7, 1e-9, 3e7}, b[4] = {0.3, 5.5, -1e3, 7.1};
    const Pack pa(a[0], a[1], a[2], a[3]), pb(b[0], b[1], b[2], b[3]);
    const auto kernel = [](auto x, auto y) {
        using std::sqrt, std::atan2, std::abs, std::sin;
        const auto r = sqrt(x * x + y * y) / (abs(x) + decltype(x)(1.0));
        return select(x < y, atan2(y, x) - r, sin(x) * y + r);
    };
    const Pack p = kernel(pa, pb);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(p[i], kernel(a[i], b[i])) << "lane " << i;
}

TEST(Pack, MasksCombine) {
    const Pack a(1, 2, 3, 4), b(2.5);
    EXPECT_TRUE(any(a < b));
    EXPECT_FALSE(all(a < b));
    EXPECT_TRUE(all((a < b) | (a > b)));
    EXPECT_FALSE(any((a < b) & (a > b)));
    EXPECT_EQ(min(a, b)[3], 2.5);
    EXPECT_EQ(max(a, b)[0], 2.5);
}

TEST(Pack, RootsAndMagnitudesAreThoseOfTheScalarLibrary) {
    const Pack a(2.0, 0.0, 1e-310, 7.3e200), b(-0.0, -3.5, 4.25, -1e-310);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(sqrt(a)[i], std::sqrt(a[i]));
        EXPECT_EQ(abs(b)[i], std::abs(b[i]));
        EXPECT_FALSE(std::signbit(abs(b)[i]));
    }
    EXPECT_FALSE(any(a < Pack(0.0)));
    EXPECT_TRUE(all(a >= Pack(0.0)));
    EXPECT_TRUE(any(b < Pack(-3.0)));
}

template <class P>
class Quads : public testing::Test {
 protected:
    /// Number `number` in group g has 100 number + 10 g + lane in the group.
    static P numbered(int number) {
        return P::generate([&](int i) { return 100 * number + 10 * (i / 4) + i % 4; });
    }
};
using Packs = testing::Types<Pack, SinglePack>;
TYPED_TEST_SUITE(Quads, Packs);

TYPED_TEST(Quads, SumsAndTransposeWithinGroups) {
    using P = TypeParam;
    P a = this->numbered(0), b = this->numbered(1), c = this->numbered(2), d = this->numbered(3);
    const P sums = quad_sums(a, b, c, d), spread = spread_lane<2>(b), spread_late = spread_lane(b, 2);
    transpose_quads(a, b, c, d);
    for (int i = 0; i < P::kWidth; ++i) {
        const int group = i / 4, number = i % 4;
        EXPECT_EQ(sums[i], 4 * (100 * number + 10 * group) + 6);
        EXPECT_EQ(spread[i], 100 + 10 * group + 2);
        EXPECT_EQ(spread_late[i], spread[i]);
        EXPECT_EQ(a[i], 100 * number + 10 * group);
        EXPECT_EQ(d[i], 100 * number + 10 * group + 3);
    }
}

TYPED_TEST(Quads, RepeatAndAddInMemory) {
    using P = TypeParam;
    typename P::Real memory[6] = {9, 1, 2, 3, 4, 9};
    const P a = repeat_quad<P>(memory + 1);
    for (int i = 0; i < P::kWidth; ++i) EXPECT_EQ(a[i], 1 + i % 4);
    add_quads(a, memory + 1);
    EXPECT_EQ(memory[0], 9);
    EXPECT_EQ(memory[5], 9);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(memory[1 + i], (1 + kQuads<P>)*(1 + i));
}

TEST(Mat3, InverseAndProductsWorkForPacksToo) {
    const auto check = [](auto one) {
        using T = decltype(one);
        const Mat3<T> a{{{T(2.0), T(1.0), T(0.5)}, {T(-1.0), T(3.0), T(0.25)}, {T(0.0), T(1.0), T(4.0)}}};
        return a * inverse(a);
    };
    const Mat3d i = check(1.0);
    const Mat3<Pack> p = check(Pack(1.0));
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            EXPECT_NEAR(i(r, c), r == c, 1e-15);
            for (int lane = 0; lane < 4; ++lane) EXPECT_EQ(p(r, c)[lane], i(r, c));
        }
}

}  // namespace
}  // namespace rivulet
