#include <rivulet/base/parallel.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <optional>

namespace rivulet {

namespace pool {

void run_with(int threads, void (*work)(void* context), void* context) {
    // NOTE: the library keeps to the cores and prints a warning when an arena asks for more; people may.
    constexpr int kMostThreads = 1024;
    threads = std::min(threads, kMostThreads);
    std::optional<tbb::global_control> allow;
    if (threads > tbb::info::default_concurrency())
        allow.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(threads));
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    arena.execute([&] { work(context); });
}

void run_ranges(std::size_t n, void (*work)(void* context, std::size_t begin, std::size_t end),
                void* context) {
    if (n == 0) return;
    if (n == 1 || thread_count() == 1) {
        work(context, 0, n);
        return;
    }
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, n),
        [=](const tbb::blocked_range<std::size_t>& range) { work(context, range.begin(), range.end()); });
}

}  // namespace pool

int thread_count() {
    return tbb::this_task_arena::max_concurrency();
}

}  // namespace rivulet
