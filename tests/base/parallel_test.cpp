#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>

namespace rivulet {
namespace {

TEST(Parallel, SumsHaveTheSameBitsForAnyThreadCount) {
    const Random random(1, 2);
    std::vector<double> values(100'003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::exp(40 * random.uniform(i) - 20);
    const auto sum = [&] { return accurate_sum(values.size(), [&](std::size_t i) { return values[i]; }); };
    const double one = with_threads(1, sum);
    EXPECT_EQ(one, with_threads(2, sum));
    EXPECT_EQ(one, with_threads(4, sum));
}

TEST(Parallel, CompensatedSumKeepsSmallTerms) {
    // 1 + 1e-17 added a million times: a plain sum stays 1.
    const double sum = accurate_sum(1'000'001, [](std::size_t i) { return i == 0 ? 1.0 : 1e-17; });
    EXPECT_NEAR(sum - 1.0, 1e-11, 1e-15);
}

TEST(Parallel, ChunksCoverEveryItemOnce) {
    for (std::size_t n : {0u, 1u, 7u, 1024u, 99'999u}) {
        std::vector<int> hits(n, 0);
        parallel_chunks(n, 16, [&](std::size_t b, std::size_t e, std::size_t) {
            for (std::size_t i = b; i < e; ++i) ++hits[i];
        });
        for (int h : hits) ASSERT_EQ(h, 1);
    }
}

TEST(Parallel, MaximumShowsNotANumber) {
    EXPECT_TRUE(
        std::isnan(parallel_max(10'000, 0.0, [](std::size_t i) { return i == 77 ? std::nan("") : 1.0; })));
    EXPECT_EQ(parallel_max(0, -1.0, [](std::size_t) { return 5.0; }), -1.0);
}

TEST(Random, MatchesTheReferenceVectorOfPhilox) {
    // Known answer of Philox 4x32-10 for counter 0, key 0 (Salmon et al. 2011, Random123 test vectors).
    const auto w = Random(0, 0).words(0);
    EXPECT_EQ(w[0], 0x6627e8d5u);
    EXPECT_EQ(w[1], 0xe169c58du);
    EXPECT_EQ(w[2], 0xbc57ac4cu);
    EXPECT_EQ(w[3], 0x9b00dbd8u);
}

TEST(Random, MomentsAreRight) {
    const Random random(7, 3);
    const int n = 200'000;
    double mean = 0, square = 0, normal_square = 0;
    for (int i = 0; i < n; ++i) {
        const double u = random.uniform(std::uint64_t(i)), g = random.normal(std::uint64_t(i));
        mean += u / n, square += u * u / n, normal_square += g * g / n;
    }
    EXPECT_NEAR(mean, 0.5, 0.003);
    EXPECT_NEAR(square, 1.0 / 3, 0.003);
    EXPECT_NEAR(normal_square, 1.0, 0.02);
}

}  // namespace
}  // namespace rivulet
