#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {

namespace {

/// Least of `repeats` differences of clock() around work().
template <class Clock>
double least(int repeats, const std::function<void()>& work, Clock&& clock) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i) {
        const double begin = clock();
        work();
        best = std::min(best, clock() - begin);
    }
    return best;
}

}  // namespace

double best_seconds(int repeats, const std::function<void()>& work) {
    return least(repeats, work, [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    });
}

double best_processor_seconds(int repeats, const std::function<void()>& work) {
    return least(repeats, work, [] { return processor_seconds(); });
}

double copy_bandwidth() {
    // NOTE: 128 MB each way: several times the last-level cache of the machines we know.
    constexpr std::size_t kBytes = std::size_t{128} << 20, kGrain = std::size_t{1} << 20;
    std::vector<unsigned char> from(kBytes, 1), to(kBytes, 2);
    const double seconds = best_seconds(5, [&] {
        parallel_chunks(kBytes, kGrain, [&](std::size_t b, std::size_t e, std::size_t) {
            std::memcpy(to.data() + b, from.data() + b, e - b);
        });
    });
    return 2.0 * static_cast<double>(kBytes) / seconds;
}

}  // namespace rivulet::verify
