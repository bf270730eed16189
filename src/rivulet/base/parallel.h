#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace rivulet {

/// The one door to the thread pool. Loops hand it plain functions, so that files with loops need not read its
/// headers.
namespace pool {
/// Calls work(context) with at most `threads` threads (0: all cores).
void run_with(int threads, void (*work)(void* context), void* context);
/// Calls work(context, begin, end) for ranges that together cover [0, n), in parallel.
void run_ranges(std::size_t n, void (*work)(void* context, std::size_t begin, std::size_t end),
                void* context);
}  // namespace pool

/// Runs `work` with at most `threads` threads (0: all cores). Loops inside use that many.
template <class F>
auto with_threads(int threads, F&& work) {
    using Work = std::remove_reference_t<F>;
    using Result = std::invoke_result_t<Work&>;
    if constexpr (std::is_void_v<Result>) {
        pool::run_with(
            threads, [](void* context) { (*static_cast<Work*>(context))(); },
            const_cast<void*>(static_cast<const void*>(&work)));
    } else {
        std::optional<Result> result;
        auto store = [&] { result.emplace(work()); };
        with_threads(threads, store);
        return std::move(*result);
    }
}

/// Threads that a loop started here may use. For reporting only: results never depend on it.
int thread_count();

/// How [0, n) is cut into chunks: depends on n and grain only, never on the number of threads.
struct Chunks {
    static constexpr std::size_t kMost = 1024;
    std::size_t items, size, count;
    Chunks(std::size_t n, std::size_t grain)
        : items(n),
          size(std::max({grain, std::size_t{1}, (n + kMost - 1) / kMost})),
          count((n + size - 1) / size) {}
    std::size_t begin(std::size_t chunk) const { return chunk * size; }
    std::size_t end(std::size_t chunk) const { return std::min(items, (chunk + 1) * size); }
};

/// Calls body(i) for every i in [0, n), in parallel. Bodies must write to separate places.
template <class F>
void parallel_for(std::size_t n, F&& body) {
    using Body = std::remove_reference_t<F>;
    pool::run_ranges(
        n,
        [](void* context, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) (*static_cast<Body*>(context))(i);
        },
        const_cast<void*>(static_cast<const void*>(&body)));
}

/// Calls body(begin, end, chunk) for fixed chunks of about `grain` items, in parallel.
template <class F>
void parallel_chunks(std::size_t n, std::size_t grain, F&& body) {
    const Chunks chunks(n, grain);
    parallel_for(chunks.count, [&](std::size_t c) { body(chunks.begin(c), chunks.end(c), c); });
}

/// Reduces map(begin, end) over fixed chunks with a fixed pairing: the same bits for any thread count.
template <class T, class Map, class Combine>
T ordered_reduce(std::size_t n, std::size_t grain, T identity, Map&& map, Combine&& combine) {
    const Chunks chunks(n, grain);
    if (chunks.count == 0) return identity;
    std::array<T, Chunks::kMost> partial;
    parallel_for(chunks.count, [&](std::size_t c) { partial[c] = map(chunks.begin(c), chunks.end(c)); });
    for (std::size_t stride = 1; stride < chunks.count; stride *= 2)
        for (std::size_t i = 0; i + stride < chunks.count; i += 2 * stride)
            partial[i] = combine(partial[i], partial[i + stride]);
    return partial[0];
}

/// A sum that keeps what rounding drops (Neumaier). Merging two sums keeps both remainders.
struct CompensatedSum {
    double sum = 0, rest = 0;
    void add(double x) {
        const double t = sum + x;
        rest += std::abs(sum) >= std::abs(x) ? (sum - t) + x : (x - t) + sum;
        sum = t;
    }
    double value() const { return sum + rest; }
    friend CompensatedSum operator+(CompensatedSum a, const CompensatedSum& b) {
        a.add(b.sum);
        a.rest += b.rest;
        return a;
    }
};

/// Compensated sum of term(i) over [0, n).
template <class F>
double accurate_sum(std::size_t n, F&& term) {
    return ordered_reduce(
               n, 4096, CompensatedSum{},
               [&](std::size_t begin, std::size_t end) {
                   CompensatedSum s;
                   for (std::size_t i = begin; i < end; ++i) s.add(term(i));
                   return s;
               },
               [](const CompensatedSum& a, const CompensatedSum& b) { return a + b; })
        .value();
}

/// Largest term(i) over [0, n); `least` when n is 0. A NaN term wins, so that it is seen.
template <class F>
double parallel_max(std::size_t n, double least, F&& term) {
    const auto larger = [](double a, double b) { return a > b || a != a ? a : b; };
    return ordered_reduce(
        n, 4096, least,
        [&](std::size_t begin, std::size_t end) {
            double m = least;
            for (std::size_t i = begin; i < end; ++i) m = larger(term(i), m);
            return m;
        },
        larger);
}

}  // namespace rivulet
