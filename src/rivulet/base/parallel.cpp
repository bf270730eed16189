#include <rivulet/base/parallel.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace rivulet {

namespace pool {

void run_with(int threads, void (*work)(void* context), void* context) {
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
