#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace rivulet::linear {

/// Cholesky factors of a sparse symmetric positive matrix of small dense blocks, for a few thousand blocks
/// and many matrices of one pattern: order, pattern and places of the factor are found once, and nothing is
/// allocated afterwards. One thread; the same bits always.
template <int B>
class BlockCholesky {
 public:
    using Block = std::array<double, std::size_t(B) * B>;  // row by row

    /// `neighbours[i]`: the blocks of row i other than the diagonal one. Symmetric.
    void analyse(std::vector<std::vector<int>> neighbours);
    std::size_t size() const { return rank_.size(); }
    void clear() { std::fill(value_.begin(), value_.end(), Block{}); }
    /// Where block (i, j) of the matrix is kept, or its transpose if `stored_transposed(i, j)`.
    int place(int i, int j) const;
    bool stored_transposed(int i, int j) const { return rank_[std::size_t(i)] < rank_[std::size_t(j)]; }
    Block& at(int place) { return value_[std::size_t(place)]; }
    /// False when the matrix is not positive definite.
    bool factor();
    /// x ← A⁻¹ x, B numbers per block row.
    void solve(std::span<double> x) const;
    std::size_t memory() const {
        return value_.size() * sizeof(Block) +
               (target_.size() + row_.size() + 3 * rank_.size()) * sizeof(int);
    }

 private:
    /// a ← a L⁻ᵀ with the factor L of a diagonal block (its diagonal kept inverted).
    static void divide(Block& a, const Block& l);
    static void subtract_product(Block& to, const Block& a, const Block& b);
    static bool factor_block(Block& a);

    std::vector<int> rank_, order_;  // place in the order of elimination, and back
    std::vector<int> start_, row_;   // column k: first the diagonal, then rows row_ (ranks, ascending)
    std::vector<int> target_;        // of each pair of rows of a column: where their product goes
    std::vector<Block> value_;
};

template <int B>
void BlockCholesky<B>::analyse(std::vector<std::vector<int>> near) {
    const std::size_t n = near.size();
    rank_.assign(n, -1);
    order_.clear();
    start_.assign(1, 0);
    row_.clear();
    for (auto& list : near) std::sort(list.begin(), list.end());
    // Greedy minimum degree on the graph of elimination; ties by number.
    std::vector<std::vector<int>> column;
    for (std::size_t k = 0; k < n; ++k) {
        int best = -1;
        for (std::size_t i = 0; i < n; ++i)
            if (rank_[i] < 0 && (best < 0 || near[i].size() < near[std::size_t(best)].size())) best = int(i);
        rank_[std::size_t(best)] = int(k);
        order_.push_back(best);
        const std::vector<int> around = std::move(near[std::size_t(best)]);
        for (const int i : around) {
            std::vector<int> joined;
            std::set_union(near[std::size_t(i)].begin(), near[std::size_t(i)].end(), around.begin(),
                           around.end(), std::back_inserter(joined));
            std::erase_if(joined, [&](int j) { return j == i || j == best; });
            near[std::size_t(i)] = std::move(joined);
        }
        column.push_back(around);
    }
    for (auto& rows : column) {
        row_.push_back(int(start_.size()) - 1);
        for (int& i : rows) i = rank_[std::size_t(i)];
        std::sort(rows.begin(), rows.end());
        row_.insert(row_.end(), rows.begin(), rows.end());
        start_.push_back(int(row_.size()));
    }
    value_.assign(row_.size(), Block{});
    target_.clear();
    for (std::size_t k = 0; k < n; ++k)
        for (int a = start_[k] + 1; a < start_[k + 1]; ++a)
            for (int b = start_[k] + 1; b <= a; ++b)
                target_.push_back(place(order_[std::size_t(row_[std::size_t(a)])],
                                        order_[std::size_t(row_[std::size_t(b)])]));
}

template <int B>
int BlockCholesky<B>::place(int i, int j) const {
    const int a = rank_[std::size_t(i)], b = rank_[std::size_t(j)];
    const int low = std::min(a, b), high = std::max(a, b);
    const auto first = row_.begin() + start_[std::size_t(low)],
               last = row_.begin() + start_[std::size_t(low) + 1];
    return int(std::lower_bound(first, last, high) - row_.begin());
}

