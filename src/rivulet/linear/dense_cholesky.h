#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace rivulet::linear {

/// Cholesky factors of a small dense symmetric positive definite matrix, row by row.
class DenseCholesky {
 public:
    void reset(std::size_t n) {
        n_ = n;
        a_.assign(n * n, 0.0);
    }
    std::size_t size() const { return n_; }
    /// Entry of the lower triangle (j ≤ i), before `factor`.
    double& entry(std::size_t i, std::size_t j) { return a_[i * n_ + j]; }

    /// False when the matrix is not positive definite to working precision.
    bool factor() {
        for (std::size_t i = 0; i < n_; ++i) {
            double* row_i = &a_[i * n_];
            const double scale = row_i[i];
            for (std::size_t j = 0; j <= i; ++j) {
                const double* row_j = &a_[j * n_];
                double s = row_i[j];
                for (std::size_t k = 0; k < j; ++k) s -= row_i[k] * row_j[k];
                if (j < i)
                    row_i[j] = s * row_j[j];
                else if (!(s > 1e-14 * scale))
                    return false;
                else
                    row_i[i] = 1 / std::sqrt(s);  // kept inverted
            }
        }
        return true;
    }
    /// x ← A⁻¹ x.
    void solve(std::span<double> x) const {
        for (std::size_t i = 0; i < n_; ++i) {
            double s = x[i];
            for (std::size_t k = 0; k < i; ++k) s -= a_[i * n_ + k] * x[k];
            x[i] = s * a_[i * n_ + i];
        }
        for (std::size_t i = n_; i-- > 0;) {
            x[i] *= a_[i * n_ + i];
            for (std::size_t k = 0; k < i; ++k) x[k] -= a_[i * n_ + k] * x[i];
        }
    }

 private:
    std::size_t n_ = 0;
    std::vector<double> a_;
};

}  // namespace rivulet::linear
