#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include <rivulet/linear/aligned.h>
#include <rivulet/linear/dense_cholesky.h>
#include <rivulet/linear/vectors.h>

namespace rivulet::linear {

/// Takes a few vectors Z out of a conjugate-gradient iteration and solves for them directly (Nicolaides 1987;
/// Saad et al. 2000): directions in which the preconditioner is far off cost one small dense solve instead of
/// many iterations. With E = Zᵀ A Z
///
///     start      x ← x + Z E⁻¹ Zᵀ (b − A x)
///     each step  z ← z − Z E⁻¹ (A Z)ᵀ z
///
/// keeps the residual orthogonal to Z. Vectors that depend on each other, or that A does not see, are left
/// out.
class Deflation {
 public:
    void clear() { z_.clear(), az_.clear(), size_ = 0; }
    std::size_t size() const { return size_; }

    /// Adds a vector; apply(z, az): az ← A z.
    template <class Apply>
    void add(std::span<const double> z, Apply&& apply) {
        z_.insert(z_.end(), z.begin(), z.end());
        az_.resize(z_.size());
        n_ = z.size();
        apply(z, std::span<double>(az_.data() + size_ * n_, n_));
        ++size_;
        if (!factor()) {
            --size_;
            z_.resize(size_ * n_), az_.resize(size_ * n_);
            factor();
        }
    }

    /// x ← x + Z E⁻¹ Zᵀ r, r the residual of x.
    void start(std::span<const double> r, std::span<double> x) { correct(z_, r, x, 1); }
    /// z ← z − Z E⁻¹ (A Z)ᵀ z.
    void project(std::span<double> z) { correct(az_, z, z, -1); }

 private:
    std::span<const double> column(const std::vector<double>& of, std::size_t k) const {
        return {of.data() + k * n_, n_};
    }
    bool factor() {
        energy_.reset(size_);
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j <= i; ++j) energy_.entry(i, j) = dot(column(z_, i), column(az_, j));
        return energy_.factor();
    }
    void correct(const std::vector<double>& test, std::span<const double> of, std::span<double> to,
                 double sign) {
        if (size_ == 0) return;
        assert(of.size() == n_ && to.size() == n_);
        part_.resize(size_);
        for (std::size_t k = 0; k < size_; ++k) part_[k] = dot(column(test, k), of);
        energy_.solve(part_);
        for (std::size_t k = 0; k < size_; ++k) {
            const std::span<const double> z = column(z_, k);
            const double step = sign * part_[k];
            for_entries(n_, [&](std::size_t i) { to[i] += step * z[i]; });
        }
    }

    std::size_t n_ = 0, size_ = 0;
    std::vector<double> z_, az_;  // columns one after the other
    DenseCholesky energy_;
    std::vector<double> part_;
};

}  // namespace rivulet::linear
