#include <rivulet/strand/pack_plan.h>

#include <algorithm>
#include <numeric>

namespace rivulet::strand {

bool PackPlan::make(const StrandState& state) {
    if (start == state.start) return false;
    start = state.start;
    std::vector<std::size_t> order(state.strand_count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto count = [&](std::size_t i) { return start[i + 1] - start[i]; };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return count(a) != count(b) ? count(a) < count(b) : a < b;
    });
    packs.clear();
    slot.resize(order.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && end < i + Pack::kWidth && count(order[end]) == count(order[i])) ++end;
        PackOf pack;
        pack.used = end - i;
        for (std::size_t l = 0; l < Pack::kWidth; ++l) pack.lanes.strand[l] = order[std::min(i + l, end - 1)];
        for (std::size_t l = 0; l < pack.used; ++l) slot[order[i + l]] = packs.size() * Pack::kWidth + l;
        packs.push_back(pack);
        i = end;
    }
    return true;
}

}  // namespace rivulet::strand
