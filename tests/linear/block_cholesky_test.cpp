#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/random.h>
#include <rivulet/linear/block_cholesky.h>
#include <rivulet/linear/dense_cholesky.h>

namespace rivulet::linear {
namespace {

// A ring with a few chords, 3×3 blocks, against the dense factor; twice, because the pattern is kept.
TEST(BlockCholesky, SolvesAsTheDenseTwin) {
    constexpr int n = 12, b = 3;
    std::vector<std::vector<int>> near(n);
    const auto join = [&](int i, int j) {
        near[std::size_t(i)].push_back(j), near[std::size_t(j)].push_back(i);
    };
    for (int i = 0; i < n; ++i) join(i, (i + 1) % n);
    join(0, 6), join(3, 9), join(2, 7);
    BlockCholesky<b> sparse;
    sparse.analyse(near);
    for (std::uint64_t round = 0; round < 2; ++round) {
        const Random random(round, 4);
        DenseCholesky dense;
        dense.reset(n * b);
        sparse.clear();
        std::uint64_t next = 0;
        const auto put = [&](int i, int j, int r, int c, double value) {
            const int row = i * b + r, column = j * b + c;
            if (row >= column) dense.entry(std::size_t(row), std::size_t(column)) = value;
            if (row < column) dense.entry(std::size_t(column), std::size_t(row)) = value;
            const bool turned = i != j && sparse.stored_transposed(i, j);
            sparse.at(sparse.place(i, j))[std::size_t(turned ? c * b + r : r * b + c)] = value;
        };
        for (int i = 0; i < n; ++i) {
            for (int r = 0; r < b; ++r)
                for (int c = 0; c <= r; ++c) {
                    const double value = r == c ? 20 : random.uniform(next++, -1, 1);
                    put(i, i, r, c, value);
                    put(i, i, c, r, value);
                }
            for (const int j : near[std::size_t(i)])
                if (j < i)
                    for (int r = 0; r < b; ++r)
                        for (int c = 0; c < b; ++c) put(i, j, r, c, random.uniform(next++, -1, 1));
        }
        std::vector<double> x(n * b), y;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = random.uniform(1000 + i, -1, 1);
        y = x;
        ASSERT_TRUE(dense.factor());
        ASSERT_TRUE(sparse.factor());
        dense.solve(x);
        sparse.solve(y);
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-13);
    }
}

TEST(BlockCholesky, RefusesWhatIsNotPositive) {
    BlockCholesky<2> a;
    a.analyse({{1}, {0}});
    a.clear();
    a.at(a.place(0, 0)) = {1, 0, 0, 1};
    a.at(a.place(1, 1)) = {1, 0, 0, 1};
    a.at(a.place(0, 1)) = {2, 0, 0, 0};
    EXPECT_FALSE(a.factor());
}

}  // namespace
}  // namespace rivulet::linear
