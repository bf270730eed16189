#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/linear/banded_ldlt.h>

namespace rivulet::linear {
namespace {

using Band = BandedLdlt<10>;

Eigen::MatrixXd random_band(std::size_t n, std::uint64_t seed, double shift) {
    const Random random(seed, 0);
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(n));
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = j; i < std::min(n, j + 11); ++i) {
            const double v = random.uniform(j * n + i, -1, 1) + (i == j ? shift : 0);
            a(Eigen::Index(i), Eigen::Index(j)) = a(Eigen::Index(j), Eigen::Index(i)) = v;
        }
    return a;
}

template <class T>
std::vector<T> store(std::size_t n, const std::vector<Eigen::MatrixXd>& lanes) {
    std::vector<T> band(Band::storage_size(n), T(0.0));
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = j; i < std::min(n, j + 11); ++i) {
            T& entry = band[Band::index(i, j)];
            if constexpr (std::is_same_v<T, Pack>)
                for (int l = 0; l < 4; ++l)
                    entry.set(l, lanes[std::size_t(l)](Eigen::Index(i), Eigen::Index(j)));
            else
                entry = lanes[0](Eigen::Index(i), Eigen::Index(j));
        }
    return band;
}

class BandedLdltSize : public testing::TestWithParam<std::size_t> {};

TEST_P(BandedLdltSize, SolvesLikeADenseCholesky) {
    const std::size_t n = GetParam();
    const Eigen::MatrixXd a = random_band(n, 3, 12);
    std::vector<double> band = store<double>(n, {a});
    std::vector<double> x(Band::vector_size(n), 0.0);
    Eigen::VectorXd b(static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) b(Eigen::Index(i)) = x[i] = Random(4, 0).uniform(i, -1, 1);
    ASSERT_TRUE(Band::factorise<double>(band, n));
    Band::solve<double>(band, n, x);
    const Eigen::VectorXd exact = a.llt().solve(b);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], exact(Eigen::Index(i)), 1e-14);
}

TEST_P(BandedLdltSize, InvertsInsideTheBandLikeADenseInverse) {
    const std::size_t n = GetParam();
    const Eigen::MatrixXd a = random_band(n, 8, 12);
    std::vector<double> band = store<double>(n, {a}), inverse(Band::factor_size(n), std::nan(""));
    ASSERT_TRUE(Band::factorise<double>(band, n));
    Band::invert_in_band<double>(std::span(band).first(Band::factor_size(n)), n, inverse);
    const Eigen::MatrixXd exact = a.inverse();
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = j; i < std::min(n, j + 11); ++i)
            EXPECT_NEAR(inverse[Band::index(i, j)], exact(Eigen::Index(i), Eigen::Index(j)), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Sizes, BandedLdltSize, testing::Values(1, 2, 7, 10, 11, 12, 35, 119));

TEST(BandedLdlt, EveryLaneHasTheBitsOfTheScalar) {
    const std::size_t n = 43;
    std::vector<Eigen::MatrixXd> lanes;
    for (std::uint64_t l = 0; l < 4; ++l) lanes.push_back(random_band(n, 10 + l, 9 + double(l)));
    auto packed = store<Pack>(n, lanes);
    std::vector<Pack> x(Band::vector_size(n), Pack(0.0));
    for (std::size_t i = 0; i < n; ++i) x[i] = Pack(1.0, 2.0, -0.5, double(i));
    ASSERT_TRUE(all(Band::factorise<Pack>(packed, n)));
    Band::solve<Pack>(packed, n, x);
    std::vector<Pack> inverse(Band::factor_size(n));
    Band::invert_in_band<Pack>(packed, n, inverse);
    for (int l = 0; l < 4; ++l) {
        auto band = store<double>(n, {lanes[std::size_t(l)]});
        std::vector<double> y(Band::vector_size(n), 0.0);
        for (std::size_t i = 0; i < n; ++i) y[i] = Pack(1.0, 2.0, -0.5, double(i))[l];
        ASSERT_TRUE(Band::factorise<double>(band, n));
        Band::solve<double>(band, n, y);
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(x[i][l], y[i]);
        std::vector<double> plain(Band::factor_size(n));
        Band::invert_in_band<double>(band, n, plain);
        for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_EQ(inverse[k][l], plain[k]);
    }
}

TEST(BandedLdlt, AnIndefiniteLaneIsReportedAndDisturbsNoOther) {
    const std::size_t n = 30;
    std::vector<Eigen::MatrixXd> lanes(4, random_band(n, 5, 12));
    lanes[2](17, 17) = -1;
    lanes[1](29, 29) = std::nan("");
    auto packed = store<Pack>(n, lanes);
    const Mask good = Band::factorise<Pack>(packed, n);
    EXPECT_TRUE(good[0]);
    EXPECT_FALSE(good[1]);
    EXPECT_FALSE(good[2]);
    EXPECT_TRUE(good[3]);
    auto band = store<double>(n, {lanes[0]});
    ASSERT_TRUE(Band::factorise<double>(band, n));
    for (std::size_t k = 0; k < band.size(); ++k) EXPECT_EQ(packed[k][3], band[k]);
}

}  // namespace
}  // namespace rivulet::linear
