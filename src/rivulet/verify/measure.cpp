#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/verify/bench_case.h>

namespace rivulet::verify {

double best_seconds(int repeats, const std::function<void()>& work) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        best = std::min(best, spent.count());
    }
    return best;
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