template <int B>
bool BlockCholesky<B>::factor_block(Block& a) {
    for (int i = 0; i < B; ++i)
        for (int j = 0; j <= i; ++j) {
            double s = a[std::size_t(i * B + j)];
            const double whole = s;
            for (int k = 0; k < j; ++k) s -= a[std::size_t(i * B + k)] * a[std::size_t(j * B + k)];
            if (j < i)
                a[std::size_t(i * B + j)] = s * a[std::size_t(j * B + j)];
            else if (!(s > 1e-14 * whole))
                return false;
            else
                a[std::size_t(i * B + i)] = 1 / std::sqrt(s);
        }
    return true;
}

template <int B>
void BlockCholesky<B>::divide(Block& a, const Block& l) {
    for (int r = 0; r < B; ++r)
        for (int j = 0; j < B; ++j) {
            double s = a[std::size_t(r * B + j)];
            for (int k = 0; k < j; ++k) s -= a[std::size_t(r * B + k)] * l[std::size_t(j * B + k)];
            a[std::size_t(r * B + j)] = s * l[std::size_t(j * B + j)];
        }
}

template <int B>
void BlockCholesky<B>::subtract_product(Block& to, const Block& a, const Block& b) {
    for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
            double s = 0;
            for (int k = 0; k < B; ++k) s += a[std::size_t(i * B + k)] * b[std::size_t(j * B + k)];
            to[std::size_t(i * B + j)] -= s;
        }
}

template <int B>
bool BlockCholesky<B>::factor() {
    std::size_t pair = 0;
    for (std::size_t k = 0; k < size(); ++k) {
        Block& diagonal = value_[std::size_t(start_[k])];
        if (!factor_block(diagonal)) return false;
        for (int a = start_[k] + 1; a < start_[k + 1]; ++a) {
            divide(value_[std::size_t(a)], diagonal);
            for (int b = start_[k] + 1; b <= a; ++b, ++pair)
                subtract_product(value_[std::size_t(target_[pair])], value_[std::size_t(a)],
                                 value_[std::size_t(b)]);
        }
    }
    return true;
}

template <int B>
void BlockCholesky<B>::solve(std::span<double> x) const {
    const auto part = [&](int k) { return &x[std::size_t(B) * std::size_t(order_[std::size_t(k)])]; };
    for (int k = 0; k < int(size()); ++k) {
        double* y = part(k);
        const Block& l = value_[std::size_t(start_[std::size_t(k)])];
        for (int i = 0; i < B; ++i) {
            for (int j = 0; j < i; ++j) y[i] -= l[std::size_t(i * B + j)] * y[j];
            y[i] *= l[std::size_t(i * B + i)];
        }
        for (int a = start_[std::size_t(k)] + 1; a < start_[std::size_t(k) + 1]; ++a) {
            double* z = part(row_[std::size_t(a)]);
            const Block& m = value_[std::size_t(a)];
            for (int i = 0; i < B; ++i)
                for (int j = 0; j < B; ++j) z[i] -= m[std::size_t(i * B + j)] * y[j];
        }
    }
    for (int k = int(size()) - 1; k >= 0; --k) {
        double* y = part(k);
        for (int a = start_[std::size_t(k)] + 1; a < start_[std::size_t(k) + 1]; ++a) {
            const double* z = part(row_[std::size_t(a)]);
            const Block& m = value_[std::size_t(a)];
            for (int i = 0; i < B; ++i)
                for (int j = 0; j < B; ++j) y[j] -= m[std::size_t(i * B + j)] * z[i];
        }
        const Block& l = value_[std::size_t(start_[std::size_t(k)])];
        for (int i = B - 1; i >= 0; --i) {
            y[i] *= l[std::size_t(i * B + i)];
            for (int j = 0; j < i; ++j) y[j] -= l[std::size_t(i * B + j)] * y[i];
        }
    }
}

}  // namespace rivulet::linear
