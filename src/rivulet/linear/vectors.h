#pragma once

#include <cassert>
#include <cstddef>
#include <span>

#include <rivulet/base/parallel.h>

namespace rivulet::linear {

inline constexpr std::size_t kVectorGrain = 8192;

/// body(i) for every entry of a vector of n, in parallel: for bodies of a few operations.
template <class F>
void for_entries(std::size_t n, F&& body) {
    parallel_chunks(n, kVectorGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) body(i);
    });
}

/// Σ a_i b_i in double precision with a fixed order of summation.
template <class T>
double sum_of_products(std::span<const T> a, std::span<const T> b) {
    assert(a.size() == b.size());
    return ordered_reduce(
        a.size(), kVectorGrain, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double lane[8] = {};
            std::size_t i = begin;
            for (; i + 8 <= end; i += 8)
                for (std::size_t l = 0; l < 8; ++l) lane[l] += double(a[i + l]) * double(b[i + l]);
            for (std::size_t l = 0; i < end; ++i, ++l) lane[l] += double(a[i]) * double(b[i]);
            return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
        },
        [](double x, double y) { return x + y; });
}
inline double dot(std::span<const double> a, std::span<const double> b) {
    return sum_of_products(a, b);
}
inline double dot(std::span<const float> a, std::span<const float> b) {
    return sum_of_products(a, b);
}

}  // namespace rivulet::linear
