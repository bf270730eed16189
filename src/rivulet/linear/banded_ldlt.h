#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

#include <rivulet/base/pack.h>

namespace rivulet::linear {

/// What comparing two scalars gives: bool for double, Mask for Pack.
template <class T>
using MaskOf = decltype(T(0.0) < T(0.0));

/// LDLᵀ of symmetric positive definite matrices with a fixed half-bandwidth, templated over the scalar: with
/// Pack, four matrices of one size side by side, each lane with the bits of the plain double.
///
/// The lower triangle is stored by columns: entry (j + k, j) at [j * kStride + k], k = 0 .. HalfBandwidth.
/// NOTE: HalfBandwidth columns of zeros follow the last one (`storage_size`), and right-hand sides carry as
/// many zeros at their end (`vector_size`): the inner loops then have fixed length and no edge cases.
template <int HalfBandwidth>
struct BandedLdlt {
    static constexpr int kHalf = HalfBandwidth;
    static constexpr int kStride = HalfBandwidth + 1;

    static constexpr std::size_t storage_size(std::size_t unknowns) { return (unknowns + kHalf) * kStride; }
    static constexpr std::size_t vector_size(std::size_t unknowns) { return unknowns + kHalf; }
    /// What `solve` and `invert_in_band` touch of a factor: no columns after the last.
    static constexpr std::size_t factor_size(std::size_t unknowns) { return unknowns * kStride; }
    static constexpr std::size_t index(std::size_t row, std::size_t column) {
        return column * kStride + (row - column);
    }

    /// Factorises in place: unit lower L below the diagonal, 1/D on it. Returns per lane whether every pivot
    /// was positive and finite; a failed lane holds finite nonsense and disturbs no other lane.
    template <class T>
    static MaskOf<T> factorise(std::span<T> band, std::size_t unknowns) {
        assert(band.size() >= storage_size(unknowns));
        MaskOf<T> good = T(0.0) < T(1.0);
        for (std::size_t j = 0; j < unknowns; ++j) good = good & eliminate(&band[j * kStride]);
        return good;
    }

    /// x ← A⁻¹ x with the factor.
    template <class T>
    static void solve(std::span<const T> factor, std::size_t unknowns, std::span<T> x) {
        assert(factor.size() >= factor_size(unknowns) && x.size() >= vector_size(unknowns));
        for (std::size_t j = 0; j < unknowns; ++j) {
            const T* column = &factor[j * kStride];
            const T xj = x[j];
            for (int k = 1; k <= kHalf; ++k) x[j + static_cast<std::size_t>(k)] -= column[k] * xj;
        }
        for (std::size_t j = unknowns; j-- > 0;) {
            const T* column = &factor[j * kStride];
            T sum = x[j] * column[0];
            for (int k = 1; k <= kHalf; ++k) sum -= column[k] * x[j + static_cast<std::size_t>(k)];
            x[j] = sum;
        }
    }

    /// The entries of Z = A⁻¹ inside the band, from the factor and in its layout (Takahashi, Fagan and Chin
    /// 1973): Lᵀ Z = D⁻¹ L⁻¹ is lower triangular with 1/D on the diagonal, so that, from the last column to
    /// the first,
    ///   Z_ij = −Σ_k Z_i,j+k L_j+k,j  (i > j),   Z_jj = 1/D_j − Σ_k L_j+k,j Z_j+k,j
    /// needs only entries of Z inside the band. Twice the multiplications of a factorisation. Both arrays
    /// have `factor_size`.
    template <class T>
    static void invert_in_band(std::span<const T> factor, std::size_t unknowns, std::span<T> inverse) {
        assert(factor.size() >= factor_size(unknowns) && inverse.size() >= factor_size(unknowns));
        for (std::size_t j = unknowns; j-- > 0;) {
            const std::size_t at = j * kStride, after = unknowns - 1 - j;
            if (after >= std::size_t{kHalf})
                invert_column(&factor[at], &inverse[at], std::integral_constant<int, kHalf>{});
            else
                invert_column(&factor[at], &inverse[at], static_cast<int>(after));
        }
    }

 private:
    /// One step of the right-looking factorisation: `column` becomes a column of L, the columns after it
    /// lose its outer product.
    template <class T>
    static MaskOf<T> eliminate(T* column) {
        const MaskOf<T> good = (column[0] > T(0.0)) & (column[0] < T(1e300));
        const T inverse = T(1.0) / select(good, column[0], T(1.0));
        T entry[kStride];
        for (int k = 1; k <= kHalf; ++k) entry[k] = select(good, column[k], T(0.0));
        column[0] = inverse;
        for (int k = 1; k <= kHalf; ++k) {
            const T factor = entry[k] * inverse;
            column[k] = factor;
            T* later = column + k * kStride;
            for (int m = k; m <= kHalf; ++m) later[m - k] -= factor * entry[m];
        }
        return good;
    }

    /// `inverse` becomes a column of the inverse; `reach` columns follow it.
    template <class T, class Reach>
    static void invert_column(const T* factor, T* inverse, const Reach reach) {
        T minus[kStride];
        for (int k = 1; k <= kHalf; ++k) minus[k] = -factor[k];
        T diagonal = factor[0];
        for (int i = reach; i >= 1; --i) {
            T sum(0.0);
            // NOTE: the column made last is read last, so that little waits for it.
            for (int k = reach; k > i; --k) sum = multiply_add(inverse[i * kStride + (k - i)], minus[k], sum);
            for (int k = i; k >= 1; --k) sum = multiply_add(inverse[k * kStride + (i - k)], minus[k], sum);
            inverse[i] = sum;
            diagonal = multiply_add(minus[i], sum, diagonal);
        }
        inverse[0] = diagonal;
        for (int k = reach + 1; k <= kHalf; ++k) inverse[k] = T(0.0);
    }
};

}  // namespace rivulet::linear
